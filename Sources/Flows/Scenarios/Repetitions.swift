import Conformance
import JOSE
import JSONTree

/// Decides which conversations are held again.
///
/// What a provider does to several people at once says nothing about how it treats one. So what failed in company is held
/// once more alone, at once. A server error that comes all the same may be one of haste, so the conversation is held a last
/// time with pauses; one that lasts is the provider's answer to such a request, and where no such request is answered
/// otherwise, no other conversation is repeated for it. After pauses once changed nothing, the next error that occurs twice is the
/// provider's answer without a third attempt, unless such a request was answered otherwise. A step that came through before and fails now was failed by
/// something else, such as a connection to a database that an earlier error has left broken: it is held up to twice more.
struct Repetitions {
    /// Seconds before a conversation is held once more with pauses, and before each of its steps.
    ///
    /// A provider may tell by the second alone what was done when: of two tokens within one it makes the same twice.
    static let breath = 1.1
    /// Seconds that a server which says “for now” is given, longer than a restart takes.
    static let recovery = 3.3

    /// The server errors that came again to a conversation held alone: they are answers.
    private var lasting: Set<ServerError> = []
    /// Whether the provider says “for now” to whatever is asked, or has come back from that; `nil` when it never said so.
    ///
    /// Where it is down after a pause, nothing is repeated for that; where it is back, nothing waits for it any more.
    private var isDown: Bool?
    /// Whether an attempt with pauses met the same server error again: the next error that occurs twice is an answer.
    private var pausesDidNotHelp = false
    /// For each conversation the server errors of its latest attempt.
    private var met: [Int: Set<ServerError>] = [:]
    /// How often a conversation is held once more after an attempt with pauses.
    private static let mostOnceMore = 2
    private var heldOnceMore: [Int: Int] = [:]
    /// What broke a control that was held alone.
    private var confirmed: [Cause] = []

    /// The turn without its pauses, where they were for a provider that is back.
    func shortened(_ turn: Schedule.Turn) -> Schedule.Turn {
        guard turn.attempt.hasPauses, turn.delay == Self.recovery, isDown == false else { return turn }
        var turn = turn
        turn.attempt = .alone
        turn.delay = 0
        return turn
    }

    /// Whether a conversation that has ended counts, or is held again.
    ///
    /// - Parameters:
    ///   - attempted: The server errors that this attempt met, and which kinds of requests have been answered in the run.
    ///   - cause: Why it did not end as it should, when it is a control.
    ///   - hadCompany: Whether another was held at the same time.
    mutating func end(
        of turn: Schedule.Turn,
        _ run: CollectedRun,
        _ attempted: Collection.Attempted,
        _ cause: Cause?,
        hadCompany: Bool
    ) -> Schedule.End {
        let isControl = cause != nil
        // The provider may refuse it for what else the person did at that time.
        if turn.attempt == .first, run.passwordIsRefusedLater { return .again(.alone, delay: 0, isUrgent: isControl) }
        let errors = attempted.errors
        let wasAnswered = errors.isEmpty && run.run.steps.contains { $0.outcome.value != nil }
        if wasAnswered, isDown == true { isDown = false }
        // Who is told “for now” again must wait again.
        if errors.contains(where: \.saysForNow), isDown == false { isDown = nil }
        var passing = errors.filter { error in
            if error.saysForNow, isDown == true { return false }
            return !lasting.contains(error) || attempted.answered.contains(error.request)
        }
        let before = met.updateValue(errors, forKey: turn.index) ?? []
        switch turn.attempt {
        case .first where hadCompany:
            let isNews = cause.map { cause in cause.mayBeOfTheCrowd && !confirmed.contains { $0.isSame(as: cause) } }
            let isFailed = isNews ?? run.isDisturbed || !passing.isEmpty
            return isFailed ? .again(.alone, delay: 0, isUrgent: isControl) : .final(cause)
        case .first, .alone:
            if turn.attempt == .alone, pausesDidNotHelp {
                let settled = passing.intersection(before)
                    .filter { !$0.saysForNow && !attempted.answered.contains($0.request) }
                lasting.formUnion(settled)
                passing.subtract(settled)
            }
            guard !passing.isEmpty else {
                if let cause { confirmed.append(cause) }
                return .final(cause)
            }
            let delay = passing.contains(where: \.saysForNow) ? Self.recovery : Self.breath
            return .again(.withPauses(from: run.brokeAt), delay: delay, isUrgent: isControl)
        case .withPauses:
            let times = heldOnceMore[turn.index, default: 0]
            if attempted.isErratic, isDown != true, times < Self.mostOnceMore {
                heldOnceMore[turn.index] = times + 1
                return .again(.withPauses(from: nil), delay: Self.breath, isUrgent: isControl)
            }
            lasting.formUnion(errors)
            let isForNow = errors.contains(where: \.saysForNow)
            if !errors.isEmpty, !isForNow, !attempted.isErratic { pausesDidNotHelp = true }
            if isForNow || turn.delay == Self.recovery { isDown = isForNow }
            if let cause { confirmed.append(cause) }
            return .final(cause)
        }
    }
}

