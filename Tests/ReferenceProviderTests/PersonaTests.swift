import Conformance
import JSONTree
import Testing

@testable import ReferenceProvider

/// Deviations of real providers.
@Suite("Personas of real providers", .timeLimit(.minutes(5)))
struct PersonaTests {
    private static func browser(_ persona: Persona) throws -> MemoryBrowser {
        MemoryBrowser(try makeProvider(persona) { persona.named?.habits(&$0) })
    }

    @Test("Apple returns name and email only with form_post, and the name only once")
    func apple() throws {
        var browser = try Self.browser(.apple)
        let scope = "openid name email"
        let refused = try browser.response(browser.parameters("code", ["scope": scope]))
        #expect(refused["error"] == "invalid_request")
        let request = browser.parameters("code", ["scope": scope, "response_mode": "form_post"])
        for _ in 1...2 { _ = try browser.authorize(request) }
        let posted = browser.pages.map(\.text).filter { $0.contains("name=\"code\"") }
        #expect(posted.count == 2)
        #expect(posted.map { $0.contains("name=\"user\"") } == [true, false])
    }

    @Test("Apple and LinkedIn accept the secret only in the body", arguments: [Persona.apple, .linkedin])
    func secretInBody(persona: Persona) throws {
        var browser = try Self.browser(persona)
        let parameters = browser.parameters("code", ["scope": "openid"])
        let code = try #require(try browser.response(parameters)["code"])
        let request = [
            Field("grant_type", "authorization_code"), Field("code", code),
            Field("redirect_uri", RegisteredClient.redirectURI),
        ]
        let inHeader = try browser.token(request, headers: [FlowTests.basic()])
        #expect(inHeader.body["error"]?.stringValue == "invalid_client")
        let secret = try #require(persona.clientSecret("preflight-client")?.reveal())
        let credentials = [Field("client_id", "preflight-client"), Field("client_secret", secret)]
        let inBody = try browser.token(request + credentials, headers: [])
        #expect(inBody.answer.status == 200)
        let claims = try Decoded(inBody.body["id_token"]?.stringValue).claims
        #expect((claims["nonce"] == nil) == (persona == .linkedin))
    }

    @Test("Apple's client secret is signed with ES256 by the client, for half a year at most")
    func signedSecret() throws {
        let text = try #require(Persona.apple.clientSecret("preflight-client")?.reveal())
        let token = try Decoded(text)
        #expect(token.header["alg"]?.stringValue == "ES256")
        #expect(token.claims["aud"]?.stringValue == "https://appleid.apple.com")
        #expect(token.claims["sub"]?.stringValue == "preflight-client")
        var hooks = Hooks()
        try #require(Persona.apple.named).habits(&hooks)
        #expect(hooks.acceptsSecret(text, "", .clientSecretPost))
        let fixed = try #require(RegisteredClient.confidential.secret?.reveal())
        #expect(!hooks.acceptsSecret(fixed, fixed, .clientSecretPost))
        // Another payload with the same signature.
        let parts = text.split(separator: ".")
        let other = [parts[0], parts[0], parts[2]].joined(separator: ".")
        #expect(!hooks.acceptsSecret(other, "", .clientSecretPost))
    }

    @Test("LINE advertises ES256 and signs with the channel secret")
    func line() throws {
        var browser = try Self.browser(.line)
        let document = try JSONDocument.parse(browser.send("GET", browser.provider.address(.discovery)).body).root
        #expect(document["id_token_signing_alg_values_supported"]?.strings == ["ES256"])
        #expect(document["token_endpoint_auth_methods_supported"] == nil)
        let code = try #require(try browser.response(browser.parameters("code"))["code"])
        let token = try Decoded(try browser.redeem(code).body["id_token"]?.stringValue)
        #expect(token.header["alg"]?.stringValue == "HS256")
    }

    @Test("email_verified is a string", arguments: [Persona.cognito, .linkedin])
    func words(persona: Persona) throws {
        var browser = try Self.browser(persona)
        let code = try #require(try browser.response(browser.parameters("code"))["code"])
        let token = try #require(try browser.redeem(code).body["access_token"]?.stringValue)
        let bearer = [Field("Authorization", "Bearer " + token)]
        let answer = browser.send("GET", browser.provider.address(.userInfo), headers: bearer)
        #expect(try JSONDocument.parse(answer.body).root["email_verified"]?.stringValue == "true")
    }

    @Test("LinkedIn returns invalid_client for a request with code_verifier")
    func unexpectedVerifier() throws {
        var browser = try Self.browser(.linkedin)
        let code = try #require(try browser.response(browser.parameters("code"))["code"])
        let secret = try #require(RegisteredClient.confidential.secret?.reveal())
        let request = [
            Field("grant_type", "authorization_code"), Field("code", code), Field("client_id", "preflight-client"),
            Field("client_secret", secret), Field("redirect_uri", RegisteredClient.redirectURI),
        ]
        let verifier = Field("code_verifier", FlowTests.verifier)
        #expect(try browser.token(request + [verifier], headers: []).body["error"]?.stringValue == "invalid_client")
        #expect(try browser.token(request, headers: []).answer.status == 200)
        #expect(Persona.linkedin.target(issuer: "https://www.linkedin.com/oauth").client?.sendsPKCE == false)
    }

    @Test(
        "endpoints are at their public addresses, on other hosts than the issuer",
        arguments: [
            (Persona.google, "token_endpoint", "https://oauth2.googleapis.com/token"),
            (.google, "authorization_endpoint", "https://accounts.google.com/o/oauth2/v2/auth"),
            (.google, "jwks_uri", "https://www.googleapis.com/oauth2/v3/certs"),
            (
                .cognito, "authorization_endpoint",
                "https://reference.auth.eu-central-1.amazoncognito.com/oauth2/authorize"
            ),
            (
                .cognito, "jwks_uri",
                "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Reference/.well-known/jwks.json"
            ),
            (.microsoftTenant, "userinfo_endpoint", "https://graph.microsoft.com/oidc/userinfo"),
        ]
    )
    func otherHosts(persona: Persona, member: String, address: String) throws {
        var settings = ReferenceProviderConfiguration(persona)
        settings.publicName = persona.publicName
        let provider = try ReferenceProvider.provider(settings, port: 8443)
        #expect(provider.discoveryDocument()[member]?.stringValue == address)
        settings.publicName = nil
        let local = try ReferenceProvider.provider(settings, port: 8443)
        let host = String(address.split(separator: "/")[1])
        let place = host == persona.publicName ? "https://127.0.0.1:8443/" : "https://localhost:8443/"
        #expect(local.discoveryDocument()[member]?.stringValue?.hasPrefix(place) == true)
        #expect(ReferenceProvider.publicNames.contains(host))
    }
}
