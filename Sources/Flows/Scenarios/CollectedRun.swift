import Conformance
import JOSE

/// A run whose ID Tokens still wait for the key set.
///
/// Keys are fetched while the conversations are held, so signatures are tried when both are there.
struct CollectedRun: Sendable {
    enum Place: Sendable {
        case authorization
        case token
        /// The answer to the authorization request, or to the call, of a step after the opening.
        case laterAuthorization(SequelID)
        case laterAnswer(SequelID)
        /// The body of the answer to a call, which is itself a JWT.
        case laterBody(SequelID)
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
        /// The private keys of the client that it was issued to.
        var decryptionKeys: [PrivateKey] = []
    }

    var run: ScenarioRun
    var pending: [PendingToken] = []
    /// What earlier steps brought; never kept.
    var holdings = Holdings()
    /// Clients that were registered and are still there.
    var left: [LeftClient] = []

    /// The run with every ID Token taken apart and tried with every key.
    func finished(with trials: TokenTrials) -> ScenarioRun {
        var run = run
        for token in pending {
            let facts = trials.facts(about: token)
            switch token.place {
            case .authorization: run.authorization = run.authorization.with(facts)
            case .token: run.token = run.token.with(facts)
            case .laterAuthorization(let id):
                run.change(id) { $0.authorization = $0.authorization.with(facts) }
            case .laterAnswer(let id):
                run.change(id) { $0.answer = $0.answer.with(facts) }
            case .laterBody(let id):
                run.change(id) { $0.answer = $0.answer.withBody(facts) }
            }
        }
        return run
    }

    /// What the outcome is called in the progress of a run.
    var outcome: String {
        switch run.authorization {
        case .observed(let answer):
            guard let redirect = answer.redirect else { return "ended on a page" }
            return (redirect.error.map { "error \($0.quoted)" } ?? "arrived") + leftOut
        case .absent: return "not completed"
        case .notAttempted:
            switch run.token {
            case .observed: return "answered"
            case .absent: return "no answer"
            case .notAttempted: return laterOutcome
            }
        }
    }

    /// That all steps after the opening were left out: what waits half a minute does without `--patient`.
    private var leftOut: String {
        let isLeftOut = run.sequels.allSatisfy { step in
            guard case .notAttempted = step.authorization, case .notAttempted = step.answer else { return false }
            return true
        }
        return isLeftOut && !run.sequels.isEmpty ? ", later steps not attempted" : ""
    }

    /// Of a conversation that begins with neither an authorization request nor a call: what came of its steps.
    private var laterOutcome: String {
        let answered = run.sequels.count { $0.authorization.value != nil || $0.answer.value != nil }
        if answered > 0 { return answered == 1 ? "answered" : "\(answered) answers" }
        let isAbsent = run.sequels.contains { step in
            if case .absent = step.answer { return true }
            if case .absent = step.authorization { return true }
            return false
        }
        return isAbsent ? "no answer" : "not attempted"
    }
}

extension ScenarioRun {
    fileprivate mutating func change(_ id: SequelID, _ change: (inout SequelRun) -> Void) {
        guard let index = sequels.firstIndex(where: { $0.id == id }) else { return }
        change(&sequels[index])
    }
}

extension Observation<AuthorizationAnswer> {
    fileprivate func with(_ facts: TokenFacts) -> Self {
        map { answer in
            var answer = answer
            answer.idToken = facts
            return answer
        }
    }
}

extension Observation<TokenAnswer> {
    fileprivate func withBody(_ facts: TokenFacts) -> Self {
        map { answer in
            var answer = answer
            answer.jwt = facts
            return answer
        }
    }

    fileprivate func with(_ facts: TokenFacts) -> Self {
        map { answer in
            var answer = answer
            answer.idToken = facts
            return answer
        }
    }
}
