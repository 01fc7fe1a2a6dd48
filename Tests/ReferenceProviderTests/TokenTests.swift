import Conformance
import JOSE
import JSONTree
import Testing

@testable import ReferenceProvider

@Suite("Token endpoint", .timeLimit(.minutes(5)))
struct TokenTests {
    private static let secret = RegisteredClient.confidential.secret?.reveal() ?? ""

    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var fields: [Field]
        var headers: [Field] = []
        var status = 400
        var error: String
    }

    private static let grant = [
        Field("grant_type", "authorization_code"), Field("code", "made-up"),
        Field("redirect_uri", RegisteredClient.redirectURI),
    ]
    private static let posted = [Field("client_id", "preflight-client"), Field("client_secret", secret)]

    static let rows: [Row] = [
        Row(description: "bogus code, Basic", fields: grant, headers: [FlowTests.basic()], error: "invalid_grant"),
        Row(description: "bogus code, post", fields: grant + posted, error: "invalid_grant"),
        Row(
            description: "wrong secret, Basic",
            fields: grant,
            headers: [FlowTests.basic("wrong")],
            status: 401,
            error: "invalid_client"
        ),
        Row(
            description: "wrong secret, post",
            fields: grant + [posted[0], Field("client_secret", "wrong")],
            status: 401,
            error: "invalid_client"
        ),
        Row(description: "no secret", fields: grant + [posted[0]], status: 401, error: "invalid_client"),
        Row(description: "no client", fields: grant, status: 401, error: "invalid_client"),
        Row(
            description: "unknown client",
            fields: grant + [Field("client_id", "somebody")],
            status: 401,
            error: "invalid_client"
        ),
        Row(
            description: "two methods",
            fields: grant + posted,
            headers: [FlowTests.basic()],
            error: "invalid_request"
        ),
        Row(
            description: "not Basic",
            fields: grant,
            headers: [Field("Authorization", "Basic ???")],
            status: 401,
            error: "invalid_client"
        ),
        Row(description: "no code", fields: [grant[0]] + posted, error: "invalid_request"),
        Row(description: "no grant type", fields: posted, error: "invalid_request"),
        Row(
            description: "another grant type",
            fields: posted + [Field("grant_type", "password")],
            error: "unsupported_grant_type"
        ),
        Row(
            description: "repeated parameter",
            fields: grant + posted + [Field("code", "other")],
            error: "invalid_request"
        ),
        Row(
            description: "public client's bogus code",
            fields: grant + [Field("client_id", "preflight-public")],
            error: "invalid_grant"
        ),
    ]

    @Test("An invalid token request is rejected as in RFC 6749 section 5.2", arguments: rows)
    func errors(_ row: Row) throws {
        var browser = MemoryBrowser(try makeProvider())
        let (answer, body) = try browser.token(row.fields, headers: row.headers)
        #expect(answer.status == row.status)
        #expect(body["error"]?.stringValue == row.error)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect((answer.header("WWW-Authenticate")?.hasPrefix("Basic ") == true) == (row.status == 401))
    }

    @Test("Without support for Basic, an unknown client gets no challenge")
    func noChallenge() throws {
        var browser = MemoryBrowser(try makeProvider(.publicClient))
        let posted = try browser.token(Self.grant + [Field("client_id", "somebody")], headers: [])
        #expect(posted.answer.status == 400)
        #expect(posted.body["error"]?.stringValue == "invalid_client")
        #expect(posted.answer.header("WWW-Authenticate") == nil)
        #expect(try browser.token(Self.grant, headers: [FlowTests.basic()]).answer.status == 401)
    }

    @Test("A body that is not a form is rejected")
    func notAForm() throws {
        let provider = try makeProvider()
        let request = ProviderRequest(
            method: "POST",
            target: "/token",
            headers: [Field("Content-Type", "application/json"), FlowTests.basic()],
            body: Array("{}".utf8)
        )
        let answer = provider.answer(request)
        #expect(answer.status == 400)
        #expect(answer.text.contains("invalid_request"))
    }

    @Test("Basic credentials are form-decoded (RFC 6749 section 2.3.1)")
    func encodedCredentials() throws {
        let request = ProviderRequest(
            method: "POST",
            target: "/token",
            headers: [Field("Authorization", "Basic " + Base64.encode(Array("a%3Ab:c%25+d".utf8)))]
        )
        let credentials = ClientCredentials(request, []) { FormEncoding.decodeComponent($0) }
        #expect(credentials.id == "a:b")
        #expect(credentials.secret?.reveal() == "c% d")
    }

    @Test(
        "A code is bound to its redirect URI, client and verifier",
        arguments: [
            ([Field("redirect_uri", "https://elsewhere.example/")], false, "invalid_grant"),
            ([], true, "invalid_grant"),
            ([Field("code_verifier", String(repeating: "a", count: 43))], true, "invalid_grant"),
            ([Field("code_verifier", FlowTests.verifier)], false, "invalid_grant"),
            ([Field("code_verifier", FlowTests.verifier)], true, nil),
        ] as [([Field], Bool, String?)]
    )
    func binding(_ changes: [Field], _ hasChallenge: Bool, _ error: String?) throws {
        var browser = MemoryBrowser(try makeProvider())
        var request = browser.parameters("code")
        if hasChallenge {
            request += [Field("code_challenge", FlowTests.challenge), Field("code_challenge_method", "S256")]
        }
        let code = try #require(try browser.response(request)["code"])
        var fields = [
            Field("grant_type", "authorization_code"), Field("code", code),
            Field("redirect_uri", RegisteredClient.redirectURI),
        ]
        for change in changes {
            fields.removeAll { $0.name == change.name }
            fields.append(change)
        }
        #expect(try browser.token(fields).body["error"]?.stringValue == error)
    }

    @Test("Without openid there is no ID Token")
    func plainOAuth() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let code = try #require(try browser.response(browser.parameters("code", ["scope": "email"]))["code"])
        let body = try browser.redeem(code).body
        #expect(body["access_token"] != nil && body["id_token"] == nil)
        let bearer = [Field("Authorization", "Bearer " + (body["access_token"]?.stringValue ?? ""))]
        #expect(browser.send("GET", provider.address(.userInfo), headers: bearer).status == 403)
    }
}
