import LoopbackServer
import TestSupport
import Testing

@testable import Transport

/// The budget of a client, and the requests that it sends within it.
@Suite(.timeLimit(.minutes(5))) struct RunBudgetTests {
    /// Returns five bytes, or times out.
    private struct ScriptedSender: HTTPSending {
        /// By the request's URL.
        let isAnswered: @Sendable (String) -> Bool

        var leavesProcess: Bool { false }

        func send(_ request: HTTPRequest) async -> HTTPExchange {
            if isAnswered(request.url) {
                return HTTPExchange(
                    request: request,
                    response: HTTPResponse(status: 200, body: Array("hello".utf8))
                )
            }
            let failure = TransportFailure(step: .waiting, host: "op.example", cause: .timedOut(seconds: 30))
            return HTTPExchange(request: request, failure: failure)
        }

        func shutDown() {}
    }

    private static let issuer = "https://op.example"

    /// A client of a provider that responds only to requests whose URLs end in `ok`.
    private static func client(_ limits: RunLimits?, clock: RunClock = .machine) -> HTTPClient {
        let way = HTTPSenderFactory { _ in ScriptedSender { $0.hasSuffix("ok") } }
        return HTTPClient(configuration: TransportConfiguration(limits: limits), over: way, clock: clock)
    }

    private static func limit(_ exchange: HTTPExchange) -> LimitReached? {
        if case .limitReached(let limit)? = exchange.failure?.cause { limit } else { nil }
    }

    @Test func `an endpoint that times out twice in a row is asked no third time, and others are`() async {
        let client = Self.client(RunLimits())
        _ = await client.get(Self.issuer + "/ok")
        for number in 1...2 {
            let exchange = await client.get(Self.issuer + "/hang?number=\(number)")
            #expect(exchange.failure?.cause == .timedOut(seconds: 30))
        }
        let third = await client.get(Self.issuer + "/hang?number=3")
        #expect(Self.limit(third) == .endpoint("GET \(Self.issuer)/hang"))
        let other = await client.get(Self.issuer + "/ok")
        #expect(other.response?.status == 200)
        #expect(client.limitsReached == [.endpoint("GET \(Self.issuer)/hang")])
    }

    @Test func `pauses of the run do not count against its time`() async {
        let clock = TestClock()
        let client = Self.client(RunLimits(seconds: 10), clock: clock.clock)
        _ = await client.get(Self.issuer + "/ok")
        clock.advance(30)
        client.supersede(25)
        #expect(client.secondsLeft == 5)
        let within = await client.get(Self.issuer + "/ok")
        #expect(within.response?.status == 200)
        clock.advance(5)
        #expect(Self.limit(await client.get(Self.issuer + "/ok")) == .seconds(10))
    }

    @Test func `an answer between two time-outs forgives the first`() async {
        let client = Self.client(RunLimits())
        for _ in 0..<3 {
            for answer in ["ok", "never"] { _ = await client.get(Self.issuer + "/now-and-then?answer=\(answer)") }
        }
        #expect(client.limitsReached.isEmpty)
    }

    /// The requests in their order, and how many of them are sent.
    @Test(arguments: [
        (["hang", "hang", "ok", "hang"], 2), (["hang", "keys", "ok"], 2), (["hang", "ok", "hang", "keys", "ok"], 4),
        (["ok", "hang", "hang", "ok"], 4), (["ok", "hang", "hang", "hang", "ok"], 4),
        (["ok", "hang", "keys", "ok", "userinfo"], 3),
    ])
    func `a provider gets no more requests after two time-outs, unless one endpoint alone has them`(
        paths: [String],
        sent: Int
    ) async {
        let client = Self.client(RunLimits())
        var exchanges: [HTTPExchange] = []
        for path in paths { exchanges.append(await client.get(Self.issuer + "/" + path)) }
        #expect(exchanges.count { Self.limit($0) == nil } == sent)
    }

    @Test func `a provider that stops answering is named with the request that it stopped at`() async {
        let client = Self.client(RunLimits())
        _ = await client.get(Self.issuer + "/ok")
        _ = await client.send(
            .form(url: Self.issuer + "/token", [("grant_type", "refresh_token"), ("refresh_token", "s3cret")])
        )
        _ = await client.get(Self.issuer + "/keys")
        _ = await client.get(Self.issuer + "/userinfo")
        let last = await client.get(Self.issuer + "/ok")
        let limit = LimitReached.provider(after: "POST \(Self.issuer)/token (grant_type=refresh_token)")
        #expect(Self.limit(last) == limit)
        #expect(last.failure?.description.contains("s3cret") == false)
    }

    @Test(
        arguments: [
            (RunLimits(requests: 3), LimitReached.requests(3), 3), (RunLimits(bytes: 8), .bytes(8), 2),
            (RunLimits(seconds: 0), .seconds(0), 0),
        ]
    )
    func `beyond a limit nothing is sent`(_ limits: RunLimits, _ limit: LimitReached, _ answers: Int) async {
        let client = Self.client(limits)
        var exchanges: [HTTPExchange] = []
        for _ in 0..<6 { exchanges.append(await client.get(Self.issuer + "/ok")) }
        #expect(exchanges.count { $0.response?.status == 200 } == answers)
        #expect(exchanges.dropFirst(answers).allSatisfy { Self.limit($0) == limit })
        #expect(client.limitsReached == [limit])
    }

    @Test func `the limit of seconds is counted from the first request on, by the run's clock`() async {
        let clock = TestClock()
        let client = Self.client(RunLimits(seconds: 10), clock: clock.clock)
        clock.advance(100)
        _ = await client.get(Self.issuer + "/ok")
        clock.advance(9)
        #expect(client.secondsLeft == 1)
        #expect(await client.get(Self.issuer + "/ok").response?.status == 200)
        clock.advance(1)
        #expect(Self.limit(await client.get(Self.issuer + "/ok")) == .seconds(10))
    }

    @Test func `a request that exceeds the remaining time ends with it`() async {
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        var request = HTTPRequest(url: server.url + "/hang")
        request.secondsLeft = 0.3
        let client = HTTPClient(
            configuration: TransportConfiguration(
                totalTimeout: 30,
                addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"])
            )
        )
        #expect(await client.send(request).failure?.cause == .timedOut(seconds: 0.3))
    }

    @Test func `a request that ends with the run's time has reached the limit of seconds`() {
        let clock = TestClock()
        let budget = RunBudget(RunLimits(seconds: 10), clock: clock.clock)
        let request = HTTPRequest(url: Self.issuer + "/hang")
        #expect(budget.refusal(of: request) == nil)
        clock.advance(10)
        let failure = TransportFailure(step: .waiting, host: "op.example", cause: .timedOut(seconds: 10))
        #expect(budget.ended(HTTPExchange(request: request, failure: failure)) == .seconds(10))
    }

    @Test func `without limits an endpoint is asked however often it does not answer`() async {
        let client = Self.client(nil)
        for _ in 0..<4 {
            let exchange = await client.get(Self.issuer + "/hang")
            #expect(exchange.failure?.cause == .timedOut(seconds: 30))
        }
    }
}
