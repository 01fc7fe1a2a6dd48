import Foundation
import LoopbackServer
import Synchronization
import Testing
import Transport

/// Requests that an HTTP/1.1 server reads and does not answer, on a connection that has served another request.
@Suite(.timeLimit(.minutes(5))) struct RepeatedRequestTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let method: String
        /// How many connections have served a request before.
        var used = 1
        /// How many of the requests the server loses.
        var losses = Int.max
        /// Whether the server listens no more when it closes the connection.
        var isStopped = false
        /// How many requests the server reads.
        let sent: Int
        var cause: TransportFailure.Cause?

        var testDescription: String {
            "\(method), \(used) used, \(losses == .max ? "all" : "\(losses)") lost" + (isStopped ? ", stopped" : "")
        }
    }

    private static let unanswered = TransportFailure.Cause.unanswered(reason: nil)

    @Test(arguments: [
        Case(method: "POST", sent: 1, cause: unanswered),
        Case(method: "POST", used: 4, sent: 1, cause: unanswered),
        Case(method: "PUT", sent: 1, cause: unanswered),
        Case(method: "DELETE", sent: 1, cause: unanswered),
        // It was sent, although the last connection was refused.
        Case(method: "POST", isStopped: true, sent: 1, cause: unanswered),
        Case(method: "GET", sent: 2, cause: .closedWithoutAnswer),
        Case(method: "GET", used: 4, sent: 2, cause: .closedWithoutAnswer),
        Case(method: "HEAD", sent: 2, cause: .closedWithoutAnswer),
        Case(method: "GET", losses: 1, sent: 2),
        Case(method: "GET", used: 4, losses: 1, sent: 2),
        Case(method: "GET", isStopped: true, sent: 1, cause: .refused),
    ])
    func `a request that may change something is sent once, and any other at most twice`(sample: Case) async {
        let meeting = Meeting(of: sample.used)
        let lost = Mutex(0)
        let started = Mutex<LoopbackServer?>(nil)
        let server = LoopbackServer { connection in
            while let request = connection.readRequest() {
                if request.path == "/first" {
                    meeting.attend()
                } else if lost.withLock({ count in
                    count += 1
                    return count
                }) <= sample.losses {
                    if sample.isStopped { started.withLock { $0?.stop() } }
                    return
                }
                guard connection.write(LoopbackReply(200)) else { return }
            }
        }
        started.withLock { $0 = server }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<sample.used { group.addTask { _ = await client.get(server.url + "/first") } }
        }
        let body = ["POST", "PUT"].contains(sample.method) ? Array("password=s3cret".utf8) : nil
        let exchange = await client.send(
            HTTPRequest(method: sample.method, url: server.url + "/second", body: body)
        )
        #expect(exchange.failure?.cause == sample.cause)
        #expect(server.requests.count { $0.path == "/second" } == sample.sent)
        if sample.cause == Self.unanswered {
            #expect(exchange.failure?.leavesEffectOpen == true)
            #expect(exchange.failure?.description.contains("was sent once, and no response arrived") == true)
        }
    }

    /// Lets requests wait for each other, so that each has a connection of its own.
    private final class Meeting: Sendable {
        private let condition = NSCondition()
        private let missing: Mutex<Int>

        init(of count: Int) { missing = Mutex(count) }

        func attend() {
            condition.lock()
            defer { condition.unlock() }
            missing.withLock { $0 -= 1 }
            condition.broadcast()
            while missing.withLock({ $0 > 0 }) { condition.wait() }
        }
    }
}
