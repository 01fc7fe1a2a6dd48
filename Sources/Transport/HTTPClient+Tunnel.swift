import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Receives the socket of a connection that was opened for another protocol; closes it if no caller takes it.
final class SocketHolder: Sendable, Hashable {
    private let socket = Mutex<Int32?>(nil)

    deinit {
        if let left = take() { close(left) }
    }

    func put(_ descriptor: Int32) { socket.withLock { $0 = descriptor } }

    func take() -> Int32? {
        socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
    }

    static func == (left: SocketHolder, right: SocketHolder) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HTTPClient {
    /// Opens a connection by the rules of an https request to the host: its addresses, the address policy, and the proxy.
    ///
    /// Nothing is sent over it. It counts neither as a request nor towards a pause.
    ///
    /// - Parameter host: A name or an address; an IPv6 address is in brackets.
    /// - Returns: A socket, which the caller closes.
    package func connect(to host: String, port: Int) async -> Result<Int32, TransportFailure> {
        var request = HTTPRequest(url: "http://\(host):\(port)/")
        let socketHolder = SocketHolder()
        request.socket = socketHolder
        let exchange = await sender.send(request)
        if let socket = socketHolder.take() { return .success(socket) }
        let place = WebURL("https://\(host):\(port)/")?.hostAndPort ?? ""
        var failure = exchange.failure ?? TransportFailure(step: .connecting, host: place, cause: .cancelled)
        failure.host = place
        return .failure(failure)
    }
}
