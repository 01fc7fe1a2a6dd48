import Conformance
import JSONTree
import Testing

@testable import ReferenceProvider

/// What providers of the world do their own way.
@Suite("Personas of the world")
struct PersonaTests {
    private static func browser(_ persona: Persona) throws -> MemoryBrowser {
        MemoryBrowser(try makeProvider(persona) { persona.named?.habits(&$0) })
    }

    @Test("Apple gives name and address to those alone who ask for a posted form, and the name once")
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

    @Test("Apple and LinkedIn take the secret in the body alone", arguments: [Persona.apple, .linkedin])
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
        var seams = Seams()
        try #require(Persona.apple.named).habits(&seams)
        #expect(seams.acceptsSecret(text, "", .clientSecretPost))
        let fixed = try #require(RegisteredClient.confidential.secret?.reveal())
        #expect(!seams.acceptsSecret(fixed, fixed, .clientSecretPost))
        // Another payload under the same signature.
        let parts = text.split(separator: ".")
        let other = [parts[0], parts[0], parts[2]].joined(separator: ".")
        #expect(!seams.acceptsSecret(other, "", .clientSecretPost))
    }

    @Test("LINE says ES256 and signs with the secret of the channel")
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
}
