import Conformance
import JSONTree
import Testing

@testable import ReferenceProvider

/// GitHub's deviations, according to its documentation.
@Suite("GitHub's persona", .timeLimit(.minutes(5)))
struct GitHubPersonaTests {
    private static let client = [
        Field("client_id", RegisteredClient.confidential.id),
        Field("client_secret", RegisteredClient.confidential.secret?.reveal() ?? ""),
    ]

    /// The response to a token request, by its Accept header.
    private func redeem(
        _ browser: inout MemoryBrowser,
        code: String?,
        client: [Field] = client,
        accept: String? = nil
    ) throws -> HTTPAnswer {
        let response =
            try code ?? browser.response(browser.parameters("code", ["scope": "read:user user:email"]))["code"]
        let fields = [
            Field("grant_type", "authorization_code"), Field("code", try #require(response)),
            Field("redirect_uri", RegisteredClient.redirectURI),
        ]
        return browser.send(
            "POST",
            "https://provider.example/login/oauth/access_token",
            FormEncoding.encode(fields + client),
            headers: accept.map { [Field("Accept", $0)] } ?? []
        )
    }

    @Test("a token response is form-encoded, or JSON if requested")
    func formats() throws {
        var browser = MemoryBrowser(try makeProvider(.github))
        let form = try redeem(&browser, code: nil)
        #expect(form.header("Content-Type") == "application/x-www-form-urlencoded; charset=utf-8")
        let fields = FormEncoding.decode(form.text)
        #expect(fields.map(\.name) == ["access_token", "token_type", "scope"])
        #expect(fields.first("token_type") == "bearer" && fields.first("scope") == "read:user,user:email")
        #expect(form.text.hasSuffix("&scope=read%3Auser%2Cuser%3Aemail"))
        let json = try redeem(&browser, code: nil, accept: "application/json")
        let object = try JSONDocument.parse(json.body).root
        #expect(json.header("Content-Type") == "application/json")
        #expect(object["scope"] == "read:user,user:email" && object["id_token"] == nil)
    }

    @Test("errors have status 200 and GitHub's error codes")
    func errors() throws {
        var browser = MemoryBrowser(try makeProvider(.github))
        let wrongCode = try redeem(&browser, code: "never-issued", accept: "application/json")
        #expect(wrongCode.status == 200)
        #expect(try JSONDocument.parse(wrongCode.body).root["error"] == "bad_verification_code")
        let wrongSecret = try redeem(
            &browser,
            code: "never-issued",
            client: [Self.client[0], Field("client_secret", "wrong")]
        )
        #expect(wrongSecret.status == 200)
        #expect(FormEncoding.decode(wrongSecret.text).first("error") == "incorrect_client_credentials")
    }

    @Test("an unregistered redirect URI is reported to the registered one, with iss and without a code")
    func mismatch() throws {
        var browser = MemoryBrowser(try makeProvider(.github))
        let response = try browser.response(
            browser.parameters("code", ["redirect_uri": "https://other.example/callback"])
        )
        #expect(response.address == RegisteredClient.redirectURI)
        #expect(response["error"] == "redirect_uri_mismatch" && response["code"] == nil)
        #expect(response["state"] == "the state" && response["iss"] == "https://provider.example/login/oauth")
    }

    @Test("the API returns the user only to requests with a bearer token and User-Agent")
    func user() throws {
        var browser = MemoryBrowser(try makeProvider(.github))
        let token = try #require(
            try JSONDocument.parse(redeem(&browser, code: nil, accept: "application/json").body)
                .root["access_token"]?
                .stringValue
        )
        let bearer = [Field("Authorization", "Bearer " + token), Field("User-Agent", "test")]
        let ask = { (browser: inout MemoryBrowser, path: String, headers: [Field]) in
            browser.send("GET", "https://provider.example" + path, headers: headers)
        }
        let user = ask(&browser, "/user", bearer)
        #expect(user.status == 200)
        #expect(try JSONDocument.parse(user.body).root["id"] == 248_289_761_001)
        #expect(try JSONDocument.parse(user.body).root["email"] == .null)
        #expect(ask(&browser, "/user/emails", bearer).text.contains("alice@example.com"))
        #expect(ask(&browser, "/user", [bearer[0]]).status == 403)
        #expect(ask(&browser, "/user", [bearer[1]]).status == 401)
        #expect(ask(&browser, "/login/oauth/user", bearer).status == 404)
    }

    @Test("the discovery document does not mention ID Tokens")
    func document() throws {
        var browser = MemoryBrowser(try makeProvider(.github))
        for path in [
            "/login/oauth/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/login/oauth",
        ] {
            let document = try JSONDocument.parse(browser.send("GET", "https://provider.example" + path).body).root
            #expect(document["token_endpoint"] == "https://provider.example/login/oauth/access_token")
            #expect(document["jwks_uri"] == nil && document["id_token_signing_alg_values_supported"] == nil)
        }
    }
}
