import Conformance
import JOSE
import JSONTree
import Testing

@testable import ReferenceProvider

@Suite("Flows", .timeLimit(.minutes(5)))
struct FlowTests {
    struct Row: Sendable, CustomStringConvertible {
        var persona: Persona
        var type: ResponseType
        var description: String { "\(persona): \(type)" }
        static let all = Persona.openID.filter { !$0.isDemanding }
            .flatMap { persona in
                persona.offer.responseTypes.map { Row(persona: persona, type: $0) }
            }
    }

    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test("Every response type of every persona returns its parameters in the right place", arguments: Row.all)
    func responseTypes(_ row: Row) throws {
        let provider = try makeProvider(row.persona)
        var browser = MemoryBrowser(provider)
        var changes: KeyValuePairs<String, String?> = [:]
        if row.persona == .publicClient {
            changes = [
                "client_id": "preflight-public", "code_challenge": Self.challenge, "code_challenge_method": "S256",
            ]
        }
        let response = try browser.response(browser.parameters(row.type, changes))
        var expected: Set<String> = ["state"]
        if row.type.hasCode { expected.insert("code") }
        if row.type.hasToken { expected.formUnion(["access_token", "token_type", "expires_in", "scope"]) }
        if row.type.hasIDToken { expected.insert("id_token") }
        if provider.offer.sendsIssuer { expected.insert("iss") }
        #expect(response.names == expected)
        #expect(response.inFragment == row.type.isFrontChannel)
        #expect(response.address == RegisteredClient.redirectURI)
        #expect(response["state"] == "the state")
        if provider.offer.sendsIssuer { #expect(response["iss"] == provider.issuer) }

        let algorithm = provider.offer.idTokenAlgorithm
        if row.type.hasIDToken {
            let token = try Decoded(response["id_token"])
            #expect(token.claims["nonce"]?.stringValue == "the-nonce")
            #expect((token.claims["at_hash"] != nil) == row.type.hasToken)
            #expect((token.claims["c_hash"] != nil) == row.type.hasCode)
            if let code = response["code"] {
                let hash = Hashes.leftmostHalfHash(of: code, algorithm: algorithm)
                #expect(token.claims["c_hash"]?.stringValue == hash)
            }
            let carriesClaims = row.type == "id_token" || !provider.offer.hasUserInfo
            #expect((token.claims["email_verified"]?.boolValue == true) == carriesClaims)
        }
        guard let code = response["code"] else { return }
        let isPublic = row.persona == .publicClient
        let answered =
            try isPublic
            ? browser.token(
                [
                    Field("grant_type", "authorization_code"), Field("code", code),
                    Field("redirect_uri", RegisteredClient.redirectURI), Field("client_id", "preflight-public"),
                    Field("code_verifier", Self.verifier),
                ],
                headers: []
            )
            : browser.token(
                [
                    Field("grant_type", "authorization_code"), Field("code", code),
                    Field("redirect_uri", RegisteredClient.redirectURI),
                ],
                headers: provider.offer.authenticationMethods.contains(.clientSecretBasic) ? [Self.basic()] : nil
            )
        #expect(answered.answer.status == 200)
        #expect(answered.answer.header("Cache-Control") == "no-store")
        let dialect = provider.offer.tokenDialect
        #expect(answered.body["token_type"]?.stringValue == dialect.tokenType)
        #expect(answered.body["expires_in"]?.integerValue == (dialect.statesLifetime ? 3_600 : nil))
        let token = try Decoded(answered.body["id_token"]?.stringValue)
        #expect(token.claims["iss"]?.stringValue == provider.issuer)
        #expect(token.claims["aud"]?.stringValue == (isPublic ? "preflight-public" : "preflight-client"))
        #expect((token.claims["sub"]?.stringValue == Account.alice.subject) == !row.persona.isPairwise)
        #expect(token.header["alg"]?.stringValue == algorithm.rawValue)
        let accessToken = try #require(answered.body["access_token"]?.stringValue)
        let hash = Hashes.leftmostHalfHash(of: accessToken, algorithm: algorithm)
        #expect(token.claims["at_hash"]?.stringValue == hash)
    }

    static func basic(_ secret: String? = RegisteredClient.confidential.secret?.reveal()) -> Field {
        Field("Authorization", "Basic " + Base64.encode(Array("preflight-client:\(secret ?? "")".utf8)))
    }

    @Test("UserInfo returns the claims of the granted scopes, by GET and POST")
    func userInfo() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        browser.account = .bob
        let parameters = browser.parameters("id_token token", ["scope": "openid email"])
        let token = try #require(try browser.response(parameters)["access_token"])
        let bearer = [Field("Authorization", "Bearer " + token)]
        let got = browser.send("GET", provider.address(.userInfo), headers: bearer)
        let claims = try JSONDocument.parse(got.body).root
        #expect(claims == ["sub": "248289761002", "email": "bob@example.com", "email_verified": false])
        let posted = browser.send("POST", provider.address(.userInfo), "access_token=" + token)
        #expect(posted.body == got.body)
    }

