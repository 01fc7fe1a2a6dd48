import LoopbackServer
import SignIn
import Testing
import Transport

/// A session that was saved takes the place of the password.
@Suite(.timeLimit(.minutes(5))) struct SavedSessionTests {
    private static let redirectURI = "https://rp.example/cb"

    /// Asks who is there unless the cookie of a session is sent.
    private static func provider(_ page: String) -> @Sendable (LoopbackRequest) -> LoopbackReply {
        { request in
            let cookie = request.header("Cookie") ?? ""
            switch request.path {
            case "/authorize" where cookie.contains("sid=canary-session"): return .redirect(redirectURI + "?code=1")
            case "/authorize": return .redirect("/login")
            case "/login" where request.method == "POST":
                return .redirect(
                    "/authorize",
                    headers: [
                        ("Set-Cookie", "sid=canary-session; Path=/; Max-Age=600"), ("Set-Cookie", "gone=1; Max-Age=0"),
                    ]
                )
            default: return .page(page)
            }
        }
    }

    private static let form = "<form method=post><input name=username><input type=password name=password></form>"

    private static func session(_ saved: SavedSession? = nil) -> SignInSession {
        var instructions = SignInInstructions(
            username: "alice",
            password: Credential(saved == nil ? "s3cret&word" : "")
        )
        instructions.session = saved
        return SignInSession(
            client: HTTPClient(
                configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
            ),
            instructions: instructions,
            redirectURI: redirectURI
        )
    }

    @Test func `the cookies of a sign-in sign in again, without a form`() async throws {
        let server = LoopbackServer(replies: Self.provider(Self.form))
        let first = Self.session()
        let (outcome, _) = await first.open(server.url + "/authorize")
        #expect(outcome == .arrived(at: Self.redirectURI + "?code=1", formPost: nil))
        let saved = await first.session(at: server.url, now: WallClock.now)
        #expect(saved.count == 1)
        #expect(saved.secrets == ["canary-session"])
        #expect((590.0...600.0).contains((saved.firstEnd ?? 0) - saved.savedAt))
        let read = try #require(SavedSession(decoding: saved.encoded()))
        #expect(read.issuer == server.url)
        #expect(read.encoded() == saved.encoded())
        let (again, visits) = await Self.session(read).open(server.url + "/authorize")
        #expect(again == outcome)
        #expect(visits.count == 1)
        #expect(!"\(visits.map(\.exchange))".contains("canary-session"))
    }

    struct Page: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var html: String
    }

    static let pages = [
        Page(testDescription: "name and password", html: form),
        Page(
            testDescription: "the name first",
            html: "<form method=post><input name=username><button>Next</button></form>"
        ),
        Page(testDescription: "a passkey", html: "<title>Sign in</title><p>Hold your security key.</p>"),
        Page(
            testDescription: "a one-time code",
            html: "<form method=post><input name=code autocomplete=one-time-code></form>"
        ),
    ]

    @Test(arguments: pages)
    func `a page that asks who is there says that the session has ended`(page: Page) async throws {
        let server = LoopbackServer(replies: Self.provider(page.html))
        let text =
            #"{"issuer":"i","savedAt":1,"cookies":[{"name":"sid","value":"old","domain":"127.0.0.1","#
            + #""hostOnly":true,"path":"/","secure":false,"expires":2}]}"#
        let saved = try #require(SavedSession(decoding: Array(text.utf8)))
        let (outcome, visits) = await Self.session(saved).open(server.url + "/authorize")
        guard case .stopped(.sessionEnded, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(visits.allSatisfy { $0.exchange.request.method == "GET" })
        #expect(server.requests.allSatisfy { $0.header("Cookie") == nil }, "an expired cookie is not sent")
    }

    @Test(
        arguments: [
            "", "{}", #"{"issuer":"i","savedAt":1,"cookies":[{"name":"a"}]}"#,
            #"{"issuer":1,"savedAt":1,"cookies":[]}"#,
        ]
    )
    func `another JSON is no session`(text: String) {
        #expect(SavedSession(decoding: Array(text.utf8)) == nil)
    }
}
