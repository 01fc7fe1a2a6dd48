import Conformance
import Testing

@testable import ReferenceProvider

@Suite("Authorization endpoint", .timeLimit(.minutes(5)))
struct AuthorizationTests {
    /// One change of a valid request and the expected error; `nil` if there is none.
    struct Row: Sendable, CustomStringConvertible {
        var type: ResponseType = "code"
        var changes: [(String, String?)]
        var error: String?
        var inFragment = false
        var description: String { "\(type) \(changes.map { "\($0.0)=\($0.1 ?? "–")" })" }
    }

    static let rows: [Row] = [
        Row(changes: [("response_type", nil)], error: "invalid_request"),
        Row(changes: [("response_type", "")], error: "invalid_request"),
        Row(changes: [("response_type", "nothing")], error: "unsupported_response_type"),
        Row(changes: [("response_type", "token")], error: "unsupported_response_type", inFragment: true),
        Row(changes: [("scope", nil)], error: "invalid_scope"),
        Row(type: "id_token", changes: [("scope", "email")], error: "invalid_scope", inFragment: true),
        Row(type: "id_token", changes: [("nonce", nil)], error: "invalid_request", inFragment: true),
        Row(type: "code id_token", changes: [("nonce", nil)], error: "invalid_request", inFragment: true),
        Row(changes: [("nonce", nil)], error: nil),
        Row(changes: [("prompt", "none")], error: "login_required"),
        Row(type: "id_token", changes: [("prompt", "none")], error: "login_required", inFragment: true),
        Row(changes: [("prompt", "none login")], error: "invalid_request"),
        Row(changes: [("max_age", "soon")], error: "invalid_request"),
        Row(changes: [("request", "eyJ")], error: "invalid_request_object"),
        Row(changes: [("request_uri", "https://a.example/")], error: "request_uri_not_supported"),
        Row(changes: [("registration", "{}")], error: "registration_not_supported"),
        Row(changes: [("response_mode", "fragment")], error: nil, inFragment: true),
        Row(type: "id_token", changes: [("response_mode", "query")], error: "invalid_request", inFragment: true),
        Row(changes: [("response_mode", "web_message")], error: "invalid_request"),
        Row(changes: [("unknown", "1")], error: nil),
        Row(changes: [("code_challenge", "short"), ("code_challenge_method", "S256")], error: "invalid_request"),
        Row(changes: [("code_challenge", FlowTests.challenge)], error: "invalid_request"),
        Row(changes: [("code_challenge_method", "S256")], error: "invalid_request"),
        Row(changes: [("client_id", "preflight-public")], error: "invalid_request"),
        Row(
            type: "id_token",
            changes: [("client_id", "preflight-public")],
            error: "unauthorized_client",
            inFragment: true
        ),
    ]

    @Test("An invalid request is rejected as specified, with state and issuer", arguments: rows)
    func errors(_ row: Row) throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        var fields = browser.parameters(row.type)
        for (name, value) in row.changes {
            fields.removeAll { $0.name == name }
            if let value { fields.append(Field(name, value)) }
        }
        let response = try browser.response(fields)
        #expect(response["error"] == row.error)
        #expect(response.inFragment == row.inFragment)
        #expect(response["state"] == "the state")
        #expect(response["iss"] == provider.issuer)
        #expect(response.names.isDisjoint(with: row.error == nil ? [] : ["code", "id_token", "access_token"]))
    }

    @Test("A repeated parameter is rejected (RFC 6749 section 3.1)")
    func repeated() throws {
        var browser = MemoryBrowser(try makeProvider())
        let response = try browser.response(browser.parameters("code") + [Field("scope", "openid")])
        #expect(response["error"] == "invalid_request")
    }

    @Test(
        "An unregistered client or redirect URI gets a page, not a redirect",
        arguments: [
            ("client_id", "somebody"), ("client_id", ""), ("redirect_uri", "https://unregistered.invalid/callback"),
            ("redirect_uri", RegisteredClient.redirectURI + "/"), ("redirect_uri", ""),
        ]
    )
    func noRedirect(_ name: String, _ value: String) throws {
        var browser = MemoryBrowser(try makeProvider())
        var fields = browser.parameters("code")
        fields.removeAll { $0.name == name }
        let answer = try browser.authorize(fields + [Field(name, value)])
        #expect(answer.status == 400)
        #expect(answer.header("Location") == nil)
        #expect(answer.text.contains("role=\"alert\""))
    }

    @Test("The request may be sent by POST")
    func post() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let form = FormEncoding.encode(browser.parameters("code"))
        let answer = browser.send("POST", provider.address(.authorization), form)
        #expect(answer.header("Location")?.hasPrefix(provider.address(.signIn)) == true)
    }

    @Test("A session is reused, and prompt and max_age require a new sign-in")
    func session() throws {
        let clock = TestClock(1_800_000_000)
        var browser = MemoryBrowser(try makeProvider(clock: clock))
        #expect(try browser.response(browser.parameters("code"))["code"] != nil)
        #expect(browser.pages.count == 2)
        #expect(try browser.response(browser.parameters("code", ["prompt": "none"]))["code"] != nil)
        #expect(browser.pages.count == 2)
        let more = browser.parameters("code", ["prompt": "none", "scope": "openid profile email offline_access"])
        #expect(try browser.response(more)["code"] != nil)
        #expect(try browser.response(browser.parameters("code", ["prompt": "consent"]))["code"] != nil)
        #expect(browser.pages.count == 3)
        clock.advance(100)
        let old = browser.parameters("code", ["prompt": "none", "max_age": "50"])
        #expect(try browser.response(old)["error"] == "login_required")
        #expect(try browser.response(browser.parameters("code", ["prompt": "login"]))["code"] != nil)
        #expect(browser.pages.count == 5)
    }

    @Test("The client gets access_denied if the user denies access")
    func deny() throws {
        var browser = MemoryBrowser(try makeProvider())
        browser.consentAnswer = "deny"
        let response = try browser.response(browser.parameters("id_token token"))
        #expect(response["error"] == "access_denied")
        #expect(response.inFragment)
    }

    @Test("A wrong password shows the form again with a message")
    func wrongPassword() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let query = FormEncoding.encode(browser.parameters("code", ["login_hint": "alice\"<"]))
        let first = browser.send("GET", provider.address(.authorization) + "?" + query)
        let page = browser.send("GET", try #require(first.header("Location")))
        #expect(page.text.contains("value=\"alice&quot;&lt;\""))
        let form = try #require(HTMLForm(page.text))
        let wrong = FormEncoding.encode(form.filled(["username": "alice", "password": "wrong"]))
        let again = browser.send("POST", form.action, wrong)
        #expect(again.status == 200)
        #expect(again.text.contains("User name or password is wrong."))
        #expect(HTMLForm(again.text)?.names.contains("password") == true)
    }

    @Test("A form sent from another site, or by another browser, is rejected")
    func forgery() throws {
        let provider = try makeProvider()
        var browser = MemoryBrowser(provider)
        let query = FormEncoding.encode(browser.parameters("code"))
        let first = browser.send("GET", provider.address(.authorization) + "?" + query)
        let location = try #require(first.header("Location"))
        let form = try #require(HTMLForm(browser.send("GET", location).text))
        var fields = form.filled(["username": "alice", "password": Account.alice.password.reveal()])
        var other = MemoryBrowser(provider)
        #expect(other.send("POST", form.action, FormEncoding.encode(fields)).status == 400)
        fields.removeAll { $0.name == "token" }
        #expect(browser.send("POST", form.action, FormEncoding.encode(fields)).status == 403)
    }
}
