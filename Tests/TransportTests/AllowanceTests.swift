import LoopbackServer
import Testing
import Transport

/// What a client may spend, seen from the server.
@Suite struct AllowanceTests {
    /// Answers `/ok` with five octets, and nothing else at all.
    private static func server() -> LoopbackServer {
        LoopbackServer { connection in
            while let request = connection.readRequest() {
                if request.target.hasPrefix("/ok") {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                } else {
                    connection.pause(milliseconds: 700)
                }
            }
        }
    }

    private static func client(_ limits: RunLimits?) -> HTTPClient {
        HTTPClient(
            configuration: TransportConfiguration(
                totalTimeout: 0.2,
                addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]),
                limits: limits
            )
        )
    }

    private static func limit(_ exchange: HTTPExchange) -> LimitReached? {
        if case .limitReached(let limit)? = exchange.failure?.cause { limit } else { nil }
    }

    @Test func `an endpoint that times out twice in a row is asked no third time, and others are`() async {
        let server = Self.server()
        let client = Self.client(RunLimits())
        for number in 1...2 {
            let exchange = await client.get(server.url + "/hang?number=\(number)")
            #expect(exchange.failure?.cause == .timedOut(seconds: 0.2))
        }
        let third = await client.get(server.url + "/hang?number=3")
        #expect(Self.limit(third) == .endpoint("GET \(server.url)/hang"))
        let other = await client.get(server.url + "/ok")
        #expect(other.response?.status == 200)
        #expect(client.limitsReached == [.endpoint("GET \(server.url)/hang")])
    }

    @Test func `an answer between two time-outs forgives the first`() async {
        let server = LoopbackServer { connection in
            var count = 0
            while connection.readRequest() != nil {
                count += 1
                if count > 1 { connection.pause(milliseconds: 400) }
                connection.write("HTTP/1.1 204 None\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let client = Self.client(RunLimits())
        for _ in 0..<6 { _ = await client.get(server.url + "/now-and-then") }
        #expect(client.limitsReached.isEmpty)
    }

    @Test func `a provider that stops answering is named with the request that it stopped at`() async {
        let server = Self.server()
        let client = Self.client(RunLimits())
        _ = await client.get(server.url + "/ok")
        _ = await client.send(
            .form(url: server.url + "/token", [("grant_type", "refresh_token"), ("refresh_token", "s3cret")])
        )
        _ = await client.get(server.url + "/keys")
        _ = await client.get(server.url + "/userinfo")
        let last = await client.get(server.url + "/ok")
        let limit = LimitReached.provider(after: "POST \(server.url)/token (grant_type=refresh_token)")
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
        let server = Self.server()
        let client = Self.client(limits)
        var exchanges: [HTTPExchange] = []
        for _ in 0..<6 { exchanges.append(await client.get(server.url + "/ok")) }
        #expect(exchanges.count { $0.response?.status == 200 } == answers)
        #expect(exchanges.dropFirst(answers).allSatisfy { Self.limit($0) == limit })
        #expect(client.limitsReached == [limit])
    }

    @Test func `what takes longer than the rest of the time is ended with it`() async {
        let server = Self.server()
        let client = HTTPClient(
            configuration: TransportConfiguration(
                totalTimeout: 30,
                addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]),
                limits: RunLimits(seconds: 0.3)
            )
        )
        let exchange = await client.get(server.url + "/hang")
        #expect(Self.limit(exchange) == .seconds(0.3), "\(String(describing: exchange.failure))")
        #expect(exchange.timings.total < 5)
    }

    @Test func `without limits an endpoint is asked however often it does not answer`() async {
        let server = Self.server()
        let client = Self.client(nil)
        for _ in 0..<4 {
            let exchange = await client.get(server.url + "/hang")
            #expect(exchange.failure?.cause == .timedOut(seconds: 0.2))
        }
    }
}
