import Conformance
import JOSE
import JSONTree

/// Decides which scenarios are repeated.
///
/// A failure with several parallel users shows nothing about a single user. So a scenario that failed in parallel is repeated
/// once, immediately and serially. A server error that remains may be a matter of load, so the scenario is repeated a last time
/// with pauses. One that lasts is the provider's response to such a request. If no such request gets another response, no other
/// scenario is repeated for it. After pauses once changed nothing, the next error that occurs twice is the provider's response
/// without a third attempt, unless such a request succeeded. After two futile pauses without any success, that also applies if
/// such a request succeeded elsewhere. A step that succeeded before and fails now has another reason, such as a database
/// connection that an earlier error left broken: it is repeated up to twice more.
struct Repetitions {
    /// Seconds before a scenario is repeated with pauses, and before each of its steps.
    ///
    /// Some providers use timestamps in seconds: they issue the same token twice within one second.
    static let breath = 1.1
    /// Seconds that a server with a temporary error is given, longer than a restart takes.
    static let recovery = 3.3

    /// The server errors that recurred in a serial repetition: they are responses.
    private var lasting: Set<ServerError> = []
    /// For each endpoint that reported a temporary error: whether it still did after a pause, or has recovered since.
    ///
    /// A rate limit of one endpoint leaves the others working. If one is down, nothing is repeated for that; if it has
    /// recovered, nothing waits for it any more.
    private var isDown: [String: Bool] = [:]
    /// How many attempts with pauses met a server error again: the next error that occurs twice is an answer.
    private var futilePauses = 0
    /// Whether a scenario had no server error after pauses.
    private var pausesHelped = false
    /// For each scenario the server errors of its latest attempt.
    private var met: [Int: Set<ServerError>] = [:]
    /// How often a scenario is repeated after an attempt with pauses.
    private static let mostOnceMore = 2
    private var repetitionsAfterPauses: [Int: Int] = [:]
    /// Causes that broke a baseline scenario in a serial run.
    private var confirmed: [Cause] = []

    /// The turn without its pauses, where they were for endpoints that have recovered, or that failed again after a pause.
    func shortened(_ turn: Schedule.ScheduledScenario) -> Schedule.ScheduledScenario {
        guard turn.attempt.hasPauses, turn.delay == Self.recovery,
            endpoints(of: met[turn.index] ?? []).allSatisfy({ isDown[$0] != nil })
        else { return turn }
        var turn = turn
        turn.attempt = .alone
        turn.delay = 0
        return turn
    }

    /// Whether an ended scenario counts, or is repeated.
    ///
    /// - Parameters:
    ///   - attempted: The server errors that this attempt met, and which kinds of requests have been answered in the run.
    ///   - cause: Why it did not end as it should, if it is a baseline scenario.
    ///   - ranConcurrently: Whether another ran in parallel.
    mutating func end(
        of turn: Schedule.ScheduledScenario,
        _ run: CollectedRun,
        _ attempted: Collection.AttemptResult,
        _ cause: Cause?,
        ranConcurrently: Bool
    ) -> Schedule.End {
        let isBaseline = cause != nil
        // The provider may reject it for something else that the user did at that time.
        if turn.attempt == .first, run.passwordIsRefusedLater { return .again(.alone, delay: 0, isUrgent: isBaseline) }
        let errors = attempted.errors
        let failing = endpoints(of: errors)
        for endpoint in attempted.endpoints.subtracting(failing) where isDown[endpoint] == true {
            isDown[endpoint] = false
        }
        // A new temporary error requires another wait.
        for endpoint in failing where isDown[endpoint] == false { isDown[endpoint] = nil }
        var passing = errors.filter { error in
            if error.isTemporary, isDown[error.endpoint] == true { return false }
            return !lasting.contains(error) || attempted.answered.contains(error.request)
        }
        let before = met.updateValue(errors, forKey: turn.index) ?? []
        switch turn.attempt {
        case .first where ranConcurrently:
            let isNews = cause.map { cause in cause.mayBeOfTheCrowd && !confirmed.contains { $0.isSame(as: cause) } }
            let isFailed = isNews ?? run.isDisturbed || !passing.isEmpty
            return isFailed ? .again(.alone, delay: 0, isUrgent: isBaseline) : .final(cause)
        case .first, .alone:
            if turn.attempt == .alone, futilePauses > 0 {
                let areFutile = futilePauses > 1 && !pausesHelped
                let settled = passing.intersection(before)
                    .filter { !$0.isTemporary && (areFutile || !attempted.answered.contains($0.request)) }
                lasting.formUnion(settled)
                passing.subtract(settled)
            }
            guard !passing.isEmpty else {
                if let cause { confirmed.append(cause) }
                return .final(cause)
            }
            let delay = passing.contains(where: \.isTemporary) ? Self.recovery : Self.breath
            return .again(.withPauses(from: run.brokeAt), delay: delay, isUrgent: isBaseline)
        case .withPauses:
            let times = repetitionsAfterPauses[turn.index, default: 0]
            if attempted.isErratic, !isDown.values.contains(true), times < Self.mostOnceMore {
                repetitionsAfterPauses[turn.index] = times + 1
                return .again(.withPauses(from: nil), delay: Self.breath, isUrgent: isBaseline)
            }
            lasting.formUnion(errors)
            if errors.isEmpty, !before.isEmpty { pausesHelped = true }
            if !errors.isEmpty, failing.isEmpty, !attempted.isErratic { futilePauses += 1 }
            // A repetition that ended earlier shows nothing about the endpoint.
            for endpoint in endpoints(of: before).intersection(attempted.endpoints) { isDown[endpoint] = false }
            for endpoint in failing { isDown[endpoint] = true }
            if let cause { confirmed.append(cause) }
            return .final(cause)
        }
    }