/// A server error as it is told from others: what it was the answer to, and as what it came.
struct ServerError: Hashable, Sendable {
    /// Method, address and the names of the parameters.
    var request: String
    var status: Int
    /// Whether it says that another time will do (RFC 9110 section 15.6.4, RFC 6585 section 4, RFC 6749 section 4.1.2.1).
    var saysForNow: Bool
}

extension Cause {
    /// Whether it may be gone when nobody else is there: not so what was refused for its own sake.
    fileprivate var mayBeOfTheCrowd: Bool {
        switch rung {
        case .authorizationRequest, .codeRedemption, .userInfo: true
        case .signIn: !isRefusedPassword
        // A secret that is refused is sent no second time.
        case .discovery, .keys, .clientAuthentication, .idToken, .limit: false
        }
    }
}

extension CollectedRun {
    /// How far the conversation came, to be compared with another time.
    var reach: Int {
        switch run.steps.first?.outcome {
        case .observed?: 2
        case .absent?: 1
        case .notAttempted?, nil: 0
        }
    }

    /// How many steps have an answer that can be judged.
    var answered: Int { run.steps.count { $0.outcome.value != nil && !unanswered.contains($0.id) } }

    /// Whether the run left out or ended a step because of one of its limits.
    var metLimit: Bool {
        run.steps.contains { [.limit, .keptBack].contains($0.outcome.whyNot?.kind) }
    }

    /// Whether something happened to the person that this conversation did not do: an `auth_time` that is later though nobody
    /// signed in, or a session that is gone though nobody ended it.
    ///
    /// Where a provider keeps one record for all browsers of a person, that is another conversation's doing.
    var isDisturbed: Bool {
        if isOutOfOrder || tellsServerErrorInForm { return true }
        guard let scenario = Scenario.named(run.scenario), !scenario.endsSession, !scenario.hasTwoPersons else {
            return false
        }
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
        // What asks for something wrong ends at an error page by itself.
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
    /// Whether a form told the client of a server error: its page has a status of success, which the recorder sees.
    private var tellsServerErrorInForm: Bool {
        run.steps.contains { step in
            guard let redirect = step.authorization.value?.redirect, redirect.form != nil else { return false }
            return ["server_error", "temporarily_unavailable"].contains(redirect.error)
        }
    }
}

extension Scenario {
    fileprivate var hasTwoPersons: Bool { authorizations.contains { $0.person == .other } }
}

extension CollectedRun.PendingToken {
    /// When the person signed in, as the token says; its signature is not looked at.
    fileprivate var authenticationTime: Double? {
        compact.unverifiedClaims?["auth_time"]?.numberValue
    }
}

extension Secret {
    /// What a token says, for decisions about what to send; nothing is judged by it, since the signature is not looked at.
    var unverifiedClaims: JSONObject? {
        let parts = reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let octets = try? Base64URL.decode(String(parts[1])) else { return nil }
        return (try? JSONDocument.parse(octets))?.root.objectValue
    }
}
