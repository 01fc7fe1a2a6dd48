import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import SignIn

/// Whole ways from the authorization endpoint to the redirect URI, against a scripted provider.
@Suite(.timeLimit(.minutes(5))) struct SignInSessionTests {
    private static let redirectURI = "https://rp.example/__/auth/handler"
    private static let response = redirectURI + "?code=c%2F1&state=s#frag=%7e"

    private func session(
        redirectURI: String = Self.redirectURI,
        steps: [SignInStep] = [],
        resolve: [HostOverride] = [],
        neverRecorded: Set<String> = [],
        clock: RunClock = .machine
    ) -> SignInSession {
        let configuration = TransportConfiguration(
            totalTimeout: 10,
            resolve: resolve,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1", "idp.example", "other.example"])
        )
        return SignInSession(
            client: HTTPClient(configuration: configuration, clock: clock),
            instructions: SignInInstructions(username: "alice", password: Credential("s3cret&word"), steps: steps),
            redirectURI: redirectURI,
            neverRecorded: neverRecorded
        )
    }

    /// A provider like Canaille: name, password, consent, each on a page of its own, linked by a cookie.
    private static func provider(_ request: LoopbackRequest) -> LoopbackReply {
        let cookie = request.header("Cookie") ?? ""
        let isPost = request.method == "POST"
        switch request.path {
        case "/authorize" where isPost:
            let accepts = request.body.hasSuffix("csrf_token=c3&answer=accept")
            return accepts ? .redirect(response) : .page("refused", status: 400)
        case "/authorize":
            guard cookie.contains("session=signed-in") else {
                return .redirect("/login", headers: [("Set-Cookie", "session=new")])
            }
            return .page(Pages.canailleConsent)
        case "/login" where isPost:
            guard request.body == "csrf_token=c%221&login=alice" else { return .page("wrong", status: 400) }
            return .redirect("/auth/password")
        case "/login": return .page(Pages.canailleLogin)
        case "/auth/password" where isPost:
            guard request.body.hasSuffix("&password=s3cret%26word"), cookie == "session=new" else {
                return .page(Pages.canaillePassword)
            }
            return .redirect("authorize-again", headers: [("Set-Cookie", "session=signed-in; Path=/; HttpOnly")])
        case "/auth/password": return .page(Pages.canaillePassword)
        case "/auth/authorize-again": return .redirect("/authorize")
        default: return .page("unknown", status: 404)
        }
    }

    @Test func `three pages lead to the redirect URI, which is not fetched`() async throws {
        let server = LoopbackServer(replies: Self.provider)
        let session = session()
        let (outcome, visits) = await session.open(server.url + "/authorize?client_id=x")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        #expect(
            visits.map(\.cause)
                == [.opened, .redirect, .userName, .redirect, .signIn, .redirect, .redirect, .consent]
        )
        #expect(visits.flatMap(\.filled) == ["login", "password"])
        #expect(visits.last?.pressed == "answer=accept")
        let origins = server.requests.filter { $0.method == "POST" }.map { $0.header("Origin") }
        #expect(origins == [server.url, server.url, server.url])
        #expect(server.requests[2].header("Referer") == server.url + "/login")

        let again = await session.open(server.url + "/authorize?client_id=y")
        #expect(again.0 == .arrived(at: Self.response, formPost: nil))
        #expect(again.1.map(\.cause) == [.opened, .consent])
    }

    @Test func `no password and no cookie is in the record`() async {
        let server = LoopbackServer(replies: Self.provider)
        let (_, visits) = await session(neverRecorded: ["login"]).open(server.url + "/authorize")
        var dumped = ""
        for visit in visits {
            dump(visit.exchange.request, to: &dumped)
            dumped += visit.exchange.request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            dumped += visit.exchange.response.map { "\($0.headers)\($0.text)" } ?? ""
        }
        for secret in ["s3cret", "signed-in", "=new", "login=alice"] { #expect(!dumped.contains(secret)) }
        #expect(dumped.contains("password=[redacted]"))
    }

    @Test func `a refused password is reported with the page's words`() async {
        let page = Pages.djangoLogin.replacing(
            "<p><label",
            with: "<ul class=errorlist><li>Please enter a correct username. s3cret&amp;word is none.</li></ul><p><label"
        )
        let server = LoopbackServer { request in .page(request.method == "POST" ? page : Pages.djangoLogin) }
        let (outcome, visits) = await session().open(server.url + "/o/authorize/?x=secret-state")
        guard case .stopped(.passwordRefused(let message, nil), let summary) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(message?.hasPrefix("Please enter a correct username.") == true)
        #expect(visits.count == 2)
        #expect(summary?.title == "Log in")
        #expect(visits.last?.exchange.response?.text.contains("s3cret") == false)
    }

    @Test func `a page of scripts stops with what it shows`() async {
        let server = LoopbackServer { _ in .page(Pages.scriptOnly) }
        let (outcome, _) = await session().open(server.url + "/authorize?client_id=abc&state=hidden-value")
        guard case .stopped(let reason, let summary) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(reason == .noUsableForm(needsScript: true, emptyFields: nil))
        #expect(summary?.title == "Sign in to your account")
        #expect(summary?.address == server.url + "/authorize?client_id=…&state=…")
        #expect(summary?.needsScript == true)
        #expect(server.requests.count == 1)
    }

    @Test func `a summary is bounded`() async {
        let html =
            "<title>" + String(repeating: "t", count: 100_000) + "</title>"
            + String(
                repeating: "<form>" + String(repeating: "<input name=\(String(repeating: "n", count: 500))>", count: 50)
                    + "</form>",
                count: 30
            )
            + String(repeating: "text ", count: 10_000)
        let server = LoopbackServer { _ in .page(html) }
        let (outcome, _) = await session().open(server.url)
        guard case .stopped(_, .some(let summary)) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(summary.title.count == 200)
        #expect(summary.textStart.count <= 400)
        #expect(summary.forms.count == 10)
        #expect(summary.forms.allSatisfy { $0.fields.count == 40 && $0.fields.allSatisfy { $0.name.count == 100 } })
    }

    @Test func `a form_post page is an arrival`() async {
        let server = LoopbackServer { _ in .page(Pages.formPost(action: Self.redirectURI)) }
        let (outcome, _) = await session().open(server.url)
        let form = ResponseForm(
            parameters: [("state", "s&t"), ("id_token", "a.b.c")],
            action: Self.redirectURI,
            method: "POST",
            encoding: "application/x-www-form-urlencoded",
            sendsItself: true
        )
        #expect(outcome == .arrived(at: Self.redirectURI, formPost: form))
    }

    @Test(arguments: [
        ("https://rp.example/cb", "https://rp.example/cb?code=1#x"),
        ("com.example.app:/cb", "com.example.app:/cb?code=1"),
        ("http://localhost:9/cb", "http://localhost:9/cb?error=a b"),
        ("https://rp.example/cb?k=v", "https://rp.example/cb?k=v&code=1"),
    ])
    func `the redirect URI is known by scheme, host, port and path`(uri: String, location: String) async {
        let server = LoopbackServer { _ in .redirect(location) }
        let (outcome, _) = await session(redirectURI: uri).open(server.url)
        #expect(outcome == .arrived(at: location, formPost: nil))
    }

    @Test(arguments: ["https://rp.example/cb/?code=1", "https://rp.example/CB", "https://rp.example/"])
    func `another place at the relying party is not fetched`(location: String) async {
        let server = LoopbackServer { _ in .redirect(location) }
        let (outcome, visits) = await session(redirectURI: "https://rp.example/cb").open(server.url)
        guard case .stopped(.otherRedirectURI, _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(visits.count == 1)
    }

    @Test func `a redirect loop ends`() async {
        let server = LoopbackServer { _ in .redirect("/again") }
        let (outcome, visits) = await session().open(server.url)
        guard case .stopped(.tooManyRedirects(limit: 20), let page) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        // The target is reported as a page that has nothing to show.
        #expect(page?.address == server.url + "/again" && page?.status == 302)
        #expect(visits.count == 21)
    }

    @Test func `pages without end are left`() async {
        let server = LoopbackServer { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return .page("<form method=post action='/\(number + 1)'><button name=go value=1>Continue</button></form>")
        }
        let (outcome, _) = await session().open(server.url + "/0")
        guard case .stopped(.tooManyPages(limit: 20), _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
    }

    @Test func `an error page is reported by its status`() async {
        let server = LoopbackServer { _ in
            .page("<p>invalid redirect_uri<form method=post><button>Continue</button></form>", status: 400)
        }
        let (outcome, _) = await session().open(server.url)
        guard case .stopped(.errorPage(status: 400), .some(let summary)) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(summary.textStart.contains("invalid redirect_uri"))
    }

    @Test func `refreshes are followed, by header and by page`() async {
        let server = LoopbackServer { request in
            switch request.path {
            case "/": .page("<p>wait", headers: [("Refresh", "0; url=/second")])
            case "/second": .page("<meta http-equiv=refresh content='1;url=/third'><p>wait")
            default: .redirect(Self.response)
            }
        }
        let (outcome, visits) = await session().open(server.url + "/")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        #expect(visits.map(\.cause) == [.opened, .refresh, .refresh])
    }

    @Test func `a redirect that keeps the method keeps the body`() async {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("GET", "/"): .page(Pages.djangoLogin)
            case ("POST", "/"): .redirect("/moved", status: 307)
            case ("POST", "/moved"):
                request.body.contains("password=s3cret%26word") ? .redirect(Self.response) : .page("no")
            default: .page("unexpected", status: 404)
            }
        }
        let (outcome, visits) = await session().open(server.url + "/")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        #expect(
            visits.last?.exchange.request.body.map { String(decoding: $0, as: UTF8.self).contains("s3cret") } == false
        )
    }

    @Test func `the password does not cross the network in the clear`() async {
        let server = LoopbackServer { _ in .page(Pages.djangoLogin) }
        let override = HostOverride(host: "idp.example", port: server.port, address: "127.0.0.1")
        let (outcome, _) = await session(resolve: [override]).open("http://idp.example:\(server.port)/")
        guard case .stopped(.passwordOverPlainHTTP(let host), _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(host == "idp.example:\(server.port)")
        #expect(server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test(
        arguments: [
            ("https://rp.example/callback", "https://op.example/authorize", true),
            ("https://app.corp.example/callback", "https://login.corp.example/authorize", false),
            ("http://app.corp.example/callback", "https://login.corp.example/authorize", true),
            ("https://10.0.0.1/callback", "https://10.0.0.2/authorize", true),
            ("https://127.0.0.1:1/callback", "https://127.0.0.1:2/authorize", false),
            // An app opens the browser, and no page leads there.
            ("com.example.app:/callback", "https://op.example/authorize", false),
        ]
    )
    func `a request comes from another site if a page of the client leads to it`(
        redirectURI: String,
        address: String,
        isOtherSite: Bool
    ) async throws {
        let client = HTTPClient(configuration: TransportConfiguration())
        defer { client.shutdown() }
        let session = SignInSession(client: client, instructions: nil, redirectURI: redirectURI)
        let url = try #require(WebURL(address))
        let opened = Hop(request: HTTPRequest(url: address), cause: .opened)
        #expect(await session.comesFromOtherSite(opened, url) == isOtherSite)
        let form = Hop(request: HTTPRequest(url: address), cause: .signIn)
        #expect(await session.comesFromOtherSite(form, url) == false)
    }

    @Test func `a form of an encrypted page does not take the password to plain http, not even on this machine`()
        async throws
    {
        let page = try #require(WebURL("https://127.0.0.1:1/sign-in"))
        var hop = Hop(request: HTTPRequest(url: "http://127.0.0.1:2/sign-in"), cause: .signIn)
        hop.carriesPassword = true
        hop.origin = page
        let journey = Journey(next: hop, hosts: ["127.0.0.1:2"], state: nil)
        let stopped = await session().refusal(of: hop, journey)
        #expect(stopped == .stopped(.passwordOverPlainHTTP(host: "127.0.0.1:2"), page: nil))
        hop.origin = WebURL("http://127.0.0.1:2/")
        #expect(await session().refusal(of: hop, journey) == nil)
    }

    @Test(arguments: ["action", "307"])
    func `the password does not go to a host that the provider did not lead to`(way: String) async {
        let thief = LoopbackServer { _ in .page("thanks") }
        let target = "http://127.0.0.1:\(thief.port)/"
        let server = LoopbackServer { request in
            if request.method == "POST" { return .redirect(target, status: 307) }
            return .page(
                way == "307"
                    ? Pages.djangoLogin : Pages.djangoLogin.replacing("<form ", with: "<form action='\(target)' ")
            )
        }
        let (outcome, _) = await session().open(server.url)
        guard case .stopped(.passwordToUnknownHost, _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(thief.connections == 0)
    }

    @Test func `a sign-in counts as the last one even if it does not end at the client`() async throws {
        let sent = Mutex(0)
        let server = LoopbackServer { request in
            guard request.method == "POST" else { return .page(Pages.djangoLogin) }
            let count = sent.withLock { count in
                count += 1
                return count
            }
            return count == 1 ? .redirect(Self.redirectURI + "?code=1") : .page("<title>Forbidden</title>", status: 403)
        }
        let now = Mutex(100.0)
        let clock = RunClock(now: { now.withLock { $0 } }, wait: { _ in })
        let session = session(clock: clock)
        _ = await session.open(server.url)
        #expect(await session.signedInAt == 100)
        now.withLock { $0 = 200 }
        _ = await session.open(server.url)
        #expect(await session.signedInAt == 200)
    }

    @Test func `a failed exchange ends the way`() async {
        let server = LoopbackServer { _ in }
        server.stop()
        let (outcome, visits) = await session().open(server.url)
        guard case .failed(let failure) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(failure.cause == .refused)
        #expect(visits.count == 1)
    }

    @Test func `an answer that is no page is named`() async {
        let server = LoopbackServer { _ in
            LoopbackReply(200, [("Content-Type", "application/json")], body: Array("{}".utf8))
        }
        let (outcome, _) = await session().open(server.url)
        guard case .stopped(.notHTML(mediaType: "application/json"), _) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
    }
}
