import Conformance
import Foundation
import JSONTree
import OAuth1
import OtherPrograms
import TestSupport
import Testing

/// Requests signed and verified by oauthlib, which shares no code with ours, both ways.
@Suite(.timeLimit(.minutes(5))) struct OAuthLibTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/oauth1/oauthlib_oracle.py").path()

    private struct Request {
        var method: String
        var url: String
        var form: [Field]
        var callback: String?
        var verifier: String?
        var signer: RequestSigner
        var nonce: String
        var timestamp: Int

        var more: [Field] {
            [callback.map { Field("oauth_callback", $0) }, verifier.map { Field("oauth_verifier", $0) }]
                .compactMap(\.self)
        }

        var body: String {
            form.map { "\(ParameterEncoding.encode($0.name))=\(ParameterEncoding.encode($0.value))" }
                .joined(separator: "&").replacing("%20", with: "+")
        }
    }

    /// A seeded generator, so that a failure is reproducible.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static func word(_ dice: inout Dice, upTo length: Int = 12) -> String {
        let letters = Array("abcXYZ019-._~ +%&=/:?#@!*'(),;\"ü☃é")
        return String(
            (0..<Int.random(in: 1...length, using: &dice)).map { _ in letters.randomElement(using: &dice) ?? "x" }
        )
    }

    private static func request(_ dice: inout Dice) -> Request {
        let query = (0..<Int.random(in: 0...3, using: &dice))
            .map { _ in "\(ParameterEncoding.encode(word(&dice)))=\(ParameterEncoding.encode(word(&dice)))" }
        let hosts = [
            "https://API.example.com", "https://api.example.com:443", "http://localhost:8080", "http://a.example:80",
        ]
        let path = ["/", "/1.1/account/verify_credentials.json", "/a%20b/c"].randomElement(using: &dice) ?? "/"
        let isForm = Bool.random(using: &dice)
        let hasToken = Bool.random(using: &dice)
        return Request(
            method: isForm ? "POST" : "GET",
            url: (hosts.randomElement(using: &dice) ?? "") + path
                + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            form: isForm ? [Field(word(&dice), word(&dice)), Field("a", ""), Field("a", word(&dice))] : [],
            callback: Bool.random(using: &dice)
                ? "https://app.example/cb?" + ParameterEncoding.encode(word(&dice)) : nil,
            verifier: Bool.random(using: &dice) ? word(&dice) : nil,
            signer: RequestSigner(
                consumerKey: word(&dice),
                consumerSecret: Secret(word(&dice, upTo: 40)),
                token: hasToken
                    ? TokenCredentials(identifier: Secret(word(&dice)), secret: Secret(word(&dice, upTo: 40))) : nil
            ),
            nonce: word(&dice),
            timestamp: Int.random(in: 1...2_000_000_000, using: &dice)
        )
    }

    private static func field(_ request: Request, forged: Bool = false) throws -> String {
        var parameters = try #require(
            request.signer.parameters(
                method: request.method,
                url: request.url,
                more: request.more,
                form: request.form,
                nonce: request.nonce,
                timestamp: request.timestamp
            )
        )
        if forged, let nonce = parameters.firstIndex(where: { $0.name == "oauth_nonce" }) {
            parameters[nonce].value += "x"
        }
        return AuthorizationField.text(parameters)
    }

    private static func row(_ request: Request) throws -> JSON {
        [
            "key": .string(request.signer.consumerKey), "secret": .string(request.signer.consumerSecret.reveal()),
            "token": .string(request.signer.token?.identifier.reveal() ?? ""),
            "tokenSecret": .string(request.signer.token?.secret.reveal() ?? ""),
            "callback": .string(request.callback ?? ""), "verifier": .string(request.verifier ?? ""),
            "nonce": .string(request.nonce), "timestamp": .string(String(request.timestamp)),
            "url": .string(request.url), "method": .string(request.method), "body": .string(request.body),
            "field": .string(try field(request)), "forged": .string(try field(request, forged: true)),
        ]
    }

    private static let oauthlib = Oracle.python("oauthlib")

    @Test(.oracle(oauthlib)) func `oauthlib and we accept each other's signatures and refuse forged ones`() async throws
    {
        let python = try await Self.oauthlib.path()
        var dice = Dice(state: 5_849)
        let requests = (0..<200).map { _ in Self.request(&dice) }
        let question = JSON.array(try requests.map(Self.row))
        let answer = try await OtherProgram.run(python, [Self.script], input: question.serialized())
        let answers = try #require(try JSONDocument.parse(answer.output).root.arrayValue, "\(answer.errors)")
        #expect(answers.count == requests.count)
        for (request, answer) in zip(requests, answers) {
            let what = "\(request.method) \(request.url) \(request.body)"
            #expect(answer["accepted"] == true, "oauthlib refuses ours: \(what)")
            #expect(answer["forged"] == false, "oauthlib takes a forged one: \(what)")
            let signed = try #require(
                SignedRequest(
                    method: request.method,
                    url: request.url,
                    authorization: answer["field"]?.stringValue,
                    otherParameters: BaseString.query(of: request.url) + request.form
                )
            )
            let secrets = (request.signer.consumerSecret, request.signer.token?.secret)
            #expect(signed.fault == nil)
            #expect(signed.isSigned(clientSecret: secrets.0, tokenSecret: secrets.1), "we refuse oauthlib's: \(what)")
        }
        print("interop: \(requests.count) requests exchanged with oauthlib, both ways")
    }

    @Test(.oracle(.program("openssl"))) func `HMAC-SHA1 is that of OpenSSL's command`() async throws {
        for (key, text) in [("kd94hf93k423kf44&", "POST&a&b"), ("a&b", ""), ("&", "GET&https%3A%2F%2Fa%2F&")] {
            let words = ["dgst", "-sha1", "-hmac", key, "-binary"]
            let output = try await OtherProgram.run("openssl", words, input: text).output
            let secrets = key.split(separator: "&", omittingEmptySubsequences: false).map { Secret(String($0)) }
            let ours = RequestSignature.hmacSHA1(text, clientSecret: secrets[0], tokenSecret: secrets[1])
            #expect(ours == Data(output).base64EncodedString())
        }
    }
}
