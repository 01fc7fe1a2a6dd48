import Conformance
import JOSE
import JSONTree

/// A run whose ID Tokens are not verified yet, because the key set is missing.
///
/// Keys are fetched in parallel with the scenarios, so signatures are verified when both are complete.
struct CollectedRun: Sendable {
    /// An ID Token, and the values that were issued with it.
    struct PendingToken: Sendable {
        /// The step that returned it.
        var step: StepID
        /// Whether it is the body of the response itself: signed or encrypted UserInfo.
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
    /// When its first tokens arrived, by the run's clock (``RunClock/uptime``).
    var openedAt: Double?
    /// The first step that met a server error.
    var brokeAt: StepID?
    /// Values that earlier steps returned; never kept.
    var captured = CapturedValues()
    /// Whether the provider rejected the password that it had accepted earlier in the run.
    var passwordIsRefusedLater = false
    /// The calls that were postponed or got a server error: parts of their request are not sent separately.
    var unanswered: Set<StepID> = []
    /// The access token that UserInfo has accepted; `nil` after a request to revoke it.
    var acceptedToken: Secret?
    /// Whether UserInfo rejected a token that it had accepted: another sign-in of the user may have revoked it.
    var hasLostToken = false
    /// Whether a client was registered that is not deleted yet.
    var owesDeletion = false
    /// Clients that were registered and are still there.
    var left: [UndeletedClient] = []

    /// Continues with the code of another scenario.
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

    /// Whether a token names a key other than these.
    func namesKey(outside kids: Set<String>) -> Bool {
        pending.contains { token in
            let kid = (try? JWS.parse(compact: token.compact.reveal()))?.header["kid"]?.stringValue
            return kid.map { !kids.contains($0) } ?? false
        }
    }

    /// The outcome in the progress of a run.
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

    /// Notes that all steps after the first authorization request were left out: without `--patient`, half-minute waits are
    /// skipped.
    private var leftOut: String {
        let later = run.steps.filter { $0.id.completed != .authorization }
        return !later.isEmpty && later.allSatisfy { !$0.outcome.wasTried } ? ", later steps not attempted" : ""
    }

    /// For a scenario that does not begin with an authorization request: the outcome of its steps.
    private var answers: String {
        let answered = run.steps.count { $0.outcome.value != nil }
        if answered > 0 { return answered == 1 ? "1 response" : "\(answered) responses" }
        return run.steps.contains(where: \.outcome.wasTried) ? "no response" : "not attempted"
    }
}
