import CLibevent

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The far end of a tunnel (RFC 9110 section 9.3.6): libevent's buffers of the socket that the handler connected.
final class TunnelEnd {
    let stream: OpaquePointer
    /// Whether the far server has ended its side.
    var hasEnded = false

    /// Adopts a socket; without enough memory, this is `nil` and the socket is closed.
    init?(socket: Int32, base: OpaquePointer) {
        evutil_make_socket_nonblocking(socket)
        guard let stream = bufferevent_socket_new(base, socket, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
            close(socket)
            return nil
        }
        self.stream = stream
        bufferevent_setwatermark(stream, Int16(EV_READ), 0, 64 << 10)
    }

    /// Closes the socket and frees everything in the next iteration of the loop.
    func free() { bufferevent_free(stream) }
}

/// Copies bytes between a client and another socket, in memory of bounded size.
extension ServingLoop {
    /// Bytes that wait to be sent to one end before no more are read from the other.
    private static let mostWaiting = 256 << 10

    /// Sends the response to CONNECT, and copies all that follows it.
    func open(_ socket: Int32, _ answer: ServedAnswer, on connection: Connection, _ identifier: UInt) {
        guard let far = TunnelEnd(socket: socket, base: thread.base) else {
            drop(identifier)
            return
        }
        connection.phase = .tunnelling(far)
        connection.write(AnswerWriter.bytes(of: answer, AnswerWriter.Exchange()).bytes)
        let early = connection.reader.takeRest()
        bufferevent_write(far.stream, early, early.count)
        // Both ends may rest; the server's end closes them.
        bufferevent_set_timeouts(connection.stream, nil, nil)
        bufferevent_setcb(
            far.stream,
            { _, context in ServingLoop.enter(context) { $0.takeUpstreamInput(of: $1) } },
            { _, context in ServingLoop.enter(context) { $0.upstreamOutputIsSent(of: $1) } },
            { _, what, context in ServingLoop.enter(context) { $0.takeUpstreamEvent(Int32(what), of: $1) } },
            UnsafeMutableRawPointer(bitPattern: identifier)
        )
        bufferevent_enable(far.stream, Int16(EV_READ | EV_WRITE))
        copy(from: connection.stream, to: far.stream)
        if connection.hasEnded { carryOn(connection, far, identifier) }
    }

    /// Moves what was received at one end to the other, and stops reading while too much waits there.
    func copy(from source: OpaquePointer, to target: OpaquePointer) {
        let output = bufferevent_get_output(target)
        evbuffer_add_buffer(output, bufferevent_get_input(source))
        if evbuffer_get_length(output) > Self.mostWaiting { bufferevent_disable(source, Int16(EV_READ)) }
    }

    /// Continues when bytes were sent or a side has ended: passes on an end behind its last byte, and reads on otherwise.
    ///
    /// A tunnel of which both sides have ended is closed.
    func carryOn(_ connection: Connection, _ far: TunnelEnd, _ identifier: UInt) {
        var isOpen = false
        for (source, hasEnded, target) in [
            (connection.stream, connection.hasEnded, far.stream), (far.stream, far.hasEnded, connection.stream),
        ] {
            if evbuffer_get_length(bufferevent_get_output(target)) > 0 {
                isOpen = true
            } else if hasEnded {
                shutdown(bufferevent_getfd(target), Int32(SHUT_WR))
            } else {
                isOpen = true
                bufferevent_enable(source, Int16(EV_READ))
            }
        }
        if !isOpen { drop(identifier) }
    }

    private func takeUpstreamInput(of identifier: UInt) {
        guard let (connection, far) = tunnel(identifier) else { return }
        copy(from: far.stream, to: connection.stream)
    }

    private func upstreamOutputIsSent(of identifier: UInt) {
        guard let (connection, far) = tunnel(identifier) else { return }
        carryOn(connection, far, identifier)
    }

    private func takeUpstreamEvent(_ what: Int32, of identifier: UInt) {
        guard let (connection, far) = tunnel(identifier) else { return }
        guard what & BEV_EVENT_EOF != 0 else {
            drop(identifier)
            return
        }
        far.hasEnded = true
        carryOn(connection, far, identifier)
    }

    private func tunnel(_ identifier: UInt) -> (Connection, TunnelEnd)? {
        guard let connection = connections[identifier], case .tunnelling(let far) = connection.phase else { return nil }
        return (connection, far)
    }
}
