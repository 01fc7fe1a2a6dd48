import Conformance
import Testing
import Transport

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    private static let secrets = RequestSecrets(
        state: "S",
        nonce: "N",
        verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    )

    private static var target: Target {
        var target = Target(issuer: "https://op.example")
        target.redirectURI = "https://rp.example/cb?x=1"
        target.scopes = ["openid", "email"]
        target.customParameters = [Field("login_hint", "me"), Field("nonce", "mine"), Field("prompt", "login")]
        return target
    }

    private func fields(_ scenario: Scenario, sendsPKCE: Bool = true, _ type: ResponseType = "code") -> [String] {
        guard let request = scenario.authorizations.first else { return [] }
        var profile = ProfileParameters()
        profile.state(.reservedParameters, ["prompt"], because: "it is sent", source: "a test")
        if !sendsPKCE { profile.state(.pkceIsNotNeeded, .stated, because: "none is sent", source: "a test") }
        let parameters = AuthorizationParameters(
            scenario: scenario,
            request: request,
            responseType: type,
            clientID: "c",
            target: Self.target,
            profile: profile,
            metadata: nil,
            secrets: Self.secrets,
            resolve: { CapturedValues().text($0) }
        )
        return parameters.fields.map { "\($0.name)=\($0.value)" }
    }

    @Test func `a flow's parameters come in order, reserved and repeated ones are left out`() {
        // The challenge is that of RFC 7636 appendix B for this verifier.
        #expect(
            fields(.flow("code")) == [
                "response_type=code", "client_id=c", "redirect_uri=https://rp.example/cb?x=1", "scope=openid email",
                "state=S", "nonce=N", "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                "code_challenge_method=S256", "login_hint=me",
            ]
        )
    }

    @Test func `an implicit flow has no challenge, and the platform's request only if it sends one`() {
        let hasChallenge = { (fields: [String]) in fields.contains { $0.hasPrefix("code_challenge=") } }
        #expect(!hasChallenge(fields(.flow("id_token"), "id_token")))
        #expect(hasChallenge(fields(.asThePlatformSends)))
        #expect(!hasChallenge(fields(.asThePlatformSends, sendsPKCE: false)))
        #expect(hasChallenge(fields(.promptNone, sendsPKCE: false)))
    }

    @Test func `changes are made last`() {
        #expect(fields(.unregisteredRedirectURI).contains("redirect_uri=https://unregistered.invalid/callback"))
        #expect(fields(.promptNone).last == "prompt=none")
        #expect(!fields(.missingResponseType).contains { $0.hasPrefix("response_type=") })
        #expect(!fields(.missingNonce, "id_token").contains { $0.hasPrefix("nonce=") })
    }

    @Test func `drawn values have the form that is sent in production`() {
        let first = RequestSecrets.random()
        let second = RequestSecrets.random()
        #expect(first.nonce.utf8.count == 64)
        #expect(first.nonce.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(first.verifier.utf8.count == 43)
        #expect(first.state != second.state && first.nonce != second.nonce && first.verifier != second.verifier)
    }

    @Test func `a client authenticates as it is registered`() throws {
        func request(_ method: ClientAuthentication, _ secret: String?) -> HTTPRequest {
            var request = ClientRequest([
                ("grant_type", "authorization_code"), ("code", "C"), ("redirect_uri", "https://rp.example/cb"),
                ("code_verifier", "V"),
            ])
            request.authenticate("a:b c", by: method, secret: secret.map { Secret($0) })
            return request.request(to: "https://op.example/token")
        }
        let ordinary = "grant_type=authorization_code&code=C&redirect_uri=https%3A%2F%2Frp.example%2Fcb&code_verifier=V"
        let body = { (request: HTTPRequest) in String(decoding: request.body ?? [], as: UTF8.self) }

        let basic = request(.clientSecretBasic, "s/é")
        #expect(body(basic) == ordinary)
        // printf 'a%%3Ab+c:s%%2F%%C3%%A9' | base64
        #expect(basic.headers.contains(HTTPField(name: "Authorization", value: "Basic YSUzQWIrYzpzJTJGJUMzJUE5")))
        #expect(body(request(.clientSecretPost, "s")) == ordinary + "&client_id=a%3Ab+c&client_secret=s")
        #expect(body(request(.none, nil)) == ordinary + "&client_id=a%3Ab+c")
        #expect(!request(.clientSecretPost, "s").headers.contains { $0.name == "Authorization" })
    }

    @Test func `a redirect is parsed, and its secrets are kept apart`() {
        let arrived = ArrivedRedirect(
            location: "https://RP.example/cb?x=1&code=abc+d&state=S#id_token=a.b.c&expires_in=3600&iss=",
            redirectURI: "https://rp.example/cb?x=1",
            keepsSecrets: false
        )
        #expect(arrived.answer.isRedirectURI)
        #expect(arrived.answer.address == "https://RP.example/cb")
        #expect(
            arrived.answer.query == [
                ResponseParameter(name: "code", value: "(code:5-characters)", length: 5, variety: 11, hasSpace: true),
                ResponseParameter(name: "state", value: "S"),
            ]
        )
        #expect(arrived.answer.fragment.map(\.name) == ["id_token", "expires_in", "iss"])
        #expect(arrived.code == Secret("abc d"))
        #expect(arrived.idToken == Secret("a.b.c"))
        #expect(arrived.accessToken == nil)
    }

    @Test func `a redirect to another place is not one to the client`() {
        let elsewhere = ArrivedRedirect(
            location: "https://rp.example/other?error=x",
            redirectURI: "https://rp.example/cb",
            keepsSecrets: false
        )
        #expect(!elsewhere.answer.isRedirectURI)
        let app = ArrivedRedirect(location: "com.app:/cb?code=1", redirectURI: "com.app:/cb", keepsSecrets: true)
        #expect(app.answer.isRedirectURI)
        #expect(app.answer.query == [ResponseParameter(name: "code", value: "1", length: 1, variety: 0)])
    }

    @Test func `a forged token differs in its signature alone, and later values replace earlier ones`() {
        var captured = CapturedValues()
        captured.capture(Secret("aa.bb.Acc"), as: .idToken)
        #expect(captured.text(.captured(.forgedIDToken)) == "aa.bb.Bcc")
        captured.capture(Secret("first"), as: .refreshToken)
        captured.capture(Secret("second"), as: .refreshToken)
        #expect(captured.text(.captured(.earlierRefreshToken)) == "first")
        #expect(captured.text(.captured(.refreshToken)) == "second")
        #expect(captured.text(.captured(.code)) == nil)
    }

    @Test func `a missing token has the reason of the provider's answer`() {
        var captured = CapturedValues()
        let text = #"{"error": "not_allowed", "error_description": "Offline tokens not allowed"}"#
        captured.end(redemption: .observed(.answer(EndpointAnswer(exchange: 1, body: .text(text)))))
        let why =
            "the token endpoint rejected the code with the error “not_allowed”, with the message “Offline tokens not allowed”"
        #expect(captured.whyMissing(.accessToken).why.text == why)
        #expect(captured.whyMissing(.refreshToken).why.text == why)
        captured.end(
            redemption: .observed(.answer(EndpointAnswer(exchange: 1, body: .text(#"{"access_token": "a"}"#))))
        )
        #expect(captured.whyMissing(.refreshToken).why.text == "the provider issued no refresh token")
    }

    @Test func `a change sets, adds, removes or turns round`() {
        var fields = [Field("a", "1"), Field("b", "2")]
        fields.apply(.set("a", "3")) { CapturedValues().text($0) }
        fields.apply(.add("a", "4")) { CapturedValues().text($0) }
        fields.apply(.set("c", .captured(.idToken))) { CapturedValues().text($0) }
        #expect(fields == [Field("a", "3"), Field("b", "2"), Field("a", "4")])
        fields.apply(.reverse) { CapturedValues().text($0) }
        #expect(fields.map(\.value) == ["4", "2", "3"])
        fields.apply(.remove("a")) { CapturedValues().text($0) }
        #expect(fields == [Field("b", "2")])
    }
}
