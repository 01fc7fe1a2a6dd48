import JSONTree
import Synchronization

/// The messages of WebDriver BiDi (W3C) and of Chromium's DevTools over one WebSocket: commands with their answers, and events.
final class MessageChannel: Sendable {
    private struct State {
        var next: Int64 = 1
        var waiting: [Int64: Waiting] = [:]
        var events: [JSON] = []
        /// Why there is nothing more to be had.
        var end: BrowserFailure?
    }

    private struct Waiting {
        let seconds: Double
        let end: ContinuousClock.Instant
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private typealias Outcome = Result<JSON, BrowserFailure>

    private let socket: WebSocket
    private let limit: CommandLimit
    /// Receives each event on the socket's thread; returns whether ``events()`` leaves it out.
    private let handle: Handler
    private let state = Mutex(State())
    /// More events than that, unread, are of a page that does not come to rest.
    private static let mostEvents = 20_000

    typealias Handler = @Sendable (JSON) -> Bool

    private init(_ socket: WebSocket, _ limit: CommandLimit, _ handle: @escaping Handler) {
        self.socket = socket
        self.limit = limit
        self.handle = handle
    }

    /// - Parameters:
    ///   - port: Where the browser listens on loopback.
    ///   - handle: Receives each event on the socket's thread; returns whether ``events()`` leaves it out.
    static func connect(
        port: Int,
        path: String,
        limit: CommandLimit,
        handle: @escaping Handler = { _ in false }
    ) async throws(BrowserFailure) -> MessageChannel {
        let (socket, early) = try await WebSocket.connect(port: port, path: path)
        let connection = MessageChannel(socket, limit, handle)
        try socket.start(early: early) { [connection] in connection.receive($0) }
        return connection
    }

    func close() { socket.close() }

    private func receive(_ event: WebSocket.Event) {
        switch event {
        case .text(let bytes):
            if let message = (try? JSONDocument.parse(bytes, depthLimit: 256, valueLimit: JSONDocument.ownValueLimit))?
                .root
            {
                take(message)
            }
        case .tick:
            let now = ContinuousClock.now
            let late = state.withLock { $0.waiting.values.first { $0.end < now } }
            // The page may run without end, so the browser gets no other command.
            if let late { end(CommandLimit.passed(late.seconds)) }
        case .end(let reason): end(BrowserFailure(reason))
        }
    }

    private func end(_ failure: BrowserFailure) {
        let left = state.withLock { state in
            defer { state.waiting = [:] }
            state.end = state.end ?? failure
            return state.waiting.values.map(\.continuation)
        }
        for waiting in left { waiting.resume(returning: .failure(failure)) }
    }

    private func take(_ message: JSON) {
        guard let identifier = message["id"]?.integerValue else {
            if handle(message) { return }
            state.withLock { state in
                if state.events.count < Self.mostEvents { state.events.append(message) }
            }
            return
        }
        let waiting = state.withLock { $0.waiting.removeValue(forKey: identifier)?.continuation }
        if let result = message["result"] {
            waiting?.resume(returning: .success(result))
        } else {
            let texts = [message["error"], message["message"], message["error"]?["message"]]
            let words = texts.compactMap { $0?.stringValue }
            let text = words.map { $0.prefix { $0 != "\n" }.prefix(300) }.joined(separator: ": ")
            waiting?.resume(returning: .failure(BrowserFailure(text)))
        }
    }

    /// Sends a command and waits for its result.
    @discardableResult
    func command(
        _ method: String,
        _ parameters: JSON = [:],
        session: String? = nil
    ) async throws(BrowserFailure) -> JSON {
        let seconds = try limit.seconds()
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let (identifier, end) = state.withLock { state in
                defer { state.next += 1 }
                let waiting = Waiting(seconds: seconds, end: .now + .seconds(seconds), continuation: continuation)
                if state.end == nil { state.waiting[state.next] = waiting }
                return (state.next, state.end)
            }
            if let end {
                continuation.resume(returning: .failure(end))
            } else if !socket.send(Self.text(identifier, method, parameters, session)) {
                // Unless the socket's thread has reported its end.
                let waiting = state.withLock { $0.waiting.removeValue(forKey: identifier)?.continuation }
                waiting?.resume(returning: .failure(BrowserFailure("the browser has ended")))
            }
        }
        return try outcome.get()
    }

    /// Sends a command without waiting for its response.
    func order(_ method: String, _ parameters: JSON = [:], session: String? = nil) throws(BrowserFailure) {
        let identifier = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        guard socket.send(Self.text(identifier, method, parameters, session)) else {
            throw BrowserFailure("the browser has ended")
        }
    }

    /// - Parameter session: The part of the browser that a command of DevTools is for.
    private static func text(_ identifier: Int64, _ method: String, _ parameters: JSON, _ session: String?) -> String {
        var members: [JSONObject.Member] = [
            .init(name: "id", value: .integer(identifier)), .init(name: "method", value: .string(method)),
            .init(name: "params", value: parameters),
        ]
        if let session { members.append(.init(name: "sessionId", value: .string(session))) }
        return JSON.object(JSONObject(members)).serialized()
    }

    /// The events that came since the last time.
    func events() throws(BrowserFailure) -> [JSON] {
        let (events, end) = state.withLock { state in
            defer { state.events = [] }
            return (state.events, state.end)
        }
        if let end, events.isEmpty { throw end }
        return events
    }
}
