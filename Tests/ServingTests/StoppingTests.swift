import Foundation
import OtherPrograms
import Serving
import TestSupport
import Testing

/// Stopping a server ends its connections and releases all resources.
@Suite("Stopping", .serialized, .timeLimit(.minutes(5)), .oracle(.program("openssl")))
struct StoppingTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Waits until a stopping server accepts no connections.
    private static func waitUntilClosed(_ port: Int) async throws {
        // The system does not notify about closed ports.
        while let client = try? RawClient(port: port) {
            client.close()
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// A client that has sent a text and received a response that ends with `words`.
    private static func client(_ port: Int, _ text: String, until words: String) async throws -> RawClient {
        try await RawClient.onThread {
            let client = try RawClient(port: port)
            client.send(text)
            let reply = client.receive { $0.suffix(words.utf8.count).elementsEqual(words.utf8) }
            check(reply.text.hasSuffix(words), "it said: \(reply.text)")
            return client
        }
    }

    private static func rest(of client: RawClient) async throws -> RawClient.Reply {
        try await RawClient.onThread {
            defer { client.close() }
            return client.receive(timeLimit: 300)
        }
    }

    @Test("Idle connections are closed at once, and new ones are rejected")
    func idle() async throws {
        let server = try await HTTPServer.listen(on: "127.0.0.1", answer: Echo.answer)
        let silent = try RawClient(port: server.port)
        let kept = try await Self.client(server.port, Self.get, until: "GET /a 0 0\n")
        // Would take a day if it waited for them.
        await server.stop(within: .seconds(86_400))
        for client in [silent, kept] {
            let reply = try await Self.rest(of: client)
            #expect(reply.end == .closed && reply.bytes.isEmpty)
        }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
        // Stopping again has no effect.
        await server.stop()
    }

    @Test("A pending request gets its response, which announces the close")
    func pending() async throws {
        let (begun, reportBegun) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try await HTTPServer.listen(on: "127.0.0.1") { request in
            reportBegun.yield()
            for await _ in released {}
            return await Echo.answer(request)
        }
        async let reply = RawClient.talk(server.port, Self.get + Self.get, timeLimit: 300)
        for await _ in begun { break }
        async let stopped: Void = server.stop(within: .seconds(86_400))
        try await Self.waitUntilClosed(server.port)
        release.finish()
        let answered = try await reply
        #expect(answered.text.hasSuffix("\r\nConnection: close\r\n\r\nGET /a 0 0\n"))
        #expect(answered.statuses == [200])
        await stopped
    }

    @Test("The server waits for a hanging handler until the limit, and cancels its task")
    func endless() async throws {
        let (begun, reportBegun) = AsyncStream<Void>.makeStream()
        let (cancelled, reportCancelled) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try await HTTPServer.listen(on: "127.0.0.1") { _ in
            reportBegun.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            reportCancelled.yield()
            // It still does not end before stopping has.
            await Task.detached { for await _ in released {} }.value
            return ServedAnswer(status: 200)
        }
        async let reply = RawClient.talk(server.port, Self.get, timeLimit: 300)
        for await _ in begun { break }
        let limit = Event()
        async let stopped: Void = server.stop { await limit.wait() }
        try await Self.waitUntilClosed(server.port)
        limit.happen()
        for await _ in cancelled { break }
        await stopped
        let ended = try await reply
        #expect(ended.bytes.isEmpty && ended.end != .silence)
        release.finish()
    }

    @Test("The server waits for an unfinished upload until the limit, and accepts it if it completes")
    func upload() async throws {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        let server = try await HTTPServer.listen(on: "127.0.0.1", answer: Echo.answer)
        // A client that received 100 (Continue) has started.
        let willEnd = try await Self.client(server.port, head, until: "Continue\r\n\r\n")
        let willNot = try await Self.client(server.port, head, until: "Continue\r\n\r\n")
        let limit = Event()
        async let stopped: Void = server.stop { await limit.wait() }
        try await Self.waitUntilClosed(server.port)
        willEnd.send("abcd")
        let reply = try await Self.rest(of: willEnd)
        #expect(reply.text.hasSuffix("Connection: close\r\n\r\nPOST /a 4 394\n"))
        willNot.send("ab")
        limit.happen()
        let other = try await Self.rest(of: willNot)
        #expect(other.bytes.isEmpty && other.end != .silence)
        await stopped
    }

    /// The number of entries in a folder of this process.
    private static func count(_ folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
    }

    private static func check(_ isTrue: Bool, _ words: String) {
        if isTrue { return }
        FileHandle.standardError.write(Data((words + "\n").utf8))
        exit(1)
    }

    /// Starts servers concurrently, half of them with TLS, leaves them in different states, and stops them all.
    private static func round(_ count: Int, _ identity: ServerIdentity) async throws {
        var servers: [HTTPServer] = []
        for index in 0..<count {
            let tls = index.isMultiple(of: 2) ? identity : nil
            servers.append(try await HTTPServer.listen(on: "127.0.0.1", tls: tls, answer: Echo.answer))
        }
        var clients: [RawClient] = []
        for (index, server) in servers.enumerated() {
            let client = try RawClient(port: server.port)
            if index % 3 < 2 { client.send(get) }
            if index % 3 == 0, index % 2 == 1 {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
            }
            clients.append(client)
        }
        for (index, client) in clients.enumerated() where index % 2 == 1 && index % 3 < 2 {
            check(client.receive { !$0.isEmpty }.statuses == [200], "server \(index) did not answer")
        }
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop(within: .milliseconds(200)) } }
        }
        for client in clients { client.close() }
    }

    @Test("Five hundred servers and their connections leave no descriptor and no thread")
    func resources() async {
        // In its own process, in which no other code opens files.
        await #expect(processExitsWith: .success) { () async throws in
            let identity = try await Certificates.shared.value.identity()
            try await StoppingTests.round(20, identity)
            let before = (try StoppingTests.count("fd"), try StoppingTests.count("task"))
            try await StoppingTests.round(500, identity)
            let after = (try StoppingTests.count("fd"), try StoppingTests.count("task"))
            StoppingTests.check(after.0 == before.0, "descriptors: \(before.0) before, \(after.0) after")
            // Swift's own threads come and go.
            StoppingTests.check(after.1 <= before.1 + 8, "threads: \(before.1) before, \(after.1) after")
        }
    }

    @Test("Writing to a closed connection does not end a process with default SIGPIPE handling")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) { () async throws in
            signal(SIGPIPE, SIG_DFL)
            let isAsked = Event()
            let isGone = Event()
            let server = try await HTTPServer.listen(on: "127.0.0.1") { request in
                if request.target == "/next" { return ServedAnswer(status: 200) }
                isAsked.happen()
                await isGone.wait()
                return ServedAnswer(status: 200, body: Array(repeating: 65, count: 4_000_000))
            }
            let client = try RawClient(port: server.port)
            client.send(StoppingTests.get + StoppingTests.get)
            await isAsked.wait()
            client.abort()
            isGone.happen()
            // The server is running, and has served another client in the meantime.
            for _ in 0..<3 {
                let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                let reply = try await RawClient.talk(server.port, next)
                StoppingTests.check(reply.statuses == [200], "it said: \(reply.text)")
            }
            await server.stop()
        }
    }
}
