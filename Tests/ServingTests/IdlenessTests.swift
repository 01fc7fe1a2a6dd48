import Serving
import Synchronization
import TestSupport
import Testing

/// Idle time-outs of connections.
///
/// libevent uses the machine's clock, and the system's buffers accept bytes until they are full, so both need real time. On a busy
/// machine an active client may seem idle.
@Suite("Idle time-outs", .serialized, .phase(.sockets), .timeLimit(.minutes(20)))
struct IdlenessTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test("The server stops reading from a client that does not read responses, and delivers all of them later")
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
            // Waits until no more bytes are accepted; the system's own buffers have about ten mebibytes.
            while count < asked.withLock({ $0 }) || count == 0 {
                count = asked.withLock { $0 }
                try await Task.sleep(for: .seconds(1))
            }
            #expect(count < 80)
            let reply = try await RawClient.onThread { client.receive() }
            #expect(reply.bytes.count > 100 * 400_000 && reply.end == .closed)
        }
    }

    @Test("An incomplete request gets status 408, and an idle connection is closed without a response")
    func silence() async throws {
        var limits = ServerLimits()
        limits.idleness = .seconds(1.5)
        try await Echo.beside(limits: limits) { server in
            async let silent = RawClient.talk(server.port, "")
            async let kept = RawClient.talk(server.port, Self.get)
            async let half = RawClient.talk(server.port, "GET / HTTP/1.1\r\nHost: a\r\nX: ")
            let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe"
            async let bodiless = RawClient.talk(server.port, post)
            // Never idle for long, and never complete.
            let drops = Array(repeating: Array("X: y\r\n".utf8), count: 60)
            async let slow = RawClient.talk(
                server.port,
                [Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)] + drops,
                pause: 0.1
            )
            let replies = try await [silent, kept, half, bodiless, slow]
            #expect(replies.map(\.statuses) == [[], [200], [408], [408], [408]])
            #expect(replies.prefix(4).allSatisfy { $0.end == .closed } && replies[0].bytes.isEmpty)
        }
    }

    @Test("A response may take longer than the idle time-out")
    func longAnswers() async throws {
        var limits = ServerLimits()
        limits.idleness = .seconds(1)
        let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
            try? await Task.sleep(for: .seconds(2.5))
            return await Echo.answer(request)
        }
        try await Echo.beside(limits: limits, answer: answer) { server in
            let reply = try await RawClient.talk(server.port, Self.last, timeLimit: 300)
            #expect(reply.statuses == [200])
        }
    }
}
