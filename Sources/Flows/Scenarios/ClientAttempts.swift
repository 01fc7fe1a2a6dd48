import Conformance
import JSONTree
import Transport

/// What a run knows of its clients' credentials: a secret that is refused is not sent again.
///
/// The first request with it goes alone, and the others wait for its answer.
actor ClientAttempts {
    private struct State {
        var isUnderWay = false
        var wasTaken = false
        var wasRefused = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private var states: [String: State] = [:]

    /// Why the credentials are not sent; `nil` when they may be.
    ///
    /// Then ``ended(_:by:at:)`` must be told what came of it.
    func whyNot(_ client: String) async -> String? {
        while states[client]?.isUnderWay == true {
            await withCheckedContinuation { states[client, default: State()].waiting.append($0) }
        }
        if states[client]?.wasRefused == true { return Cause.refusedBefore }
        states[client, default: State()].isUnderWay = states[client]?.wasTaken != true
        return nil
    }

    func isRefused(_ client: String) -> Bool { states[client]?.wasRefused == true }

    /// Takes note of an answer; `nil` where none came.
    ///
    /// Other endpoints than that for tokens may refuse for reasons of their own.
    func ended(_ response: HTTPResponse?, by client: String, at endpoint: String) {
        var state = states[client, default: State()]
        if let response, endpoint == "token_endpoint", !state.wasTaken {
            let error = (try? JSONDocument.parse(response.body))?.root["error"]?.stringValue
            state.wasRefused = Outcome.refusesClient(status: response.status, error: error)
            // Any other error may have been found before anybody looked at the credentials.
            state.wasTaken = response.status == 200 || error == "invalid_grant"
        }
        state.isUnderWay = false
        let others = state.waiting
        state.waiting = []
        states[client] = state
        for other in others { other.resume() }
    }
}