    @Test("UserInfo rejects a missing token, a bogus one, and two tokens")
    func userInfoRefuses() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let none = browser.send("GET", provider.address(.userInfo))
        #expect(none.status == 401)
        #expect(none.header("WWW-Authenticate") == "Bearer realm=\"https://provider.example\"")
        let bearer = [Field("Authorization", "bearer bogus")]
        let wrong = browser.send("GET", provider.address(.userInfo), headers: bearer)
        #expect(wrong.status == 401)
        #expect(wrong.header("WWW-Authenticate")?.hasSuffix("error=\"invalid_token\"") == true)
        let two = browser.send("POST", provider.address(.userInfo), "access_token=other", headers: bearer)
        #expect(two.status == 400)
    }

    @Test("A code works once, and its reuse revokes its tokens (RFC 6749 section 4.1.2)")
    func codeReuse() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let code = try #require(try browser.response(browser.parameters("code"))["code"])
        let first = try browser.redeem(code).body
        let bearer = [Field("Authorization", "Bearer " + (first["access_token"]?.stringValue ?? ""))]
        #expect(browser.send("GET", provider.address(.userInfo), headers: bearer).status == 200)
        #expect(try browser.redeem(code).body["error"]?.stringValue == "invalid_grant")
        #expect(browser.send("GET", provider.address(.userInfo), headers: bearer).status == 401)
        let refresh = [
            Field("grant_type", "refresh_token"),
            Field("refresh_token", first["refresh_token"]?.stringValue ?? ""),
        ]
        #expect(try browser.token(refresh).body["error"]?.stringValue == "invalid_grant")
    }

    @Test("A refresh returns new tokens for the same user without a nonce, and rotates the refresh token")
    func refresh() throws {
        var browser = MemoryBrowser(try makeProvider())
        let code = try #require(try browser.response(browser.parameters("code"))["code"])
        let first = try browser.redeem(code).body
        let refresh = [
            Field("grant_type", "refresh_token"),
            Field("refresh_token", first["refresh_token"]?.stringValue ?? ""),
        ]
        let second = try browser.token(refresh).body
        let before = try Decoded(first["id_token"]?.stringValue).claims
        let after = try Decoded(second["id_token"]?.stringValue).claims
        #expect(after["sub"] == before["sub"])
        #expect(after["auth_time"] == before["auth_time"])
        #expect(before["nonce"] != nil && after["nonce"] == nil)
        #expect(second["refresh_token"] != first["refresh_token"])
        #expect(try browser.token(refresh).body["error"]?.stringValue == "invalid_grant")
    }

    @Test("A code is valid for 60 seconds")
    func codeExpires() throws {
        let clock = TestClock(1_800_000_000)
        var browser = MemoryBrowser(try makeProvider(clock: clock))
        let late = try #require(try browser.response(browser.parameters("code"))["code"])
        clock.advance(61)
        #expect(try browser.redeem(late).body["error"]?.stringValue == "invalid_grant")
        let inTime = try #require(try browser.response(browser.parameters("code"))["code"])
        clock.advance(59)
        #expect(try browser.redeem(inTime).answer.status == 200)
    }
}
