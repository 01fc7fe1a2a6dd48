import LoopbackServer
import Testing
import Transport

@testable import SignIn

/// Responses of a provider that are meant to mislead or to exhaust the run.
@Suite(.timeLimit(.minutes(5))) struct HostileProviderTests {
    private static let redirectURI = "https://client.example.com/cb"

    private func session(redirectURI: String = Self.redirectURI) -> SignInSession {
        let configuration = TransportConfiguration(
            totalTimeout: 10,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1", "localhost"])
        )
        return SignInSession(
            client: HTTPClient(configuration: configuration),
            instructions: SignInInstructions(username: "alice", password: Credential("s3cret&word")),
            redirectURI: redirectURI
        )
    }

    // MARK: The response at another address

    @Test(arguments: [
        "?code=c1&state=the-state-1", "#access_token=t&state=the-state-1", "#id_token=t&state=the-state-1",
        "?error=access_denied&state=the-state-1", "?response=jwt&state=the-state-1", "?state=the%2Dstate-1&code=%63",
    ])
    func `a response at another address ends the way and is not fetched`(parameters: String) async throws {
        let stranger = LoopbackServer { _ in .page("a code, thank you") }
        let elsewhere = stranger.url.replacing("127.0.0.1", with: "localhost")
        let server = LoopbackServer { _ in .redirect(elsewhere + "/cb" + parameters) }
        let (outcome, visits) = await session().open(server.url + "/authorize?state=the-state-1")
        guard case .stopped(.otherRedirectURI(let location), _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(stranger.connections == 0)
        #expect(visits.count == 1)
        #expect(location.hasPrefix(elsewhere + "/cb") && !location.contains("c1"))
    }

    @Test func `a state that was pushed is known as well`() async {
        let stranger = LoopbackServer { _ in .page("a code, thank you") }
        let elsewhere = stranger.url.replacing("127.0.0.1", with: "localhost")
        let server = LoopbackServer { _ in .redirect(elsewhere + "/cb?code=c1&state=the-state-1") }
        let (outcome, _) = await session()
            .open(
                HTTPRequest(url: server.url + "/authorize?request_uri=urn:x"),
                redirectURI: Self.redirectURI,
                others: [],
                purpose: .signIn,
                state: "the-state-1"
            )
        guard case .stopped(.otherRedirectURI, _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(stranger.connections == 0)
    }

    @Test func `a form that posts the response to another host is where the way ends`() async throws {
        let stranger = LoopbackServer { _ in .page("a code, thank you") }
        let elsewhere = stranger.url.replacing("127.0.0.1", with: "localhost") + "/cb"
        let server = LoopbackServer { _ in
            .page(
                "<body onload='document.forms[0].submit()'><form method=post action='\(elsewhere)'>"
                    + "<input type=hidden name=code value=c1><input type=hidden name=state value=the-state-1></form>"
            )
        }
        let (outcome, _) = await session().open(server.url + "/authorize?state=the-state-1")
        guard case .arrived(at: elsewhere, formPost: let form) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(form?.parameters["code"] == "c1")
        #expect(stranger.connections == 0)
    }

    /// The provider's own hosts, another provider that it signs users in with, and a state of its own.
    @Test(arguments: ["?code=c1&state=its-own-state", "?state=the-state-1", "?code=c1&state="])
    func `a page that is not the response is followed`(parameters: String) async {
        let other = LoopbackServer { _ in .redirect(Self.redirectURI + "?code=c2&state=the-state-1") }
        let elsewhere = other.url.replacing("127.0.0.1", with: "localhost")
        let server = LoopbackServer { _ in .redirect(elsewhere + "/next" + parameters) }
        let (outcome, _) = await session().open(server.url + "/authorize?state=the-state-1")
        #expect(outcome == .arrived(at: Self.redirectURI + "?code=c2&state=the-state-1", formPost: nil))
    }

    @Test func `the provider may show an error at its own host`() async {
        let server = LoopbackServer { request in
            request.path == "/error"
                ? .page("no", status: 400) : .redirect("/error?error=invalid_request&state=the-state-1")
        }
        let (outcome, visits) = await session().open(server.url + "/authorize?state=the-state-1")
        #expect(visits.count == 2)
        guard case .stopped(.errorPage(status: 400), _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
    }

    // MARK: Cookies

    @Test func `a cookie is at most 4,096 bytes long`() throws {
        let url = try #require(WebURL("https://op.example/"))
        for (length, isKept) in [(4_096, true), (4_097, false)] {
            var jar = CookieJar()
            jar.store(setCookie: "a=" + String(repeating: "b", count: length - 1), from: url, now: 0)
            jar.store(setCookie: "p=1; Path=/" + String(repeating: "p", count: 1_024), from: url, now: 0)
            #expect(jar.count == (isKept ? 1 : 0), "\(length)")
        }
    }

    @Test func `a request carries at most 32 KiB of cookies`() throws {
        let url = try #require(WebURL("https://op.example/"))
        var jar = CookieJar()
        for number in 0..<400 {
            jar.store(setCookie: "c\(number)=" + String(repeating: "b", count: 4_000), from: url, now: 0)
        }
        let header = try #require(jar.header(for: url, now: 0))
        #expect(header.utf8.count <= 32_768)
        #expect(header.utf8.count > 28_000)
        #expect(jar.count == 300)
    }

    @Test func `the session hands over its cookies, and keeps them out of what it shows`() async {
        let server = LoopbackServer { request in
            request.path == "/authorize"
                ? .redirect("/next", headers: [("Set-Cookie", "sid=session-0123456789; Path=/")])
                : .redirect(Self.redirectURI + "?code=c")
        }
        let (_, visits) = await session().open(server.url + "/authorize?state=the-state-1")
        #expect(visits.map(\.cookieValues) == [["session-0123456789"], ["session-0123456789"]])
        #expect(!"\(visits.map(\.exchange))".contains("session-0123456789"))
    }

    // MARK: Pages

    @Test(arguments: [
        "<p a=1 b='2>3' c=\"4\">x</p><!-- <a --><script>if (a<b) { x = '>' }</script><style>a>b{}</style><input name=a>",
        "", "<", "plain", "a < b", "<!-- open", "<script>open", "<p a='open", "</p>", "<p/><br />", "<P A=1>é</P>",
    ])
    func `an ordinary page is read as it is`(page: String) {
        #expect(String(decoding: HTMLTrimming.trimmed(Array(page.utf8)), as: UTF8.self) == page)
    }

    @Test func `behind 200 attributes the tag ends, and the page goes on`() {
        let many = (0..<300).map { " a\($0)=1" }.joined()
        let trimmed = String(decoding: HTMLTrimming.trimmed(Array("<p\(many)>x<b>".utf8)), as: UTF8.self)
        #expect(trimmed.hasSuffix(" a199=1 >x<b>"), "\(trimmed.suffix(40))")
    }
}
