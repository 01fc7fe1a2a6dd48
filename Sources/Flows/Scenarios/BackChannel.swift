import Conformance
import Listening
import Transport

/// The messages that the provider sends directly to the client.
struct BackChannel: Sendable {
    /// Seconds after the last scenario in which a message may still arrive.
    private static let timeLimit = 3.0

    private enum State: Sendable {
        case listening(Listener)
        case unavailable(String)
        case notWanted(String)
    }

    private let state: State

    /// Listens where the configuration says, when the plan has a logout.
    static func open(for plan: Plan) async -> BackChannel {
        guard plan.scenarios.contains(where: { $0.id == Scenario.logout.id }) else {
            return BackChannel(state: .notWanted(Scenario.logout.whyUnmet(plan.target) ?? "the run tested no logout"))
        }
        guard let place = plan.target.logout.backChannelListener else {
            return BackChannel(state: .notWanted("no logout.back_channel_listener in the configuration"))
        }
        guard let url = WebURL("http://" + place), let port = url.port else {
            return BackChannel(state: .unavailable("“\(place)” is not HOST:PORT"))
        }
        do {
            let listener = try await Listener.listen(host: url.host, port: port) { request in
                request.method == "POST" || request.target.contains("logout_token=")
            }
            return BackChannel(state: .listening(listener))
        } catch {
            return BackChannel(state: .unavailable(error.description))
        }
    }

    /// Ends listening and returns the received messages, every logout token parsed.
    ///
    /// - Parameters:
    ///   - logout: The run of the logout; without one, nothing is waited for.
    ///   - trials: Tries every published key.
    ///   - clock: Seconds since 1970.
    func close(
        after logout: CollectedRun?,
        trials: TokenTrials,
        clock: @Sendable () -> Double
    ) async -> Observation<[BackChannelMessage]> {
        switch state {
        case .notWanted(let why): return .notAttempted(why)
        case .unavailable(let why): return .absent(why)
        case .listening(let listener):
            let ended = logout?.run.authorization(.logout).value != nil
            let messages = await Self.messages(at: listener, wait: ended, trials, clock)
            let isFull = listener.isFull
            await listener.stop()
            guard ended else { return .absent("no logout took place") }
            return Self.ofTheProvider(messages, areAll: !isFull)
        }
    }

    /// The messages so far, the last of them signed by the provider if one comes in time: a stranger's does not end the wait.
    static func messages(
        at listener: Listener,
        wait: Bool,
        _ trials: TokenTrials,
        _ clock: @Sendable () -> Double
    ) async -> [BackChannelMessage] {
        let deadline = clock() + timeLimit
        var messages: [BackChannelMessage] = []
        while true {
            messages += listener.requests.dropFirst(messages.count).map { message($0, trials, receivedAt: clock()) }
            guard wait, !messages.contains(where: \.isSigned), clock() < deadline, !Task.isCancelled else {
                return messages
            }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
    }

    /// The messages that the provider has sent; other hosts can reach the port too.
    ///
    /// Only a signature proves the sender. Without any, the messages with a logout token are the provider's, and without
    /// those all are.
    ///
    /// - Parameter areAll: Whether no further message came.
    static func ofTheProvider(
        _ messages: [BackChannelMessage],
        areAll: Bool
    ) -> Observation<[BackChannelMessage]> {
        let signed = messages.filter(\.isSigned)
        if !signed.isEmpty { return .observed(signed) }
        guard areAll else {
            return .absent(
                "more than \(messages.count) messages reached logout.back_channel_listener, none with a signature of the provider"
            )
        }
        let withToken = messages.filter { $0.token != nil }
        return .observed(withToken.isEmpty ? messages : withToken)
    }

    private static func message(
        _ request: ReceivedRequest,
        _ trials: TokenTrials,
        receivedAt: Double
    ) -> BackChannelMessage {
        let form = FormParameters(parsing: String(decoding: request.body, as: UTF8.self)).items
        let token = form.first { $0.name == "logout_token" }
            .map { parameter in
                trials.facts(
                    about: CollectedRun.PendingToken(
                        step: .logout,
                        compact: Secret(parameter.value),
                        receivedAt: receivedAt
                    )
                )
            }
        return BackChannelMessage(
            method: request.method,
            contentType: request.contentType,
            parameters: form.map(\.name),
            token: token
        )
    }
}

extension BackChannelMessage {
    /// Whether a key of the provider verifies its logout token.
    fileprivate var isSigned: Bool { token?.trials.contains(where: \.isVerified) == true }
}
