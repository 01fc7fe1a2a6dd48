import Foundation

/// A raw client: sends the given bytes in the given pieces, and returns all bytes that it receives.
package struct RawClient {
    package enum End: Sendable, Equatable {
        /// The server has closed its side.
        case closed
        /// The server has reset the connection.
        case reset
        /// Nothing was received within the time limit.
        case silence
    }

    package struct Reply: Sendable {
        package var bytes: [UInt8]
        package var end: End
        package var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The status of each answer, in order.
        package var statuses: [Int] {
            text.matches(of: #/HTTP/1\.1 ([0-9]{3}) /#).compactMap { Int($0.output.1) }
        }
    }

    package struct Failure: Error {
        var step: String
        var code = errno
    }

    package let socket: Int32

    /// Connects to a loopback address.
    package init(port: Int, overIPv6: Bool = false) throws {
        socket = Foundation.socket(overIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(step: "socket") }
        let number = in_port_t(UInt16(port).bigEndian)
        let result: Int32
        if overIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = number
            address.sin6_addr = in6addr_loopback
            result = Self.connect(socket, address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = number
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = Self.connect(socket, address)
        }
        guard result == 0 else {
            let failure = Failure(step: "connect")
            Foundation.close(socket)
            throw failure
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func connect(_ socket: Int32, _ address: some Any) -> Int32 {
        withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Foundation.connect(socket, $0.baseAddress, socklen_t(bytes.count))
            }
        }
    }

    package func close() { Foundation.close(socket) }

    /// Closes the sending side, and continues reading.
    package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Throws the connection away, as a program that crashes does.
    package func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        close()
    }

    /// Sends all bytes, or those that the server accepts before it closes.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Reads until the connection ends, `isEnough` is true, or the time limit expires.
    package func receive(timeLimit: Double = 50, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> Reply {
        var time = timeval(tv_sec: Int(timeLimit), tv_usec: Int(timeLimit * 1e6) % 1_000_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var reply = Reply(bytes: [], end: .silence)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(reply.bytes) {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                reply.end = count == 0 ? .closed : errno == EAGAIN ? .silence : .reset
                break
            }
            reply.bytes += buffer[..<count]
        }
        return reply
    }

    /// Runs a body on a thread that may wait.
    package static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.start()
        }
    }

    /// Connects, sends the pieces one after the other with a pause between them, ends its side if it is to, and reads to
    /// the end.
    package static func talk(
        _ port: Int,
        _ pieces: [[UInt8]],
        pause: Double = 0,
        endsSending: Bool = false,
        timeLimit: Double = 50,
        overIPv6: Bool = false
    ) async throws -> Reply {
        try await onThread {
            let client = try RawClient(port: port, overIPv6: overIPv6)
            defer { client.close() }
            for (index, piece) in pieces.enumerated() {
                // Lets the pieces be read one by one; that they are is not asserted.
                if index > 0, pause > 0 { usleep(UInt32(pause * 1e6)) }
                client.send(piece)
            }
            if endsSending { client.endSending() }
            return client.receive(timeLimit: timeLimit)
        }
    }

    package static func talk(
        _ port: Int,
        _ text: String,
        endsSending: Bool = false,
        timeLimit: Double = 20
    ) async throws -> Reply {
        try await talk(port, [Array(text.utf8)], endsSending: endsSending, timeLimit: timeLimit)
    }
}
