import LoopbackServer
import OtherPrograms
import Synchronization
import TestSupport
import Testing
import Transport

/// The pause between requests, by the clock of the run.
@Suite(.timeLimit(.minutes(5))) struct PauseTests {
    private static let origin = "https://idp.example.com"

    private static func client(
        pause: Double,
        isSerial: Bool = false,
        clock: RunClock = .machine,
        _ application: @escaping @Sendable () async -> Void
    ) -> HTTPClient {
        // On a busy machine a response may take longer than the pause; then the next request would overlap.
        var configuration = TransportConfiguration(totalTimeout: 3_600, pause: pause)
        configuration.isSerial = isSerial
        let way = HTTPSenderFactory.inMemory([origin]) { _ in
            await application()
            return HTTPResponse(status: 204)
        }
        return HTTPClient(configuration: configuration, over: way, clock: clock)
    }

    /// Sends requests concurrently, and returns when all have ended.
    private static func send(_ count: Int, _ client: HTTPClient) async {
        await withTaskGroup { group in
            for number in 0..<count { group.addTask { _ = await client.get("\(origin)/\(number)") } }
        }
    }

    @Test func `one at a time means that nothing is under way beside a request`() async {
        let underWay = Mutex(0)
        let most = Mutex(0)
        let client = Self.client(pause: 0, isSerial: true) {
            let count = underWay.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, count) }
            // A request that does not wait for its turn arrives now.
            for _ in 0..<1_000 { await Task.yield() }
            underWay.withLock { $0 -= 1 }
        }
        await Self.send(5, client)
        #expect(most.withLock { $0 } == 1)
    }

    @Test(arguments: [(pause: 0.2, answerTakes: 0.0), (0.1, 0.15)])
    func `the pause lies between the end of an exchange and the next request`(
        _ row: (pause: Double, answerTakes: Double)
    ) async {
        let clock = TestClock()
        let arrivals = Mutex<[Double]>([])
        let client = Self.client(pause: row.pause, clock: clock.clock) {
            arrivals.withLock { $0.append(clock.now) }
            clock.advance(row.answerTakes)
        }
        await Self.send(5, client)
        let times = arrivals.withLock { $0 }
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.count == 4)
        #expect(gaps.allSatisfy { abs($0 - row.pause - row.answerTakes) < 1e-5 }, "\(gaps)")
    }

    @Test func `without a pause requests are under way side by side`() async {
        let count = Mutex(0)
        let both = Event()
        let client = Self.client(pause: 0) {
            let isSecond = count.withLock { count in
                count += 1
                return count == 2
            }
            if isSecond { both.happen() }
            // The server responds only after both requests have arrived.
            await both.wait()
        }
        await Self.send(2, client)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a cancelled task does not sit the pause out`() async {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        let pauses = Event()
        let configuration = TransportConfiguration(
            pause: 300,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"])
        )
        let client = HTTPClient(configuration: configuration, clock: TestClock.stopped(pauses))
        _ = await client.get(server.url)
        let waiting = Task { await client.get(server.url) }
        await pauses.wait()
        let behind = Task { await client.get(server.url) }
        for task in [waiting, behind] { task.cancel() }
        for task in [waiting, behind] {
            let exchange = await task.value
            #expect(exchange.failure?.cause == .cancelled)
        }
        #expect(server.requests.count == 1)
    }
}
