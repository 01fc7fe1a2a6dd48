import Conformance
import FoundationEssentials
import JOSE
import JSONTree
import OtherPrograms
import TestSupport
import Testing

@testable import ReferenceProvider

/// The provider behind its server, tested with third-party programs.
@Suite(
    "Serving",
    .timeLimit(.minutes(5)),
    .oracle(.program("curl")),
    .oracle(.program("openssl")),
    .oracle(.program("python3"))
)
struct ServingTests {
    private typealias Configuration = ReferenceProviderConfiguration

    private func withProvider<Result>(
        _ configuration: ReferenceProviderConfiguration,
        _ body: (ReferenceProvider, URL) async throws -> Result
    ) async throws -> Result {
        let provider = try await ReferenceProvider.start(configuration)
        do {
            let result = try await Programs.inDirectory { try await body(provider, $0) }
            await provider.stop()
            return result
        } catch {
            await provider.stop()
            throw error
        }
    }

    @Test(
        "It starts with either scheme, states it in its issuer, and does not respond once stopped",
        arguments: ReferenceProviderConfiguration.Scheme.allCases
    )
    func startAndStop(_ scheme: ReferenceProviderConfiguration.Scheme) async throws {
        let provider = try await ReferenceProvider.start(Configuration(.standard, scheme: scheme))
        #expect(provider.issuer == "\(scheme.rawValue)://127.0.0.1:\(provider.port)")
        try await Programs.inDirectory { directory in
            let curl = try Curl(provider, in: directory)
            let address = provider.issuer + "/.well-known/openid-configuration"
            let answer = try await curl.send(address)
            #expect(answer.status == 200)
            #expect(answer.headers.filter { $0.name.lowercased() == "date" }.count == 1)
            #expect((answer.header("Strict-Transport-Security") != nil) == (scheme == .https))
            #expect(try JSONDocument.parse(answer.body).root["issuer"]?.stringValue == provider.issuer)
            let head = try await curl.send(address, ["--head"])
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.header("Content-Length") == answer.header("Content-Length"))
            await provider.stop()
            let error = await #expect(throws: Curl.Failure.self) { try await curl.send(address) }
            #expect(error?.code == 7)
        }
    }

    @Test("The error for a port in use names the port")
    func takenPort() async throws {
        let first = try await ReferenceProvider.start(Configuration(.minimal, scheme: .http))
        var configuration = Configuration(.minimal, scheme: .http)
        configuration.port = first.port
        let error = await #expect(throws: ReferenceProviderError.self) {
            _ = try await ReferenceProvider.start(configuration)
        }
        #expect(error?.description.contains("127.0.0.1:\(first.port)") == true)
        await first.stop()
    }

    @Test("curl rejects it without its authority")
    func needsAuthority() async throws {
        try await withProvider(Configuration()) { provider, _ in
            let outcome = try await OtherProgram.run("curl", ["-sS", provider.issuer])
            #expect(outcome.code == 60)
        }
    }

    @Test("Stopping does not wait for clients that keep their connection open")
    func stopWithIdleConnection() async throws {
        let provider = try await ReferenceProvider.start(Configuration(.standard, scheme: .http))
        let script = """
            import http.client, sys
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request("GET", "/keys")
            connection.getresponse().read()
            print("kept", flush=True)
            print("closed" if connection.sock.recv(1) == b"" else "modelledRun to")
            """
        let (_, outcome) = try await OtherProgram.beside("python3", ["-c", script, String(provider.port)]) { client in
            for await line in client.lines where line == "kept" { break }
            await provider.stop()
        }
        #expect(outcome.text == "kept\nclosed\n", "\(outcome.errors)")
    }

    struct Row: Sendable, CustomStringConvertible {
        var persona: Persona
        var scheme: ReferenceProviderConfiguration.Scheme
        var description: String { "\(persona) over \(scheme.rawValue)" }
        // Microsoft's issuer contains a placeholder, and its UserInfo has fewer claims than its ID Tokens.
        static let all =
            Persona.openID.filter { $0.hostName == nil && $0.failures.isEmpty && $0.profile != "firebase-microsoft" }
            .filter { !$0.isDemanding }
            .map { Row(persona: $0, scheme: .https) } + [
                Row(persona: .standard, scheme: .http)
            ]
    }

    @Test("curl completes sign-in and consent, and another library verifies the ID Token", arguments: Row.all)
    func walk(_ row: Row) async throws {
        try await withProvider(Configuration(row.persona, scheme: row.scheme)) { provider, directory in
            let curl = try Curl(provider, in: directory)
            let wellKnown = provider.issuer.hasSuffix("/") ? ".well-known/" : "/.well-known/"
            let discovered = try await curl.send(provider.issuer + wellKnown + "openid-configuration")
            let document = try JSONDocument.parse(discovered.body).root
            let target = provider.target()
            let type = try #require(target.flows.first)
            let response = try await signIn(curl, document, target, type, row.persona)
            #expect(response.first { $0.name == "state" }?.value == "s t&te")
            var token = response.first { $0.name == "id_token" }?.value
            if let code = response.first(where: { $0.name == "code" })?.value {
                token = try await redeem(code, curl, document, target, row.persona)
            }
            let keys = try await curl.send(try #require(document["jwks_uri"]?.stringValue))
            let verified = try await Verifier.claims(of: try #require(token), keys: keys.body, in: directory)
            #expect(verified["iss"]?.stringValue == provider.issuer)
            #expect((verified["aud"]?.stringValue ?? verified["aud"]?.strings?.first) == target.client?.id)
            #expect(verified["nonce"]?.stringValue == "the nonce")
            let isPublic = verified["sub"]?.stringValue == row.persona.user.subject
            #expect(isPublic == !row.persona.isPairwise)
        }
    }

    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// The parameters of the response to the client.
    private func signIn(
        _ curl: Curl,
        _ document: JSON,
        _ target: Target,
        _ type: ResponseType,
        _ persona: Persona
    ) async throws -> [Field] {
        var arguments = ["--get"]
        let parameters = [
            Field("response_type", type.text), Field("client_id", target.client?.id ?? ""),
            Field("redirect_uri", target.redirectURI ?? ""), Field("scope", target.scopes.joined(separator: " ")),
            Field("state", "s t&te"), Field("nonce", "the nonce"), Field("code_challenge_method", "S256"),
            Field("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ]
        for parameter in parameters { arguments += ["--data-urlencode", "\(parameter.name)=\(parameter.value)"] }
        var answer = try await curl.send(document["authorization_endpoint"]?.stringValue ?? "", arguments)
        let (username, password) = persona.credentials
        let values = ["username": username, "password": password.reveal(), "answer": "accept"]
        for _ in 0..<6 {
            if let location = answer.header("Location") {
                if location.hasPrefix(target.redirectURI ?? "-") {
                    let mark = try #require(location.firstIndex { "?#".contains($0) })
                    #expect((location[mark] == "#") == type.isFrontChannel)
                    return FormEncoding.decode(location[location.index(after: mark)...])
                }
                answer = try await curl.send(location)
                continue
            }
            let form = try #require(HTMLForm(answer.body))
            let data = form.filled(values).flatMap { ["--data-urlencode", "\($0.name)=\($0.value)"] }
            answer = try await curl.send(form.action, data)
        }
        Issue.record("curl did not get back to the client")
        return []
    }

    /// The parameters of client authentication with a signed assertion (RFC 7523 section 2.2).
    private func assertion(of client: String, for audience: JSON?, _ key: PrivateKey) throws -> [String] {
        let claims: JSONObject = [
            "iss": .string(client), "sub": .string(client), "aud": audience ?? "", "jti": "curl-1",
            "exp": .integer(Int64(Clock.now()) + 60),
        ]
        let token = try JWS.sign(Array(claims.serialized().utf8), with: key, algorithm: .es256)
        return [
            "--data-urlencode", "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "--data-urlencode", "client_assertion=\(token)",
        ]
    }

    /// The ID Token of a code.
    private func redeem(
        _ code: String,
        _ curl: Curl,
        _ document: JSON,
        _ target: Target,
        _ persona: Persona
    ) async throws -> String? {
        let client = try #require(target.client)
        var arguments = [
            "--data-urlencode", "grant_type=authorization_code", "--data-urlencode", "code=\(code)",
            "--data-urlencode", "redirect_uri=\(target.redirectURI ?? "")",
            "--data-urlencode", "code_verifier=\(Self.verifier)",
        ]
        if let secret = persona.clientSecret(client.id), client.authentication == .clientSecretPost {
            arguments += ["--data-urlencode", "client_id=\(client.id)"]
            arguments += ["--data-urlencode", "client_secret=\(secret.reveal())"]
        } else if let secret = persona.clientSecret(client.id) {
            // RFC 6749 section 2.3.1, which curl does not implement.
            let halves = [client.id, secret.reveal()].map(FormEncoding.encodeComponent)
            arguments += ["--user", halves.joined(separator: ":")]
        } else if let key = persona.clientKey(client.id) {
            arguments += try assertion(of: client.id, for: document["token_endpoint"], key)
        } else {
            arguments += ["--data-urlencode", "client_id=\(client.id)"]
        }
        let answer = try await curl.send(document["token_endpoint"]?.stringValue ?? "", arguments)
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        let body = try JSONDocument.parse(answer.body).root
        if let userInfo = document["userinfo_endpoint"]?.stringValue {
            let bearer = "Authorization: Bearer \(body["access_token"]?.stringValue ?? "")"
            let answer = try await curl.send(userInfo, ["--header", bearer])
            #expect(answer.status == 200)
            let verified = persona == .cognito ? "true" : persona.user.claims["email_verified"]
            #expect(try JSONDocument.parse(answer.body).root["email_verified"] == verified)
        }
        return body["id_token"]?.stringValue
    }
}
