import JOSE
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The client's end of a WebSocket (RFC 6455) to a server on loopback.
///
/// A thread of its own waits for what the server sends, in the order in which it sends it; the socket is that thread's to close.
final class WebSocket: Sendable {
    /// The messages from the thread.
    enum Event: Sendable {
        case text([UInt8])
        /// A second has passed, or something came.
        case tick
        /// Nothing more will come.
        case end(String)
    }

    private let descriptor: Int32
    /// Whether the socket may be written to; writers go one after the other.
    private let isOpen = Mutex(true)
    /// The maximum size of a message, in bytes: a page's document, or a screenshot in base64.
    private static let longestMessage = 64 << 20
    /// How long the server may take for the handshake, and for taking in what is written, seconds.
    private static let timeLimit = 30.0

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects and shakes hands (section 4.1).
    static func connect(port: Int, path: String) async throws(BrowserFailure) -> (WebSocket, early: [UInt8]) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw BrowserFailure("no socket for the browser: \(reason(errno))") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(BrowserFailure) {
            try attach(descriptor, port)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let key = Base64.encode(Hashes.randomBytes(16))
            let request = """
                GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n
                """
            guard write(Array(request.utf8), to: descriptor) else {
                throw BrowserFailure("the browser rejected the WebSocket")
            }
            let early = try await handshake(descriptor, key)
            return (WebSocket(descriptor), early)
        } catch {
            closeSocket(descriptor)
            throw error
        }
    }

    private static func attach(_ descriptor: Int32, _ port: Int) throws(BrowserFailure) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #if canImport(Glibc)
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                #else
                Darwin.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                #endif
            }
        }
        guard result == 0 else { throw BrowserFailure("the browser does not respond: \(reason(errno))") }
    }

    /// Reads the server's answer, and returns what came behind it.
    private static func handshake(_ descriptor: Int32, _ key: String) async throws(BrowserFailure) -> [UInt8] {
        let end = ContinuousClock.now + .seconds(timeLimit)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while ContinuousClock.now < end, bytes.count < 1 << 16 {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { throw BrowserFailure("the browser closed the WebSocket") }
            if count > 0 {
                bytes += buffer[..<count]
                if let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                    guard isAcceptance(String(decoding: bytes[..<head.lowerBound], as: UTF8.self), of: key) else {
                        throw BrowserFailure("the browser rejected the WebSocket")
                    }
                    return Array(bytes[head.upperBound...])
                }
            }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        throw BrowserFailure("the browser did not accept the WebSocket within \(Int(timeLimit)) s")
    }

    /// Whether the head of an answer takes the key: its hash with the RFC's own text (section 4.2.2).
    static func isAcceptance(_ head: String, of key: String) -> Bool {
        let lines = head.split(separator: "\r\n")
        guard lines.first?.hasPrefix("HTTP/1.1 101") == true else { return false }
        let proof = Base64.encode(Hashes.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
        return lines.contains { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 && parts[0].lowercased() == "sec-websocket-accept"
                && parts[1].drop { $0 == " " } == proof
        }
    }

    /// Begins to read; `receive` is called on the socket's thread.
    func start(early: [UInt8], _ receive: @escaping @Sendable (Event) -> Void) throws(BrowserFailure) {
        final class Work: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        let work = Unmanaged.passRetained(Work { [self] in run(early, receive) })
        #if canImport(Glibc)
        var thread: pthread_t = 0
        #else
        var thread: pthread_t?
        #endif
        let result = pthread_create(
            &thread,
            nil,
            { argument in
                #if canImport(Glibc)
                guard let argument else { return nil }
                #endif
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            work.toOpaque()
        )
        if result != 0 {
            work.release()
            throw BrowserFailure("no thread for the browser: \(Self.reason(result))")
        }
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread { pthread_detach(thread) }
        #endif
    }

    private func run(_ early: [UInt8], _ receive: (Event) -> Void) {
        // Signals are for the threads that wait for them.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let end = listen(early, receive)
        isOpen.withLock { isOpen in
            isOpen = false
            Self.closeSocket(descriptor)
        }
        receive(.end(end))
    }

    /// Reads until there is nothing more, and says why.
    private func listen(_ early: [UInt8], _ receive: (Event) -> Void) -> String {
        var reader = WebSocketReader(limit: Self.longestMessage)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        reader.take(early)
        do throws(WebSocketReader.Violation) {
            while true {
                while let item = try reader.next() {
                    switch item {
                    case .text(let bytes): receive(.text(bytes))
                    case .ping(let bytes): send(WebSocketFrame.pong, bytes)
                    case .pong: break
                    case .close:
                        send(WebSocketFrame.close, [])
                        return "the browser has ended"
                    }
                }
                receive(.tick)
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 1_000) > 0 else { continue }
                let count = read(descriptor, &buffer, buffer.count)
                if count == 0 { return "the browser has ended" }
                if count < 0, ![EAGAIN, EINTR].contains(errno) {
                    return "the browser has ended: \(Self.reason(errno))"
                }
                if count > 0 { reader.take(buffer[..<count]) }
            }
        } catch {
            return "the browser sent an invalid WebSocket message: \(error.reason)"
        }
    }

    /// Sends a text; false where the browser takes none any more.
    @discardableResult
    func send(_ text: String) -> Bool { send(WebSocketFrame.text, Array(text.utf8)) }

    @discardableResult
    private func send(_ opcode: UInt8, _ payload: [UInt8]) -> Bool {
        let frame = WebSocketFrame.bytes(opcode, payload, mask: Hashes.randomBytes(4))
        return isOpen.withLock { $0 && Self.write(frame, to: descriptor) }
    }

    /// Has the thread end and close the socket.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
            // A browser that is gone must not end this process by SIGPIPE.
            let flags = Int32(MSG_NOSIGNAL)
            #else
            let flags: Int32 = 0
            #endif
            let count = rest.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count, flags) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&waiting, 1, Int32(timeLimit * 1_000)) > 0 else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private static func closeSocket(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// `send(2)`, whose name the class has as well.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