    /// The endpoints that reported a temporary error.
    private func endpoints(of errors: Set<ServerError>) -> Set<String> {
        Set(errors.filter(\.isTemporary).map(\.endpoint))
    }
}

/// The identity of a server error: the request, and its form.
struct ServerError: Hashable, Sendable {
    /// The address without its query.
    var endpoint: String
    /// Method, address and the names of the parameters.
    var request: String
    var status: Int
    /// Whether it is temporary (RFC 9110 section 15.6.4, RFC 6585 section 4, RFC 6749 section 4.1.2.1).
    var isTemporary: Bool
}

extension Cause {
    /// Whether it may disappear in a serial run: not if the request itself was rejected.
    fileprivate var mayBeOfTheCrowd: Bool {
        switch signInStep {
        case .authorizationRequest, .codeRedemption, .userInfo: true
        case .signIn: !isRefusedPassword
        // A rejected secret is not sent again.
        case .discovery, .keys, .clientAuthentication, .idToken, .limit: false
        }
    }
}

extension CollectedRun {
    /// How far the scenario got, to compare with another attempt.
    var reach: Int {
        switch run.steps.first?.outcome {
        case .observed?: 2
        case .absent?: 1
        case .notAttempted?, nil: 0
        }
    }

    /// How many steps have a response that can be evaluated.
    var answered: Int { run.steps.count { $0.outcome.value != nil && !unanswered.contains($0.id) } }

    /// Whether the run left out or ended a step because of one of its limits.
    var metLimit: Bool {
        run.steps.contains { [.limit, .withheld].contains($0.outcome.whyNot?.kind) }
    }

    /// Whether something affected the user that this scenario did not do: an `auth_time` that is later without a sign-in, a
    /// session that ended without a logout, or a token without a revocation.
    ///
    /// If a provider keeps one record for all browsers of a user, another scenario did it.
    var isDisturbed: Bool {
        if isOutOfOrder || returnsServerErrorInForm { return true }
        guard let scenario = Scenario.named(run.scenario) else { return false }
        if hasLostSession(scenario) { return true }
        if scenario.endsSession || scenario.hasTwoUsers { return false }
        if hasLostToken { return true }
        var last: Double?
        for step in scenario.steps where step.authorizationRequest != nil && scenario.step(step.id.token) != nil {
            let time = pending.last { $0.step.completed == step.id }.flatMap { $0.authenticationTime }
            let isFirst = step.id == .authorization
            if !isFirst, let last, let time, time > last, run[step.id]?.filledCredentials != true { return true }
            last = time ?? last
            if !isFirst, run.authorization(step.id).value?.redirect?.error == "login_required" { return true }
        }
        return isGrantedWhenExpired(scenario)
    }
}

extension CollectedRun {
    /// Whether a session was gone after a logout request that the user did not confirm: another sign-in may have ended it.
    private func hasLostSession(_ scenario: Scenario) -> Bool {
        scenario.steps.contains { step in
            guard case .endSession(let request) = step.request, !request.isConfirmed else { return false }
            return run.authorization(step.id.afterwards).value?.redirect?.error == "login_required"
        }
    }

    /// Whether the provider granted an expired `max_age` without a sign-in, as it may if the user signed in to another browser meanwhile.
    private func isGrantedWhenExpired(_ scenario: Scenario) -> Bool {
        scenario.steps.contains { step in
            step.authorizationRequest?.hasExpiredAge == true && run[step.id]?.filledCredentials != true
                && run.authorization(step.id).value?.redirect?.isGrant == true
        }
    }

    /// Whether a way that forms had been sent on ended at an error page, or with an error that no specification knows:
    /// another's sign-in may have ended this one's session, or a storage have failed under both.
    var isOutOfOrder: Bool {
        // A request for something invalid ends at an error page for that reason.
        guard Scenario.named(run.scenario)?.tier != .unauthenticated,
            run.visits.contains(where: { !$0.filled.isEmpty || $0.pressed != nil })
        else { return false }
        if case .absent = run.authorization, let page = run.visits.last?.page, page.isError { return true }
        return run.steps.contains { step in
            switch step.authorization.value?.ending {
            case .page(let page)?: page.isError && step.filledCredentials
            case .redirected(let redirect)?: redirect.error == "error"
            case nil: false
            }
        }
    }
}

extension CollectedRun {
    /// Whether a form reported a server error to the client: its page has a success status, which the recorder sees.
    private var returnsServerErrorInForm: Bool {
        run.steps.contains { step in
            guard let redirect = step.authorization.value?.redirect, redirect.form != nil else { return false }
            return ["server_error", "temporarily_unavailable"].contains(redirect.error)
        }
    }
}

extension Scenario {
    fileprivate var hasTwoUsers: Bool { authorizations.contains { $0.user == .other } }
}

extension CollectedRun.PendingToken {
    /// When the user signed in, according to the token; its signature is not verified.
    fileprivate var authenticationTime: Double? {
        compact.unverifiedClaims?["auth_time"]?.numberValue
    }
}

extension Secret {
    /// The claims of a token, for decisions about further requests; no check uses them, since the signature is not verified.
    var unverifiedClaims: JSONObject? {
        let parts = reveal().compactParts
        guard parts.count == 3, let bytes = try? Base64URL.decode(String(parts[1])) else { return nil }
        return (try? JSONDocument.parse(bytes))?.root.objectValue
    }
}
