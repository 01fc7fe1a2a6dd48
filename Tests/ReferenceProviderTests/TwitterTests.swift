import Conformance
import Foundation
import JSONTree
import Testing

@testable import ReferenceProvider

/// X with OAuth 2.0: no documents, and PKCE for all clients.
@Suite(.timeLimit(.minutes(5))) struct TwitterTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    private var basic: [Field] {
        let secret = RegisteredClient.confidential.secret?.reveal() ?? ""
        let pair = Data("\(RegisteredClient.confidential.id):\(secret)".utf8).base64EncodedString()
        return [Field("Authorization", "Basic " + pair)]
    }

    private func request(_ browser: MemoryBrowser, _ changes: [Field]) -> [Field] {
        browser.parameters("code", ["scope": "users.read tweet.read", "nonce": nil]) + changes
    }

    @Test(arguments: [
        "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/keys", "/userinfo",
    ])
    func `there are no documents`(path: String) throws {
        var browser = MemoryBrowser(try makeProvider(.twitter))
        #expect(browser.send("GET", browser.provider.base + path).status == 404)
    }

    @Test func `a request without a challenge is rejected`() throws {
        var browser = MemoryBrowser(try makeProvider(.twitter))
        let response = try browser.response(request(browser, []))
        #expect(response["error"] == "invalid_request")
    }

    /// The pair is from RFC 7636 appendix B.
    @Test(arguments: [
        ("S256", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), ("plain", verifier), (nil, verifier),
    ])
    func `a code is bound to its verifier, by S256 and plain`(method: String?, challenge: String) throws {
        for (given, status) in [(Self.verifier, 200), (String(Self.verifier.reversed()), 400)] {
            var browser = MemoryBrowser(try makeProvider(.twitter))
            var changes = [Field("code_challenge", challenge)]
            if let method { changes.append(Field("code_challenge_method", method)) }
            let code = try #require(try browser.response(request(browser, changes))["code"])
            let form = [
                Field("grant_type", "authorization_code"), Field("code", code),
                Field("redirect_uri", RegisteredClient.redirectURI), Field("code_verifier", given),
            ]
            let (answer, body) = try browser.token(form, headers: basic)
            #expect(answer.status == status)
            guard status == 200 else { continue }
            let token = try #require(body["access_token"]?.stringValue)
            let bearer = [Field("Authorization", "Bearer " + token)]
            let user = browser.send("GET", browser.provider.base + "/2/users/me", headers: bearer)
            #expect(user.text.contains("\"data\":{\"id\":\"248289761001\""))
        }
    }

    @Test func `bogus credentials and unsigned requests are rejected`() throws {
        let provider = try makeProvider(.twitter)
        var browser = MemoryBrowser(provider)
        let page = browser.send("GET", provider.base + "/oauth/authenticate?oauth_token=made-up")
        #expect(page.status == 401)
        let unsigned = browser.send("POST", provider.base + "/oauth/request_token", "")
        #expect(unsigned.status == 400)
    }
}
