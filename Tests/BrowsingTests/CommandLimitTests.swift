import JSONTree
import LoopbackServer
import SignIn
import TestSupport
import Testing
import Transport

@testable import Browsing

/// The time limits of a browser's commands, with a browser that does not respond.
@Suite("Time limits in the browser", .timeLimit(.minutes(5)))
struct CommandLimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var own: Double
        var left: Double?
        /// `nil` for a run that is over.
        var seconds: Double?
        var testDescription: String { "\(own) s, \(left.map { "\($0) s left" } ?? "no limit")" }
    }

    @Test(
        "a command may take its own limit, or what is left of the run",
        arguments: [
            Case(own: 60, left: nil, seconds: 60), Case(own: 60, left: 200, seconds: 60),
            Case(own: 60, left: 12.5, seconds: 12.5), Case(own: 60, left: 0, seconds: nil),
        ]
    )
    func smaller(example: Case) {
        let limit = CommandLimit(own: example.own) { example.left }
        let seconds = try? limit.seconds()
        #expect(seconds == example.seconds)
    }

    @Test("a driver that does not respond gets no other command")
    func silentDriver() async throws {
        let server = LoopbackServer { $0.waitForClose() }
        let driver = WebDriver(port: server.port, limit: CommandLimit(own: 0.2) { nil })
        defer { driver.close() }
        for _ in 0..<3 {
            let failure = await #expect(throws: BrowserFailure.self) { try await driver.command("GET", "/status") }
            #expect(failure?.description == "the browser did not respond within 1 s")
            #expect(failure?.mayHaveHappened == true)
        }
        #expect(server.connections == 1)
    }

    @Test("a driver gets no command when the run is over")
    func noCommand() async throws {
        let server = LoopbackServer { _ in .page("never") }
        let driver = WebDriver(port: server.port, limit: CommandLimit(own: 60) { 0 })
        defer { driver.close() }
        let failure = await #expect(throws: BrowserFailure.self) { try await driver.command("GET", "/status") }
        #expect(failure?.description == "the run's time limit was reached")
        #expect(server.connections == 0)
    }

    /// A window on a page that runs without end when its button is pressed: time passes up to the command's limit.
    private actor EndlessWindow: BrowserWindow {
        nonisolated let agent = "Endless/1"
        let frame = "frame"
        private let clock: TestClock
        private let limit: CommandLimit
        private(set) var presses: [Double] = []
        private(set) var isStopped = false

        init(_ clock: TestClock, _ limit: CommandLimit) {
            self.clock = clock
            self.limit = limit
        }

        func press(_ element: JSON) async throws(BrowserFailure) {
            let seconds = try limit.seconds()
            presses.append(seconds)
            clock.advance(seconds)
            throw CommandLimit.passed(seconds)
        }

        func run(_ script: String, _ arguments: [JSON]) async throws(BrowserFailure) -> JSON {
            guard script == PageScript.look else { return .null }
            let page = """
                <form method=post action=/login><input name=username data-preflight-element=0>
                <input type=password name=password data-preflight-element=1><button data-preflight-element=2>Sign in</button></form>
                """
            let elements = (0..<3)
                .map { JSON.object(JSONObject([.init(name: ElementReference.key, value: .integer($0))])) }
            return [.string(page), "https://op.example/authorize?state=s", "complete", .array(elements)]
        }

        func stop() async { isStopped = true }

        func begin(with cookies: [BrowserCookie]) async throws(BrowserFailure) {}
        func cookies() async throws(BrowserFailure) -> [BrowserCookie] { [] }
        func apply(_ formGuard: FormGuard?) async throws(BrowserFailure) {}
        func withheld() async -> String? { nil }
        func open(_ url: String) async throws(BrowserFailure) {}
        func readLog(into network: inout NetworkLog) async throws(BrowserFailure) {}
        func type(_ text: String, into element: JSON) async throws(BrowserFailure) {}
        func pressEnter(in element: JSON) async throws(BrowserFailure) {}
        func body(of request: String) async -> String? { nil }
        func screenshot() async throws(BrowserFailure) -> String { "" }
        func addScript(_ script: String) async throws(BrowserFailure) {}
        func console() async throws(BrowserFailure) -> [String] { [] }
        func take(_ passkey: BrowserPasskey, count: UInt32) async throws(BrowserFailure) {}
        func passkeyCount() async -> UInt32? { nil }
    }

    @Test("the time limit of the run stops the browser, and is reported as the reason")
    func endOfRun() async throws {
        let clock = TestClock()
        let origins: Set<String> = ["https://op.example"]
        let client = HTTPClient(
            configuration: TransportConfiguration(limits: RunLimits(seconds: 45)),
            over: .inMemory(origins) { _ in
                HTTPResponse(
                    status: 200,
                    headers: [HTTPField(name: "Content-Type", value: "text/html")],
                    body: Array("<p>One moment</p><script>0</script>".utf8)
                )
            },
            clock: clock.clock
        )
        let options = BrowserOptions(pageTimeout: 60, secondsLeft: { client.secondsLeft })
        let window = EndlessWindow(clock, CommandLimit(options))
        let browsers = Browsers(options) { bounds in BrowserSession(window, bounds, nil) }
        let session = SignInSession(
            client: client,
            instructions: SignInInstructions(
                username: "alice",
                password: Credential("s3cret&word"),
                driving: SharedSignInDriver(.browser, browsers: browsers)
            ),
            redirectURI: "https://rp.example/cb"
        )
        let (outcome, _) = await session.open("https://op.example/authorize?state=s")
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.cause == .limitReached(.seconds(45)))
        #expect(client.limitsReached == [.seconds(45)])
        // Pressed again, the password could be sent twice.
        #expect(await window.presses == [45])
        #expect(await window.isStopped)
    }
}
