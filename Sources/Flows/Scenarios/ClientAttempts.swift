import Conformance
import JSONTree

/// The state of the clients' credentials in a run: a rejected secret is not sent again.
///
/// The first request with it runs before any other, and the others wait for its response.
actor ClientAttempts {
    private struct State {
        var isUnderWay = false
        var wasAccepted = false
        var wasRefused = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private var states: [String: State] = [:]

    /// Why the credentials are not sent; `nil` when they may be.
    ///
    /// Then the outcome must be reported to ``ended(_:by:at:)``.
    func whyNot(_ client: String) async -> String? {
        while states[client]?.isUnderWay == true {
            await withCheckedContinuation { states[client, default: State()].waiting.append($0) }
        }
        if states[client]?.wasRefused == true { return Cause.refusedBefore }
        states[client, default: State()].isUnderWay = states[client]?.wasAccepted != true
        return nil
    }

    func isRefused(_ client: String) -> Bool { states[client]?.wasRefused == true }

    /// Takes note of an answer; `nil` where none came.
    ///
    /// Endpoints other than the token endpoint may reject for their own reasons.
    func ended(_ response: Exchange.Response?, by client: String, at endpoint: String) {
        var state = states[client, default: State()]
        if let response, endpoint == "token_endpoint", !state.wasAccepted {
            let json = response.body.bytes.flatMap { try? JSONDocument.parse($0) }?.root
            let outcome = Outcome(of: response, json, endpoint: endpoint)
            state.wasRefused = Outcome.refusesClient(status: response.status, error: json?["error"]?.stringValue)
            // Any other error may have come before the provider checked the credentials.
            state.wasAccepted = outcome == .granted || outcome == .refused(.error("invalid_grant"))
        }
        state.isUnderWay = false
        let others = state.waiting
        state.waiting = []
        states[client] = state
        for other in others { other.resume() }
    }
}
