import Conformance

/// A run whose ID Tokens still wait for the key set.
///
/// Keys are fetched while the conversations are held, so signatures are tried when both are there.
struct CollectedRun: Sendable {
    enum Place: Sendable {
        case authorization
        case token
    }

    /// An ID Token and what was issued with it.
    struct PendingToken: Sendable {
        var place: Place
        var compact: Secret
        var accessToken: Secret?
        var code: Secret?
        var clientSecret: Secret?
        /// Seconds since 1970.
        var receivedAt: Double
    }

    var run: ScenarioRun
    var pending: [PendingToken] = []

    /// The run with every ID Token taken apart and tried with every key.
    func finished(with trials: TokenTrials) -> ScenarioRun {
        var run = run
        for token in pending {
            let facts = trials.facts(about: token)
            switch token.place {
            case .authorization:
                run.authorization = run.authorization.map { answer in
                    var answer = answer
                    answer.idToken = facts
                    return answer
                }
            case .token:
                run.token = run.token.map { answer in
                    var answer = answer
                    answer.idToken = facts
                    return answer
                }
            }
        }
        return run
    }

    /// What the outcome is called in the progress of a run.
    var outcome: String {
        switch run.authorization {
        case .observed(let answer):
            guard let redirect = answer.redirect else { return "ended on a page" }
            return redirect.error.map { "error \($0.quoted)" } ?? "arrived"
        case .absent: return "not completed"
        case .notAttempted:
            switch run.token {
            case .observed: return "answered"
            case .absent: return "no answer"
            case .notAttempted: return "not attempted"
            }
        }
    }
}
