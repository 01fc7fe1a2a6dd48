import CLibevent
import COpenSSL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One connection of a client: libevent's buffers, and what is being done with them.
///
/// It belongs to ``ServingLoop``. libevent knows it by a number, which the loop looks up: a callback that comes late
/// finds nothing.
final class Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of one.
        case reading
        /// A handler is at work; what is pipelined waits in libevent's buffer, which is bounded.
        case answering(Task<Void, Never>)
        /// The last answer is on its way.
        case flushing
        /// All is sent, and the client's end is awaited.
        case lingering
    }

    let server: UInt
    let localAddress: String
    var phase = Phase.reading
    var reader: RequestReader
    /// About the request that is being answered.
    var exchange = AnswerWriter.Exchange()
    /// When the request that has begun must be whole, or lingering ends.
    var deadline: ContinuousClock.Instant?
    /// Whether the next answer is the last, because the server stops.
    var isLast = false
    /// Whether the client has ended its side.
    var hasEnded = false
    /// Whether nothing can be sent any more.
    var isBroken = false
    private let stream: OpaquePointer

    /// Takes over an accepted socket.
    ///
    /// Without memory for it, this is `nil` and the socket is closed.
    init?(socket: Int32, base: OpaquePointer, server: UInt, identity: ServerIdentity?, limits: ServerLimits) {
        // Answers are written whole: there is nothing to wait for, as Nagle's algorithm would.
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
        // Reading pauses when so much waits, until it is taken.
        bufferevent_setwatermark(stream, Int16(EV_READ), 0, 64 << 10)
    }

    /// Begins to take and to send octets; the callbacks are told of them with the connection's number.
    func open(
        _ number: UInt,
        _ read: bufferevent_data_cb,
        _ written: bufferevent_data_cb,
        _ event: bufferevent_event_cb
    ) {
        bufferevent_setcb(stream, read, written, event, UnsafeMutableRawPointer(bitPattern: number))
        resume()
    }

    /// Reads on after libevent has stopped at a timeout.
    func resume() {
        bufferevent_enable(stream, Int16(EV_READ | EV_WRITE))
    }

    func setTimeouts(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timeval(tv_sec: Int(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
        bufferevent_set_timeouts(stream, &time, &time)
    }

    /// Octets that wait to be sent.
    var outputCount: Int { evbuffer_get_length(bufferevent_get_output(stream)) }

    /// Whether nothing of a request has arrived that is not answered.
    var isIdle: Bool {
        guard case .reading = phase else { return false }
        return !reader.hasBegun && evbuffer_get_length(bufferevent_get_input(stream)) == 0
    }

    /// Moves what has arrived to the reader.
    func takeInput() {
        let count = evbuffer_get_length(bufferevent_get_input(stream))
        reader.take(
            [UInt8](unsafeUninitializedCapacity: count) { octets, taken in
                taken = bufferevent_read(stream, octets.baseAddress, count)
            }
        )
    }

    func dropInput() {
        let input = bufferevent_get_input(stream)
        evbuffer_drain(input, evbuffer_get_length(input))
    }

    func write(_ octets: [UInt8]) {
        if bufferevent_write(stream, octets, octets.count) != 0 { isBroken = true }
    }

    /// Says that nothing follows: close_notify over TLS (RFC 8446 section 6.1), and the end of the TCP stream.
    func endOutput() {
        notifyClose()
        shutdown(bufferevent_getfd(stream), Int32(SHUT_WR))
    }

    /// Closes the socket and frees everything, when the loop comes round next.
    func free() {
        notifyClose()
        // Octets that nobody has read make closing a reset, which may overtake an answer: those that are here are dropped,
        // up to a mebibyte. The socket does not block.
        var octets = [UInt8](repeating: 0, count: 16 << 10)
        var rounds = 64
        while rounds > 0, recv(bufferevent_getfd(stream), &octets, octets.count, 0) > 0 { rounds -= 1 }
        bufferevent_free(stream)
    }

    private func notifyClose() {
        guard let tls = bufferevent_openssl_get_ssl(stream) else { return }
        SSL_shutdown(tls)
        ERR_clear_error()
    }
}
