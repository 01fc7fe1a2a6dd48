import CLibevent

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// All servers of the process and their connections, on one thread.
///
/// Its state is accessed only on the loop's thread, which runs libevent's callbacks and, by ``LoopThread``, the jobs of this
/// actor. Handlers run elsewhere, so that a slow one blocks no other connection.
actor ServingLoop {
    typealias Handler = @Sendable (ServedRequest) async -> ServedAnswer

    struct Server {
        let listener: OpaquePointer
        let identity: ServerIdentity?
        let limits: ServerLimits
        let handler: Handler
        var connections: Set<UInt> = []
        var isStopping = false
        /// Continuations that wait until the last connection closes.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The only instance of the process, created with the first server.
    static let shared = Result { () throws(ServingError) in try ServingLoop() }

    let thread: LoopThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    var servers: [UInt: Server] = [:]
    var connections: [UInt: Connection] = [:]
    /// Never zero, which is a null pointer, and never reused.
    private var lastNumber: UInt = 0

    private init() throws(ServingError) {
        thread = try LoopThread(woken: { _, _, _ in
            if let loop = try? ServingLoop.shared.get() { loop.thread.runJobs() }
        })
        try thread.start()
    }

    /// Enters the actor from a libevent callback, whose pointer argument is a number.
    nonisolated static func enter(
        _ context: UnsafeMutableRawPointer?,
        _ body: @Sendable (isolated ServingLoop, UInt) -> Void
    ) {
        guard let loop = try? shared.get() else { return }
        let number = UInt(bitPattern: context)
        loop.assumeIsolated { loop in body(loop, number) }
    }

    private func number() -> UInt {
        lastNumber += 1
        return lastNumber
    }

    /// Opens a server; connections are accepted when this returns.
    func listen(
        on address: SocketAddress,
        place: String,
        _ identity: ServerIdentity?,
        _ limits: ServerLimits,
        _ handler: @escaping Handler
    ) throws(ServingError) -> (server: UInt, port: Int) {
        let number = number()
        let context = UnsafeMutableRawPointer(bitPattern: number)
        let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE
        let listener = address.withPointer { address, length in
            evconnlistener_new_bind(
                thread.base,
                { _, socket, _, _, context in ServingLoop.enter(context) { $0.accept(socket, of: $1) } },
                context,
                UInt32(flags),
                256,
                address,
                Int32(length)
            )
        }
        guard let listener = listener ?? nil else {
            throw .address(place: place, reason: String(cString: strerror(errno)))
        }
        evconnlistener_set_error_cb(listener) { _, context in ServingLoop.enter(context) { $0.pauseAccepting(of: $1) } }
        servers[number] = Server(listener: listener, identity: identity, limits: limits, handler: handler)
        return (number, SocketAddress.bound(to: evconnlistener_get_fd(listener)).port)
    }

    /// Pauses accepting while the process has no descriptor or memory left; the system queues the connections.
    private func pauseAccepting(of number: UInt) {
        guard let listener = servers[number]?.listener else { return }
        evconnlistener_disable(listener)
        Task {
            try? await Task.sleep(for: .milliseconds(50))
            guard let server = servers[number], !server.isStopping else { return }
            evconnlistener_enable(server.listener)
        }
    }

    private func accept(_ socket: Int32, of number: UInt) {
        guard let server = servers[number], server.connections.count < server.limits.connections else {
            close(socket)
            return
        }
        let connection = Connection(
            socket: socket,
            base: thread.base,
            server: number,
            identity: server.identity,
            limits: server.limits
        )
        guard let connection else { return }
        let identifier = self.number()
        connections[identifier] = connection
        servers[number]?.connections.insert(identifier)
        connection.open(
            identifier,
            { _, context in ServingLoop.enter(context) { $0.takeInput(of: $1) } },
            { _, context in ServingLoop.enter(context) { $0.outputIsSent(of: $1) } },
            { _, what, context in ServingLoop.enter(context) { $0.takeEvent(Int32(what), of: $1) } }
        )
    }

    /// Closes a connection and removes it.
    func drop(_ identifier: UInt) {
        guard let connection = connections.removeValue(forKey: identifier) else { return }
        switch connection.phase {
        case .answering(let task): task.cancel()
        case .tunnelling(let far): far.free()
        case .reading, .flushing, .lingering: break
        }
        connection.free()
        servers[connection.server]?.connections.remove(identifier)
        endServer(connection.server)
    }

    /// Removes a stopping server after its last connection.
    private func endServer(_ number: UInt) {
        guard let server = servers[number], server.isStopping, server.connections.isEmpty else { return }
        servers[number] = nil
        for continuation in server.waiting { continuation.resume() }
    }

    /// Stops a server: accepts no more connections, closes idle ones, and waits for the others until `timeLimit`
    /// returns.
    func stop(_ number: UInt, _ timeLimit: @escaping @Sendable () async -> Void) async {
        guard let server = servers[number] else { return }
        if !server.isStopping {
            servers[number]?.isStopping = true
            evconnlistener_free(server.listener)
            for identifier in server.connections {
                guard let connection = connections[identifier] else { continue }
                connection.isLast = true
                if connection.isIdle { end(connection, identifier) }
            }
            endServer(number)
        }
        if servers[number] != nil {
            let timer = Task {
                await timeLimit()
                guard !Task.isCancelled else { return }
                for identifier in servers[number]?.connections ?? [] { drop(identifier) }
            }
            await withCheckedContinuation { servers[number]?.waiting.append($0) }
            timer.cancel()
        }
        // libevent closes freed connections in the next iteration of its loop; this waits for that.
        await Task.yield()
    }
}
