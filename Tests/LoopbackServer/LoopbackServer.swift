import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A tiny server on 127.0.0.1 that sends exactly the bytes of a test, however wrong they are.
package final class LoopbackServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let log: Log

    private final class Log: Sendable {
        let connections = Atomic<Int>(0)
        let requests = Mutex<[LoopbackRequest]>([])
    }

    /// Serves every connection with `serve`, on a thread of its own.
    package init(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        precondition(bound, "the loopback address cannot be bound")
        port = Int(UInt16(bigEndian: address.sin_port))
        let log = Log()
        self.log = log
        Self.launch {
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else {
                    close(listener)
                    return
                }
                log.connections.add(1, ordering: .relaxed)
                Self.launch {
                    serve(LoopbackConnection(peer) { request in log.requests.withLock { $0.append(request) } })
                    close(peer)
                }
            }
        }
    }

    /// Returns the reply computed for each request, over connections that stay open.
    package convenience init(replies: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) {
        self.init { connection in
            while let request = connection.readRequest() {
                guard connection.write(replies(request).bytes) else { return }
            }
        }
    }

    /// Stops listening, so that the port is refused; without it the server lives as long as the tests.
    package func stop() {
        // Wakes the thread in `accept`, which closes the socket: closed here, its number could be another's meanwhile.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The address to ask, without a terminating slash.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections have been accepted.
    package var connections: Int { log.connections.load(ordering: .relaxed) }

    /// The requests read so far, in order.
    package var requests: [LoopbackRequest] { log.requests.withLock { $0 } }

    private static func launch(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
        precondition(result == 0, "no thread could be created")
        pthread_detach(thread)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// A request as it was read off the socket.
package struct LoopbackRequest: Sendable {
    package var method: String
    package var target: String
    /// The header lines, in order.
    package var headers: [(name: String, value: String)]
    package var body: String

    /// The value of the first header of that name, in any letter case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }
}

/// A response in ordinary HTTP/1.1 form, with its length.
package struct LoopbackReply: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]

    package init(_ status: Int, _ headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An HTML page.
    package static func page(_ html: String, status: Int = 200, headers: [(String, String)] = []) -> LoopbackReply {
        LoopbackReply(status, [("Content-Type", "text/html; charset=utf-8")] + headers, body: Array(html.utf8))
    }

    /// A redirect.
    package static func redirect(
        _ location: String,
        status: Int = 302,
        headers: [(String, String)] = []
    ) -> LoopbackReply {
        LoopbackReply(status, [("Location", location)] + headers)
    }

    var bytes: [UInt8] {
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Reason\r\n\(lines)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}

/// One accepted connection.
package struct LoopbackConnection: Sendable {
    private let socket: Int32
    private let record: @Sendable (LoopbackRequest) -> Void

    init(_ socket: Int32, record: @escaping @Sendable (LoopbackRequest) -> Void) {
        self.socket = socket
        self.record = record
    }

    /// Reads a request with its body; nil when the peer has closed.
    package func readRequest() -> LoopbackRequest? {
        var bytes: [UInt8] = []
        let blankLine = Array("\r\n\r\n".utf8)
        while bytes.suffix(4) != blankLine[...] {
            guard let byte = read(1) else { return nil }
            bytes += byte
        }
        let lines = String(decoding: bytes.dropLast(4), as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
        let headers = lines.dropFirst()
            .map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
            }
        var request = LoopbackRequest(method: String(first[0]), target: String(first[1]), headers: headers, body: "")
        var body: [UInt8] = []
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while body.count < length {
            guard let more = read(length - body.count) else { return nil }
            body += more
        }
        request.body = String(decoding: body, as: UTF8.self)
        record(request)
        return request
    }

    /// Writes all bytes; false when the peer has closed.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes a response in ordinary form; false when the peer has closed.
    @discardableResult
    package func write(_ reply: LoopbackReply) -> Bool { write(reply.bytes) }

    /// Writes a text.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Waits until the peer closes the connection.
    package func waitForClose() {
        while read(4096) != nil {}
    }

    /// Waits for a number of milliseconds.
    package func pause(milliseconds: Int) {
        usleep(UInt32(milliseconds * 1000))
    }

    private func read(_ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = recv(socket, &buffer, count, 0)
        return got > 0 ? Array(buffer.prefix(got)) : nil
    }
}
