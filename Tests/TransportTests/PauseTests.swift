import LoopbackServer
import Synchronization
import Testing
import Transport

/// The pause between requests, measured where they arrive.
@Suite struct PauseTests {
    private final class Arrivals: Sendable {
        private let times = Mutex<[ContinuousClock.Instant]>([])

        func note() {
            let now = ContinuousClock.now
            times.withLock { $0.append(now) }
        }

        /// Seconds between one arrival and the next.
        var gaps: [Double] {
            let times = times.withLock { $0 }
            return zip(times, times.dropFirst()).map { $0.duration(to: $1) / .seconds(1) }
        }
    }

    private func client(pause: Double, isSerial: Bool = false) -> HTTPClient {
        var configuration = TransportConfiguration(
            pause: pause,
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"])
        )
        configuration.isSerial = isSerial
        return HTTPClient(configuration: configuration)
    }

    @Test func `one at a time means that nothing is under way beside a request`() async {
        let now = Mutex(0)
        let most = Mutex(0)
        let server = LoopbackServer { connection in
            while connection.readRequest() != nil {
                let count = now.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, count) }
                connection.pause(milliseconds: 60)
                now.withLock { $0 -= 1 }
                connection.write("HTTP/1.1 204 None\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let client = client(pause: 0, isSerial: true)
        await withTaskGroup { group in
            for number in 0..<5 { group.addTask { _ = await client.get(server.url + "/\(number)") } }
        }
        #expect(most.withLock { $0 } == 1)
    }

    @Test func `requests that are asked for at once arrive with the pause between them`() async {
        let arrivals = Arrivals()
        let server = LoopbackServer { (_: LoopbackRequest) in
            arrivals.note()
            return LoopbackReply(204)
        }
        let client = client(pause: 0.2)
        await withTaskGroup { group in
            for number in 0..<5 { group.addTask { _ = await client.get(server.url + "/\(number)") } }
        }
        let gaps = arrivals.gaps
        #expect(gaps.count == 4)
        #expect(gaps.allSatisfy { $0 >= 0.2 }, "\(gaps)")
    }

    @Test func `the pause begins when an answer is there`() async {
        let arrivals = Arrivals()
        let server = LoopbackServer { connection in
            while connection.readRequest() != nil {
                arrivals.note()
                connection.pause(milliseconds: 150)
                connection.write("HTTP/1.1 204 None\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let client = client(pause: 0.1)
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = await client.get(server.url) } }
        }
        let gaps = arrivals.gaps
        #expect(gaps.count == 2)
        #expect(gaps.allSatisfy { $0 >= 0.25 }, "\(gaps)")
    }

    @Test func `without a pause requests are under way side by side`() async {
        let waiting = Mutex(0)
        let server = LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            waiting.withLock { $0 += 1 }
            // Nobody is answered before both have asked.
            while waiting.withLock({ $0 }) < 2 { connection.pause(milliseconds: 5) }
            connection.write("HTTP/1.1 204 None\r\nContent-Length: 0\r\n\r\n")
        }
        let client = client(pause: 0)
        async let first = client.get(server.url)
        async let second = client.get(server.url)
        #expect(await first.response?.status == 204)
        #expect(await second.response?.status == 204)
    }

    @Test func `a cancelled task does not sit the pause out`() async {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        // Long enough that sitting it out is told apart from a busy machine.
        let client = client(pause: 300)
        _ = await client.get(server.url)
        let start = ContinuousClock.now
        let waiting = Task { await client.get(server.url) }
        let behind = Task { await client.get(server.url) }
        for task in [waiting, behind] { task.cancel() }
        for task in [waiting, behind] {
            let exchange = await task.value
            #expect(exchange.failure?.cause == .cancelled)
        }
        #expect(start.duration(to: .now) < .seconds(100))
        #expect(server.requests.count == 1)
    }
}
