import Conformance
import JOSE

/// A run whose ID Tokens still wait for the key set.
///
/// Keys are fetched while the conversations are held, so signatures are tried when both are there.
struct CollectedRun: Sendable {
    /// An ID Token and what was issued with it.
    struct PendingToken: Sendable {
        /// The step that brought it.
        var step: StepID
        /// Whether it is the body of the answer itself: signed or encrypted UserInfo.
        var isBody = false
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
    /// When its first tokens had come, by the run's clock (``RunClock/uptime``).
    var openedAt: Double?
    /// The first step that met a server error.
    var brokeAt: StepID?
    /// What earlier steps brought; never kept.
    var captured = CapturedValues()
    /// Whether the provider refused the password that it had accepted earlier in the run.
    var passwordIsRefusedLater = false
    /// The calls that were put off or met a server error: what they ask for among other things is not asked for by itself.
    var unanswered: Set<StepID> = []
    /// Whether a client was registered that nobody has asked to delete yet.
    var owesDeletion = false
    /// Clients that were registered and are still there.
    var left: [LeftClient] = []

    /// Goes on with the code of another conversation.
    mutating func take(_ lent: CodeChain.Code) {
        run[.authorization]?.sent = lent.authorization.sent
        run[.authorization]?.outcome = lent.authorization.outcome
        run[.authorization]?.lentBy = lent.authorization.lentBy ?? lent.scenario
        captured = lent.captured
    }

    /// The run with every ID Token taken apart and tried with every key.
    func finished(with trials: TokenTrials) -> ScenarioRun {
        var run = run
        for token in pending {
            let facts = trials.facts(about: token)
            switch run[token.step]?.outcome {
            case .observed(.authorization(var answer))?:
                answer.idToken = facts
                run[token.step]?.outcome = .observed(.authorization(answer))
            case .observed(.answer(var answer))?:
                if token.isBody { answer.jwt = facts } else { answer.idToken = facts }
                run[token.step]?.outcome = .observed(.answer(answer))
            case .absent?, .notAttempted?, nil: break
            }
        }
        return run
    }

    /// What the outcome is called in the progress of a run.
    var outcome: String {
        guard let first = run[.authorization] else { return answers }
        switch first.authorization {
        case .observed(let answer):
            guard let redirect = answer.redirect else { return "ended on a page" }
            return (redirect.error.map { "error \($0.quoted)" } ?? "arrived") + leftOut
        case .absent: return "not completed"
        case .notAttempted: return "not attempted"
        }
    }

    /// That all steps beside the first authorization request were left out: what waits half a minute does without `--patient`.
    private var leftOut: String {
        let later = run.steps.filter { $0.id.completed != .authorization }
        return !later.isEmpty && later.allSatisfy { !$0.outcome.wasTried } ? ", later steps not attempted" : ""
    }

    /// Of a conversation that does not begin with an authorization request: what came of its steps.
    private var answers: String {
        let answered = run.steps.count { $0.outcome.value != nil }
        if answered > 0 { return answered == 1 ? "answered" : "\(answered) answers" }
        return run.steps.contains(where: \.outcome.wasTried) ? "no answer" : "not attempted"
    }
}
