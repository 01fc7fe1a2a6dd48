import Foundation
import Serving
import Synchronization
import TestSupport
import Testing

/// Silence on connections.
///
/// libevent counts it by the machine's clock, and the system's buffers take octets until they are full: only waiting shows either. A
/// machine with other work lets a client be silent that is not.
@Suite("Silence", .serialized, .phase(.sockets), .timeLimit(.minutes(5)))
struct IdlenessTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test("A client that asks on and on and does not read is not asked for more, and gets all when it reads")
    func deafClient() async throws {
        let asked = Mutex(0)
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { _ in
            asked.withLock { $0 += 1 }
            return ServedAnswer(status: 200, body: Array(repeating: 65, count: 400_000))
        }
        try await Echo.beside(answer: answer) { server in
            let client = try RawClient(port: server.port)
            defer { client.close() }
            client.send(String(repeating: Self.get, count: 99) + Self.last)
            var count = -1
            // Waits until no more are taken; the system's own buffers hold some ten mebibytes.
            while count < asked.withLock({ $0 }) || count == 0 {
                count = asked.withLock { $0 }
                try await Task.sleep(for: .seconds(1))
            }
            #expect(count < 80)
            let reply = try await RawClient.onThread { client.receive() }
            #expect(reply.octets.count > 100 * 400_000 && reply.end == .closed)
        }
    }

    @Test("A request that does not come to its end is answered with 408; a silent connection is closed without a word")
    func silence() async throws {
        var limits = ServerLimits()
        limits.idleness = .seconds(1.5)
        try await Echo.beside(limits: limits) { server in
            async let silent = RawClient.talk(server.port, "")
            async let kept = RawClient.talk(server.port, Self.get)
            async let half = RawClient.talk(server.port, "GET / HTTP/1.1\r\nHost: a\r\nX: ")
            let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe"
            async let bodiless = RawClient.talk(server.port, post)
            // Never silent for long, and never done.
            let drops = Array(repeating: Array("X: y\r\n".utf8), count: 60)
            async let slow = RawClient.talk(
                server.port,
                [Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)] + drops,
                pause: 0.1
            )
            let replies = try await [silent, kept, half, bodiless, slow]
            #expect(replies.map(\.statuses) == [[], [200], [408], [408], [408]])
            #expect(replies.prefix(4).allSatisfy { $0.end == .closed } && replies[0].octets.isEmpty)
        }
    }

    @Test("An answer may take longer than silence is allowed")
    func longAnswers() async throws {
        var limits = ServerLimits()
        limits.idleness = .seconds(1)
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            try? await Task.sleep(for: .seconds(2.5))
            return await Echo.answer(request)
        }
        try await Echo.beside(limits: limits, answer: answer) { server in
            let reply = try await RawClient.talk(server.port, Self.last, patience: 300)
            #expect(reply.statuses == [200])
        }
    }
}
