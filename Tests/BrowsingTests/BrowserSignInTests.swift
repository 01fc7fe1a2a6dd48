import Browsing
import LoopbackServer
import SignIn
import TestSupport
import Testing
import Transport

/// Sign-ins on scripted pages in a browser, up to the redirect URI.
@Suite(
    "Signing in with a browser",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct BrowserSignInTests {
    /// A relying party that must receive no request, and the provider that redirects to it.
    struct BrowserSignIn {
        var outcome: SignInOutcome
        var visits: [Visit]
        var provider: LoopbackServer
        var relyingParty: LoopbackServer
    }

    private static let password = "s3cret&word"

    private static func go(
        _ browser: BrowserKind,
        redirectURI: (LoopbackServer) -> String = { $0.url + "/cb" },
        timeout: Double = 15,
        steps: [SignInStep] = [],
        isNamed: Bool = false,
        provider: @escaping @Sendable (LoopbackRequest, String) -> LoopbackReply
    ) async throws -> BrowserSignIn {
        let relyingParty = LoopbackServer { _ in .page("never") }
        let uri = redirectURI(relyingParty)
        let server = LoopbackServer { provider($0, uri) }
        let programs = try #require(BrowserPrograms.installed(browser))
        // If the provider has a host name, it resolves to this machine.
        let port = WebURL(server.url)?.effectivePort ?? 0
        let resolve = isNamed ? [HostOverride(host: "op.example", port: port, address: "127.0.0.1")] : []
        let transport = TransportConfiguration(
            resolve: resolve,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1", "op.example"])
        )
        let browsers = Browsers(programs, BrowserOptions(pageTimeout: timeout, transport: transport))
        let session = SignInSession(
            client: HTTPClient(configuration: transport),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential(password),
                steps: steps,
                driving: SharedSignInDriver(.browser, browsers: browsers)
            ),
            redirectURI: uri
        )
        let (outcome, visits) = await session.open(
            (isNamed ? "http://op.example:\(port)" : server.url) + "/authorize?state=some-state"
        )
        await browsers.stop()
        return BrowserSignIn(outcome: outcome, visits: visits, provider: server, relyingParty: relyingParty)
    }

    /// The way in which a response reaches the redirect URI.
    enum Response: String, CaseIterable, CustomTestStringConvertible {
        case query, fragment, formPost, byScript

        var testDescription: String { rawValue }

        func reply(to uri: String) -> LoopbackReply {
            switch self {
            case .query: .redirect(uri + "?code=c%2F1&state=some-state")
            case .fragment: .redirect(uri + "#code=c%2F1&state=some-state")
            case .formPost:
                .page(
                    """
                    <form method=post action="\(uri)"><input type=hidden name=code value="c/1">
                    <input type=hidden name=state value=some-state></form><script>document.forms[0].submit()</script>
                    """
                )
            case .byScript: .page("<p>Working</p><script>location = '\(uri)?code=c%2F1&state=some-state'</script>")
            }
        }

        func outcome(at uri: String) -> SignInOutcome {
            switch self {
            case .query, .byScript: .arrived(at: uri + "?code=c%2F1&state=some-state", formPost: nil)
            case .fragment: .arrived(at: uri + "#code=c%2F1&state=some-state", formPost: nil)
            case .formPost:
                .arrived(
                    at: uri,
                    formPost: ResponseForm(
                        parameters: [("code", "c/1"), ("state", "some-state")],
                        action: uri,
                        method: "POST",
                        encoding: "application/x-www-form-urlencoded",
                        sendsItself: true
                    )
                )
            }
        }
    }

    private static let form = """
        <form method=post action=/login><input name=username value="ALICE"><input type=password name=password>
        <input name=trap style="display:none"><button>Sign in</button></form>
        """

    /// A response, to a redirect URI, in a browser.
    struct Catch: Sendable, CustomTestStringConvertible {
        var browser: BrowserKind
        var response: Response
        var redirectURI: String

        var testDescription: String { "\(browser.rawValue), \(response.rawValue), \(redirectURI)" }

        static let all = Installed.browsers.flatMap { browser in
            ["loopback", "https://project.firebaseapp.com/__/auth/handler", "com.example.app:/cb"]
                .flatMap { uri in
                    // For an app's redirect URI, the way of redirection matters, not the response.
                    (uri.hasPrefix("com.") ? [.query, .byScript] : Response.allCases)
                        .map { Catch(browser: browser, response: $0, redirectURI: uri) }
                }
        }
    }

    @Test("the response is intercepted, and the redirect URI is not loaded", arguments: Catch.all)
    func caught(_ wanted: Catch) async throws {
        let (redirectURI, response) = (wanted.redirectURI, wanted.response)
        let ended = try await Self.go(
            wanted.browser,
            redirectURI: { redirectURI == "loopback" ? $0.url + "/cb" : redirectURI },
            provider: { request, uri in
                switch (request.method, request.path) {
                case ("POST", "/login"):
                    request.body == "username=alice&password=s3cret%26word&trap="
                        ? response.reply(to: uri) : .page("wrong: \(request.body)", status: 400)
                default: .page(Self.form)
                }
            }
        )
        let uri = redirectURI == "loopback" ? ended.relyingParty.url + "/cb" : redirectURI
        #expect(ended.outcome == response.outcome(at: uri))
        #expect(ended.relyingParty.connections == 0)
        #expect(ended.visits.map(\.cause).prefix(3) == [.opened, .shown, .signIn])
        #expect(ended.visits.count(where: \.isSignIn) == 1)
        for visit in ended.visits {
            let body = String(decoding: visit.exchange.request.body ?? [], as: UTF8.self)
            #expect(!body.contains("s3cret"))
        }
    }

    @Test(
        "fields without names are filled, and buttons without forms are pressed, like a user does",
        arguments: Installed.browsers
    )
    func scripted(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser) { request, uri in
            switch (request.method, request.path) {
            case ("POST", "/api/login"):
                request.body == #"{"user":"alice","secret":"s3cret&word"}"#
                    ? LoopbackReply(200, [("Content-Type", "application/json")], body: Array("{}".utf8))
                    : .page("wrong", status: 401)
            case (_, "/done"): .redirect(uri + "?code=c&state=some-state")
            default:
                .page(
                    """
                    <title>App</title><div id=root></div><noscript>Enable JavaScript</noscript><script>
                    setTimeout(() => {
                      document.getElementById('root').innerHTML = '<label>User name <input id=user></label>'
                        + '<label>Password <input id=secret type=password></label><div role=button id=go>Sign in</div>';
                      document.getElementById('go').onclick = () => fetch('/api/login', { method: 'POST', body: JSON.stringify(
                        { user: document.getElementById('user').value, secret: document.getElementById('secret').value })
                      }).then(answer => { if (answer.ok) location = '/done'; });
                    }, 200)</script>
                    """
                )
            }
        }
        #expect(ended.outcome == .arrived(at: ended.relyingParty.url + "/cb?code=c&state=some-state", formPost: nil))
        #expect(
            !ended.visits.contains {
                String(decoding: $0.exchange.request.body ?? [], as: UTF8.self).contains("s3cret")
            }
        )
    }

    @Test("the browser waits on a page without a form until the step's condition is met", arguments: Installed.browsers)
    func waitsAtPage(browser: BrowserKind) async throws {
        // Longer than the time after which an unchanged page without a step is given up.
        let scripted = """
            <p>Your workspace is being made</p><div id=root></div><script>
            setTimeout(() => { document.getElementById('root').innerHTML = `\(Self.form)` }, 7000)</script>
            """
        let step = FormStep(page: .init(path: "/authorize"), waitFor: [.selector(try CSSSelector("#root > form"))])
        let ended = try await Self.go(browser, steps: [.form(step)]) { request, uri in
            request.method == "POST" ? .redirect(uri + "?code=c&state=some-state") : .page(scripted)
        }
        #expect(ended.outcome == .arrived(at: ended.relyingParty.url + "/cb?code=c&state=some-state", formPost: nil))
    }

    /// A page that moves the focus to the user name at the first or a later key of the password.
    struct Thief: Sendable, CustomTestStringConvertible {
        var browser: BrowserKind
        var key: Int
        var testDescription: String { "\(browser.rawValue), key \(key)" }

        static let all = Installed.browsers.flatMap { browser in [1, 3].map { Thief(browser: browser, key: $0) } }
    }

    @Test("a page that moves the focus during typing receives the right values", arguments: Thief.all)
    func focusMoves(thief: Thief) async throws {
        let script = """
            <script>let keys = 0
            document.querySelector('[type=password]').addEventListener('keydown', () => {
              if (++keys === \(thief.key)) document.querySelector('[name=username]').focus()
            })</script>
            """
        let ended = try await Self.go(thief.browser) { request, uri in
            guard request.method == "POST" else { return .page(Self.form + script) }
            return request.body == "username=alice&password=s3cret%26word&trap="
                ? .redirect(uri + "?code=c&state=some-state") : .page("wrong: \(request.body)", status: 400)
        }
        #expect(ended.outcome == .arrived(at: ended.relyingParty.url + "/cb?code=c&state=some-state", formPost: nil))
    }

    @Test("a host name resolves to the address that the run sets", arguments: Installed.browsers)
    func named(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser, isNamed: true) { request, uri in
            request.method == "POST" ? .redirect(uri + "?code=c&state=some-state") : .page(Self.form)
        }
        // With a host name a password is sent over TLS only, so the test checks only the page that was shown.
        #expect(ended.visits.contains { $0.cause == .shown && $0.exchange.response?.status == 200 }, "\(ended.outcome)")
        #expect(ended.provider.requests.contains { $0.header("Host")?.hasPrefix("op.example:") == true })
    }

    @Test("the account chooser is completed by the link with the user's name", arguments: Installed.browsers)
    func linkedAccount(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser) { request, uri in
            switch (request.method, request.path) {
            case ("POST", _): .redirect(uri + "?code=c&state=some-state")
            case (_, "/go") where request.target == "/go?as=alice&n=1": .page(Self.form)
            case (_, "/logout"): .page("You have left", status: 400)
            default:
                .page(
                    """
                    <h1>Choose an account</h1><ul><li><a href="/go?as=bob&amp;n=1">Bob (bob)</a></li>
                    <li><a href="/go?as=alice&amp;n=1"><b>Alice</b> <i>(alice)</i></a></li></ul>
                    <a href=/logout>Sign out everybody</a><script>0</script>
                    """
                )
            }
        }
        #expect(ended.outcome == .arrived(at: ended.relyingParty.url + "/cb?code=c&state=some-state", formPost: nil))
        #expect(ended.visits.contains { $0.cause == .account })
    }

    @Test("a rejected password is sent once", arguments: Installed.browsers)
    func refused(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser) { _, _ in .page("<p role=alert>That is wrong.</p>" + Self.form) }
        guard case .stopped(.passwordRefused(let message, _), _) = ended.outcome else {
            Issue.record("\(ended.outcome)")
            return
        }
        #expect(message == "That is wrong.")
        #expect(ended.provider.requests.count { $0.method == "POST" } == 1)
    }

    @Test("a page that never becomes idle is given up in time", arguments: Installed.browsers)
    func timeout(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser, timeout: 2) { _, _ in
            .page("<p>One moment</p><script>setInterval(() => document.body.append('.'), 20)</script>")
        }
        guard case .stopped(.browserFailed(let reason), _) = ended.outcome else {
            Issue.record("\(ended.outcome)")
            return
        }
        #expect(reason.contains("did not become stable within 2 s"), "\(reason)")
    }

    @Test("an endless sequence of pages is given up after twenty", arguments: Installed.browsers)
    func endless(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser) { request, _ in
            let next = (Int(request.path.dropFirst("/page/".count)) ?? 0) + 1
            return .page(
                "<form method=post action=/page/\(next)><button name=n value=\(next)>Continue</button></form>"
            )
        }
        guard case .stopped(.tooManyPages(limit: 20), _) = ended.outcome else {
            Issue.record("\(ended.outcome)")
            return
        }
        #expect(ended.provider.requests.count { $0.method == "POST" } == 20)
    }

    @Test("only the first part of a page of many megabytes is read", arguments: Installed.browsers)
    func hugePage(browser: BrowserKind) async throws {
        let ended = try await Self.go(browser) { request, uri in
            request.method == "POST"
                ? .redirect(uri + "?code=c&state=some-state")
                : .page(Self.form + "<p id=p></p><script>p.textContent = 'word '.repeat(4 << 20)</script>")
        }
        #expect(ended.outcome == .arrived(at: ended.relyingParty.url + "/cb?code=c&state=some-state", formPost: nil))
        let page = ended.visits.compactMap(\.page).first
        #expect(page.map { ($0.message ?? "").utf8.count < 5_000 } ?? true)
    }

    @Test("no browser starts if the redirect URI is on the provider's own origin")
    func samePlace() async throws {
        let server = LoopbackServer { _ in .page(Self.form) }
        let session = SignInSession(
            client: HTTPClient(
                configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
            ),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential(Self.password),
                driving: SharedSignInDriver(
                    .browser,
                    browsers: Browsers(try #require(Installed.programs), BrowserOptions())
                )
            ),
            redirectURI: server.url + "/cb"
        )
        let (outcome, _) = await session.open(server.url + "/authorize?state=some-state")
        guard case .stopped(.browserFailed(let reason), _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains("could not be stopped from loading it"))
        #expect(server.requests.map(\.method) == ["GET"])
    }
}

enum Installed {
    static let programs = BrowserPrograms.installed()
    static let anyBrowser = Oracle("a browser (Scripts/setup.sh browser)") { programs?.browser }
    /// The browsers that can be driven; another test is skipped or fails for each of the others.
    static let browsers = BrowserKind.allCases.filter { BrowserPrograms.installed($0) != nil }

    static func oracle(_ kind: BrowserKind) -> Oracle {
        Oracle("\(kind.rawValue) (Scripts/setup.sh browser)") { BrowserPrograms.installed(kind)?.browser }
    }
}
