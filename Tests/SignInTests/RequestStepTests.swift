import JSONTree
import LoopbackServer
import SignIn
import Testing
import Transport

/// Sign-in at pages that are applications in JavaScript, by the requests that a configured step sends.
@Suite(.timeLimit(.minutes(5))) struct RequestStepTests {
    private static let redirectURI = "https://rp.example/cb"
    private static let response = redirectURI + "?code=c1&state=s"
    private static let password = "s3cret&w\"rd"

    private func session(_ steps: [RequestStep], hosts: [String] = [], resolve: [HostOverride] = []) -> SignInSession {
        let configuration = TransportConfiguration(
            totalTimeout: 10,
            resolve: resolve,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1", "idp.example"])
        )
        return SignInSession(
            client: HTTPClient(configuration: configuration),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential(Self.password),
                steps: steps.map { .requests($0) },
                hosts: hosts
            ),
            redirectURI: Self.redirectURI
        )
    }

    private static func json(_ body: String, status: Int = 200, _ headers: [(String, String)] = []) -> LoopbackReply {
        LoopbackReply(status, [("Content-Type", "application/json")] + headers, body: Array(body.utf8))
    }

    private static func credentials() throws -> RequestStep.Body {
        .json(
            .object([
                .init(name: "username", value: .text(try Template("{username}"))),
                .init(name: "password", value: .text(try Template("{password}"))),
                .init(name: "remember", value: .literal(false)),
            ])
        )
    }

    private static func step(
        _ url: String = "/api/auth/",
        expected: [Int] = [],
        next: RequestStep.Next = .retry
    ) throws -> RequestStep {
        RequestStep(
            page: .init(path: "/login.html"),
            requests: [.init(method: "POST", url: try Template(url), body: try credentials(), expected: expected)],
            next: next
        )
    }

    /// A provider like Glewlwyd: the page's script posts the credentials, grants the scopes, and goes where it came from.
    private static func glewlwyd(_ request: LoopbackRequest) -> LoopbackReply {
        let cookie = request.header("Cookie") ?? ""
        switch (request.method, request.path) {
        case ("GET", "/auth") where request.target.hasSuffix("&g_continue") && cookie == "SID=s-granted":
            return .redirect(response)
        case ("GET", "/auth"):
            return .redirect(
                "/login.html?client_id=a%2Fb&scope=openid+email&callback_url=http%3A%2F%2F\(request.header("Host") ?? "")%2Fauth%3Fstate%3Ds"
            )
        case ("GET", "/login.html"): return .page(Pages.scriptOnly)
        case ("POST", "/api/auth/"):
            let wanted = #"{"username":"alice","password":"s3cret&w\"rd","remember":false}"#
            guard request.body == wanted, request.header("Content-Type") == "application/json" else {
                return json(#"{"error":"no such user"}"#, status: 401)
            }
            return json(#"{"session":"s-token-1"}"#, [("Set-Cookie", "SID=s-signed-in; Path=/")])
        case ("PUT", "/api/grant/a%2Fb/"):
            guard cookie == "SID=s-signed-in", request.body == #"{"scope":"openid email"}"# else {
                return json("{}", status: 403)
            }
            return json("", [("Set-Cookie", "SID=s-granted; Path=/")])
        default: return .page("unknown", status: 404)
        }
    }

    private static func glewlwydStep() throws -> RequestStep {
        var step = try step(next: .address(try Template("{query.callback_url}&g_continue")))
        step.page.query = ["callback_url"]
        let scope = JSONTemplate.text(try Template("{query.scope}"))
        step.requests.append(
            .init(
                method: "PUT",
                url: try Template("/api/grant/{query.client_id}/"),
                body: .json(.object([.init(name: "scope", value: scope)])),
                expected: [200]
            )
        )
        return step
    }

    private func reason(_ outcome: SignInOutcome) -> StopReason? {
        if case .stopped(let reason, _) = outcome { return reason }
        Issue.record("unexpected: \(outcome)")
        return nil
    }

    @Test func `the requests of a script lead to the redirect URI`() async throws {
        let server = LoopbackServer(replies: Self.glewlwyd)
        let (outcome, visits) = await session([try Self.glewlwydStep()]).open(server.url + "/auth?state=s")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        #expect(visits.map(\.cause) == [.opened, .redirect, .configuredStep, .configuredStep, .configuredStep])
        #expect(visits.flatMap(\.filled) == ["username", "password"])
        let post = try #require(server.requests.first { $0.method == "POST" })
        #expect(post.header("Origin") == server.url)
        #expect(post.header("Accept")?.hasPrefix("application/json") == true)
    }

    @Test func `no credential, cookie or session is in the record`() async throws {
        let server = LoopbackServer(replies: Self.glewlwyd)
        let (_, visits) = await session([try Self.glewlwydStep()]).open(server.url + "/auth?state=s")
        var dumped = ""
        for visit in visits {
            dump(visit.exchange.request, to: &dumped)
            dumped += visit.exchange.request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            dumped += visit.exchange.response.map { "\($0.headers)\($0.text)" } ?? ""
        }
        for secret in ["s3cret", "w\\\"rd", "alice", "s-signed-in", "s-granted", "s-token-1"] {
            #expect(!dumped.contains(secret), "\(secret)")
        }
        #expect(dumped.contains(#""password":"[redacted]""#))
    }

    @Test func `a refused request is reported with what was sent and what came`() async throws {
        let server = LoopbackServer { request in
            if request.method == "GET" { return .page(Pages.scriptOnly) }
            return Self.json(
                #"{"error":"\#(request.body.contains("s3cret") ? "s3cret&w\"rd is wrong" : "?")"}"#,
                status: 401
            )
        }
        let (outcome, visits) = await session([try Self.step(expected: [200, 204])])
            .open(server.url + "/login.html?x=1")
        let refusal = try #require(reason(outcome))
        let text = "\(refusal)"
        #expect(text.contains("POST \(server.url)/api/auth/"))
        #expect(text.contains("status 401; expected 200 or 204"))
        #expect(text.contains("is wrong"))
        #expect(!text.contains("s3cret"))
        #expect(visits.count == 2)
        guard case .stopped(_, .some(let page)) = outcome else { return }
        #expect(page.title == "Sign in to your account")
    }

    @Test(arguments: [RequestStep.Next.retry, .follow])
    func `a step goes on with the authorization request, or where the answer leads`(next: RequestStep.Next) async throws
    {
        let server = LoopbackServer { request in
            let isSignedIn = request.header("Cookie") == "SID=1"
            switch (request.method, request.path) {
            case ("GET", "/auth"): return .redirect(isSignedIn ? Self.response : "/login.html")
            case ("GET", "/login.html"): return .page(Pages.scriptOnly)
            case ("GET", "/back"): return .redirect("/auth?client_id=a")
            default:
                return .redirect(
                    "/back",
                    status: next == .follow ? 302 : 200,
                    headers: [("Set-Cookie", "SID=1; Path=/")]
                )
            }
        }
        let (outcome, _) = await session([try Self.step(next: next)]).open(server.url + "/auth?client_id=a")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        let last = try #require(server.requests.last)
        #expect(last.target == "/auth?client_id=a")
    }

    @Test func `values of a response are used in later requests, and are not recorded`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("GET", "/login.html"):
                return .page(Pages.scriptOnly, headers: [("Set-Cookie", "XSRF-TOKEN=x%2Fsrf-1; Path=/")])
            case ("GET", "/flow"): return Self.json(#"{"ui":{"nodes":[{"csrf":"csrf\r\nX-Evil: 1"}]}}"#)
            case ("POST", "/flow"):
                guard request.header("X-CSRF") == "csrfX-Evil: 1", request.header("X-Evil") == nil,
                    request.header("X-XSRF-TOKEN") == "x/srf-1",
                    request.body.hasPrefix("name=alice&pass=s3cret%26w%22rd")
                else { return Self.json("{}", status: 400) }
                return Self.json(#"{"sessionToken":"tok en+1"}"#)
            case ("GET", "/go") where request.target == "/go?sessionToken=tok%20en%2B1": return .redirect(Self.response)
            default: return .page("unknown", status: 404)
            }
        }
        let step = RequestStep(
            page: .init(path: "*/login.*"),
            requests: [
                .init(method: "GET", url: try Template("/flow")),
                .init(
                    method: "POST",
                    url: try Template("flow"),
                    headers: [
                        .init(name: "X-CSRF", template: try Template("{answer.ui.nodes.0.csrf}")),
                        .init(name: "X-XSRF-TOKEN", template: try Template("{cookie.XSRF-TOKEN}")),
                    ],
                    body: .form([
                        .init(name: "name", template: try Template("{username}")),
                        .init(name: "pass", template: try Template("{password}")),
                    ])
                ),
            ],
            next: .address(try Template("/go?sessionToken={answer.sessionToken}"))
        )
        let (outcome, visits) = await session([step]).open(server.url + "/login.html")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        var dumped = ""
        for visit in visits { dump(visit.exchange, to: &dumped) }
        for secret in ["csrfX", "srf-1", "tok%20", "tok en", "s3cret"] {
            #expect(!dumped.contains(secret), "\(secret)")
        }
        #expect(visits.last?.exchange.request.url == server.url + "/go?sessionToken=[redacted]")
    }

    @Test func `a value that is not there is named`() async throws {
        let server = LoopbackServer { _ in .page(Pages.scriptOnly) }
        let step = try Self.step("/api/{query.flow}")
        let (outcome, _) = await session([step]).open(server.url + "/login.html?Flow=1")
        #expect(reason(outcome) == .missingValue(placeholder: "{query.flow}"))
        #expect(server.requests.count == 1)
    }

    // MARK: Providers and pages that mean ill

    @Test(arguments: ["written", "by the page"])
    func `nothing is sent to a host that the provider did not lead to`(way: String) async throws {
        let thief = LoopbackServer { _ in Self.json("{}") }
        let server = LoopbackServer { _ in .page(Pages.scriptOnly) }
        let url = way == "written" ? thief.url + "/collect" : "{query.api}/collect"
        var bare = try Self.step(url)
        bare.requests[0].body = .none
        for step in [try Self.step(url), bare] {
            let (outcome, _) = await session([step])
                .open(server.url + "/login.html?api=\(PercentEncoding.encode(thief.url))")
            #expect(reason(outcome) == .requestToUnknownHost(host: "127.0.0.1:\(thief.port)"))
        }
        #expect(thief.connections == 0)
    }

    @Test func `a host that the configuration names is the provider's`() async throws {
        let api = LoopbackServer { _ in Self.json("{}") }
        let server = LoopbackServer { request in
            request.path == "/done" ? .redirect(Self.response) : .page(Pages.scriptOnly)
        }
        let step = try Self.step(api.url + "/session", next: .address(try Template("/done")))
        let session = session([step], hosts: ["127.0.0.1:\(api.port)"])
        let (outcome, _) = await session.open(server.url + "/login.html")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
        #expect(api.requests.first?.body.contains("s3cret") == true)
    }

    @Test(arguments: [301, 307, 308])
    func `a redirected request does not take the password along`(status: Int) async throws {
        let thief = LoopbackServer { _ in Self.json("{}") }
        let server = LoopbackServer { request in
            request.method == "GET" ? .page(Pages.scriptOnly) : .redirect(thief.url + "/collect", status: status)
        }
        let (outcome, _) = await session([try Self.step()]).open(server.url + "/login.html")
        guard case .requestRefused(_, status, _, _)? = reason(outcome) else { return }
        #expect(thief.connections == 0)
        let (followed, _) = await session([try Self.step(next: .follow)]).open(server.url + "/login.html")
        guard case .stopped(.notHTML, _) = followed else {
            Issue.record("unexpected: \(followed)")
            return
        }
        #expect(thief.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
    }

    @Test func `the password does not cross the network in the clear`() async throws {
        let server = LoopbackServer { _ in .page(Pages.scriptOnly) }
        let override = HostOverride(host: "idp.example", port: server.port, address: "127.0.0.1")
        let session = session([try Self.step()], resolve: [override])
        let (outcome, _) = await session.open("http://idp.example:\(server.port)/login.html")
        #expect(reason(outcome) == .passwordOverPlainHTTP(host: "idp.example:\(server.port)"))
        #expect(server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func `a page that comes back gets its requests once`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("GET", "/login.html"): .page(Pages.scriptOnly)
            case ("GET", _): .redirect("/login.html?again")
            default: Self.json("{}")
            }
        }
        let (outcome, _) = await session([try Self.step()]).open(server.url + "/auth")
        #expect(reason(outcome) == .samePageAgain)
        #expect(server.requests.filter { $0.method == "POST" }.count == 1)
        #expect(server.requests.count == 5)
    }

    @Test func `two steps for one page run one after the other`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path, request.header("Cookie")) {
            case ("GET", "/auth", "n=2"): .redirect(Self.response)
            case ("GET", "/auth", _): .redirect("/login.html")
            case ("GET", _, _): .page(Pages.scriptOnly)
            case (_, "/two", "n=1"): Self.json("{}", [("Set-Cookie", "n=2; Path=/")])
            case (_, "/one", _): Self.json("{}", [("Set-Cookie", "n=1; Path=/")])
            default: .page("unexpected", status: 404)
            }
        }
        let (outcome, _) = await session([try Self.step("/one"), try Self.step("/two")]).open(server.url + "/auth")
        #expect(outcome == .arrived(at: Self.response, formPost: nil))
    }

    @Test func `an error page is not signed in at`() async throws {
        let server = LoopbackServer { _ in .page(Pages.scriptOnly, status: 403) }
        let (outcome, _) = await session([try Self.step()]).open(server.url + "/login.html")
        #expect(reason(outcome) == .errorPage(status: 403))
        #expect(server.requests.count == 1)
    }

    @Test func `without a user no step runs`() async throws {
        let server = LoopbackServer(replies: Self.glewlwyd)
        let session = SignInSession(
            client: HTTPClient(
                configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
            ),
            instructions: nil,
            redirectURI: Self.redirectURI
        )
        let (outcome, _) = await session.open(server.url + "/auth")
        #expect(reason(outcome) == .noUsableForm(needsScript: true, emptyFields: nil))
    }

    @Test(arguments: [
        ("/login", "/login", true), ("/login", "/login/", false), ("/a*c", "/abc", true), ("/a*c", "/ac", true),
        ("/a*a", "/a", false), ("*", "/", true), ("*/x*y*", "/1/x2y3", true), ("*x*y", "/yx", false),
        ("/*/*", "/a", false),
    ])
    func `a star in a path matches any text`(pattern: String, path: String, matches: Bool) async throws {
        let server = LoopbackServer { _ in .page(Pages.scriptOnly) }
        var step = try Self.step("/{query.none}")
        step.page.path = pattern
        let (outcome, _) = await session([step]).open(server.url + path)
        let expected =
            matches
            ? StopReason.missingValue(placeholder: "{query.none}") : .noUsableForm(needsScript: true, emptyFields: nil)
        #expect(reason(outcome) == expected)
    }
}
