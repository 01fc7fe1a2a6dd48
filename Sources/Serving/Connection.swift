import CLibevent
import COpenSSL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One connection of a client: libevent's buffers, and the state of the exchange.
///
/// ``ServingLoop`` owns it. libevent refers to it by a number that the loop looks up, so a late callback finds nothing.
final class Connection {
    enum Phase {
        /// Waiting for a request or the rest of one.
        case reading
        /// A handler is running; pipelined requests wait in libevent's bounded buffer.
        case answering(Task<Void, Never>)
        /// The last response is being sent.
        case flushing
        /// Everything is sent; waiting for the client to close.
        case lingering
        /// Bytes are copied between the client and another socket.
        case tunnelling(TunnelEnd)
    }

    let server: UInt
    let localAddress: String
    var phase = Phase.reading
    var reader: RequestReader
    /// The exchange of the current request.
    var exchange = AnswerWriter.Exchange()
    /// The deadline of an incomplete request, or of lingering.
    var deadline: ContinuousClock.Instant?
    /// Whether the next response is the last, because the server stops.
    var isLast = false
    /// Whether the client has ended its side.
    var hasEnded = false
    /// Whether sending is no longer possible.
    var isBroken = false
    let stream: OpaquePointer

    /// Adopts an accepted socket.
    ///
    /// Without enough memory, this is `nil` and the socket is closed.
    init?(socket: Int32, base: OpaquePointer, server: UInt, identity: ServerIdentity?, limits: ServerLimits) {
        // Responses are written at once, so Nagle's algorithm would only delay them.
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
        let stream =
            if let identity {
                identity.makeConnection()
                    .flatMap { bufferevent_openssl_socket_new(base, socket, $0, BUFFEREVENT_SSL_ACCEPTING, options) }
            } else {
                bufferevent_socket_new(base, socket, options)
            }
        guard let stream else {
            close(socket)
            return nil
        }
        self.stream = stream
        self.server = server
        localAddress = SocketAddress.bound(to: socket).host
        reader = RequestReader(limits: limits)
        setTimeouts(limits.idleness)
        // Reading pauses at this buffer size until the data is consumed.
        bufferevent_setwatermark(stream, Int16(EV_READ), 0, 64 << 10)
    }

    /// Starts reading and writing; callbacks receive the number of the connection.
    func open(
        _ number: UInt,
        _ read: bufferevent_data_cb,
        _ written: bufferevent_data_cb,
        _ event: bufferevent_event_cb
    ) {
        bufferevent_setcb(stream, read, written, event, UnsafeMutableRawPointer(bitPattern: number))
        resume()
    }

    /// Resumes reading after libevent stopped at a timeout.
    func resume() {
        bufferevent_enable(stream, Int16(EV_READ | EV_WRITE))
    }

    func setTimeouts(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timeval(tv_sec: Int(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
        bufferevent_set_timeouts(stream, &time, &time)
    }

    /// The number of bytes waiting to be sent.
    var outputCount: Int { evbuffer_get_length(bufferevent_get_output(stream)) }

    /// Whether no unanswered request has arrived, not even in part.
    var isIdle: Bool {
        guard case .reading = phase else { return false }
        return !reader.hasBegun && evbuffer_get_length(bufferevent_get_input(stream)) == 0
    }

    /// Moves received bytes to the reader.
    func takeInput() {
        let count = evbuffer_get_length(bufferevent_get_input(stream))
        reader.take(
            [UInt8](unsafeUninitializedCapacity: count) { bytes, taken in
                taken = bufferevent_read(stream, bytes.baseAddress, count)
            }
        )
    }

    func dropInput() {
        let input = bufferevent_get_input(stream)
        evbuffer_drain(input, evbuffer_get_length(input))
    }

    func write(_ bytes: [UInt8]) {
        if bufferevent_write(stream, bytes, bytes.count) != 0 { isBroken = true }
    }

    /// Ends the sending side: close_notify over TLS (RFC 8446 section 6.1), and the end of the TCP stream.
    func endOutput() {
        notifyClose()
        shutdown(bufferevent_getfd(stream), Int32(SHUT_WR))
    }

    /// Closes the socket and frees everything in the next iteration of the loop.
    func free() {
        notifyClose()
        // Unread bytes turn the close into a reset, which may discard a response. So up to one mebibyte is read and
        // dropped. The socket does not block.
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var rounds = 64
        while rounds > 0, recv(bufferevent_getfd(stream), &bytes, bytes.count, 0) > 0 { rounds -= 1 }
        bufferevent_free(stream)
    }

    private func notifyClose() {
        guard let tls = bufferevent_openssl_get_ssl(stream) else { return }
        SSL_shutdown(tls)
        ERR_clear_error()
    }
}
