import LoopbackServer
import TestSupport
import Testing

@testable import Transport

/// State that the clients of one fleet share, and state that they do not.
@Suite(.timeLimit(.minutes(5))) struct SharedTransportTests {
    /// The names of a server on loopback.
    private static let name = "op.example"

    private func client(
        _ shared: SharedTransport,
        _ server: LoopbackServer,
        allowing hosts: [String]
    ) throws -> HTTPClient {
        HTTPClient(
            configuration: TransportConfiguration(
                resolve: [try #require(HostOverride("\(Self.name):\(server.port):127.0.0.1"))],
                addressPolicy: AddressPolicy(allowedHosts: hosts)
            ),
            sharing: shared
        )
    }

    @Test(arguments: ["127.0.0.1", name])
    func `a connection to a private address serves only targets that name the host`(host: String) async throws {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        let shared = SharedTransport()
        let url = "http://\(host):\(server.port)/"
        let owner = try client(shared, server, allowing: [host])
        let stranger = try client(shared, server, allowing: ["elsewhere.example"])

        #expect(await owner.get(url).response?.status == 204)
        let again = await owner.get(url)
        #expect(again.response?.status == 204 && again.reusedConnection)

        // The open connection leads there, but the address is checked nevertheless.
        for _ in 0..<2 {
            let exchange = await stranger.get(url)
            #expect(exchange.response == nil)
            guard case .addressRefused(let address, _) = exchange.failure?.cause else {
                Issue.record("\(String(describing: exchange.failure))")
                continue
            }
            #expect(address == "127.0.0.1")
        }
        // An address that one client must not use is allowed for the other.
        #expect(await owner.get(url).response?.status == 204)
    }

    @Test(arguments: [
        // Whether the next request to the host waits for the second.
        (429, "1", true), (503, "1", true), (429, nil, false), (429, "soon", false), (200, "1", false),
        (404, "1", false),
    ])
    func `all clients wait for a host that requests a delay, and for no other`(
        status: Int,
        retryAfter: String?,
        isBlocked: Bool
    ) async throws {
        let clock = TestClock()
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        let refusing = LoopbackServer { (_: LoopbackRequest) in
            LoopbackReply(status, retryAfter.map { [("Retry-After", $0)] } ?? [])
        }
        let shared = SharedTransport(requestsPerSecond: 1_000, clock: clock.clock)
        let first = try client(shared, refusing, allowing: ["127.0.0.1"])
        let second = try client(shared, refusing, allowing: ["127.0.0.1"])

        #expect(await first.get(refusing.url).response?.status == status)
        #expect(await second.get(server.url).response?.status == 204)
        #expect(clock.waits.isEmpty, "another host is not waited for")
        #expect(await second.get(refusing.url).response?.status == status)
        #expect(clock.waits.count == (isBlocked ? 1 : 0))
        #expect(clock.waits.allSatisfy { (1...1.01).contains($0) }, "\(clock.waits)")
    }

    @Test func `no host is left alone for more than a minute`() {
        let clock = TestClock().clock
        let pace = HostPace(requestsPerSecond: 64, clock: clock)
        let now = clock.uptime()
        pace.block("a:443", seconds: 86_400)
        pace.block("b:443", seconds: 10)
        // A blocked host has no burst: its first turn is one interval after the block.
        #expect(pace.take("a:443", now: now) - now == 60 + 1.0 / 64)
        #expect(pace.take("b:443", now: now) - now == 10 + 1.0 / 64)
        #expect(pace.take("c:443", now: now) == now)
    }

    @Test func `a host is asked four times at once and then at its rate`() {
        let pace = HostPace(requestsPerSecond: 10)
        let turns = (0..<6).map { _ in pace.take("a:443", now: 0) }
        #expect(turns.prefix(4).allSatisfy { $0 == 0 })
        #expect(zip(turns[4...], [0.1, 0.2]).allSatisfy { abs($0 - $1) < 1e-9 }, "\(turns)")
    }
}
