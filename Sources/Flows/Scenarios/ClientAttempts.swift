import Conformance
import JSONTree
import Transport

/// What a run knows of the configured client's credentials: a secret that is refused is not sent over and over.
///
/// The first request with it goes alone, and the others wait for its answer. It is sent once more after a refusal, because a
/// provider may refuse a made-up code in the words for a wrong secret.
actor ClientAttempts {
    private static let mostRefusals = 2

    private var isUnderWay = false
    private var wasTaken = false
    private var refusals = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Why the credentials are not sent; `nil` when they may be.
    ///
    /// Then ``ended(_:at:)`` must be told what came of it.
    func whyNot() async -> String? {
        while isUnderWay { await withCheckedContinuation { waiting.append($0) } }
        if refusals >= Self.mostRefusals {
            return "the token endpoint has refused this client \(refusals) times, and it was not tried again"
        }
        isUnderWay = !wasTaken
        return nil
    }

    /// Takes note of an answer; `nil` where none came.
    ///
    /// Other endpoints than that for tokens may refuse for reasons of their own.
    func ended(_ response: HTTPResponse?, at endpoint: String) {
        if let response, endpoint == "token_endpoint" {
            let error = (try? JSONDocument.parse(response.body))?.root["error"]?.stringValue
            if response.status == 401 || error == "invalid_client" {
                if !wasTaken { refusals += 1 }
            } else {
                wasTaken = true
            }
        }
        isUnderWay = false
        let others = waiting
        waiting = []
        for other in others { other.resume() }
    }
}
