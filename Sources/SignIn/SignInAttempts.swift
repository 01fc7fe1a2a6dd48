/// The state of one user's sign-ins, over all browsers of a run: whether the password is worth sending, and how often it may be
/// sent.
///
/// The first sign-in runs to its end before any other, consent included: a provider may fail at several first consents at once.
/// A rejected password is not sent again, because accounts lock after a few failures. Later sign-ins send their passwords one
/// at a time: brute-force detection rejects the correct password while it verifies another one of the same user.
///
/// ``EarlierSignIns`` extends both rules to the runs before this one.
package actor SignInAttempts {
    /// The end of a sign-in on which the user's name or password was sent.
    enum End: Sendable {
        /// At the client, with whatever answer.
        case arrived
        /// At a page that rejected a one-time code: no other is sent, even if another sign-in succeeded.
        case final(StopReason)
        /// At a page that requested the password again, or something that every further attempt makes worse.
        case refused(StopReason)
        /// At a password without a response.
        case unanswered(String)
        /// At a page where another attempt would end as well, unless only this request leads there.
        case barred(String)
        /// Elsewhere: at a page that stopped the sign-in, or at an exchange that failed.
        case elsewhere(String)
        /// Before the password was sent, because the run had sent it as often as it may.
        case withheld
    }

    private enum State {
        case untried
        case underWay
        case accepted
        case over(because: String)
    }

    /// A sign-in that ended elsewhere is retried once, since the request may have been the reason.
    private static let mostFruitless = 2
    /// A password that was accepted before may be requested twice in one sign-in; the third time the provider rejects it.
    private static let mostReturns = 3

    private let budget: SignInBudget?
    private let pace: SignInPace?
    private let past: EarlierSignIns
    private var state = State.untried
    /// Whether the provider's forms have led to the client without JavaScript.
    private(set) var worksWithoutScript = false
    private var fruitless = 0
    private var returns = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether a sign-in with the password has led to the client.
    private(set) var hasAccepted = false
    private var isPasswordInFlight = false
    private var nextPasswords: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - budget: How often passwords may be sent in the whole run; `nil` for as often as the provider asks.
    ///   - pace: How fast this user's are sent; `nil` for as fast as the provider asks.
    ///   - past: Shared with the other runs that sign this user in.
    package init(budget: SignInBudget? = nil, pace: SignInPace? = nil, past: EarlierSignIns = EarlierSignIns()) {
        self.budget = budget
        self.pace = pace
        self.past = past
    }

    /// Waits for the first sign-in, if another browser runs it, and returns why this one must not begin: an earlier one ended
    /// in a way that a retry would not change.
    ///
    /// After an earlier run that ended so, the first reason is the one of that run.
    ///
    /// A caller that may begin must report the end with ``ended(_:)``, whatever happens.
    func begin() async -> StopReason? {
        while case .underWay = state { await withCheckedContinuation { waiting.append($0) } }
        if let reasonToStop { return .signInIsOver(because: reasonToStop) }
        if let rejection = past.rejection {
            state = .over(because: rejection.description)
            return rejection
        }
        if case .untried = state { state = .underWay }
        return nil
    }

    /// Why nothing more may be sent for this user; `nil` while there is no reason.
    var reasonToStop: String? {
        if case .over(let reason) = state { reason } else { nil }
    }

    /// Waits until no other password of this user is in flight.
    ///
    /// The caller must end its turn with ``endTurn()`` and must not wait for another browser of this user until then.
    func takeTurn() async {
        guard isPasswordInFlight else {
            isPasswordInFlight = true
            return
        }
        // The turn is handed over, so the password stays in flight.
        await withCheckedContinuation { nextPasswords.append($0) }
    }

    /// Ends the turn that ``takeTurn()`` began: the provider has responded.
    func endTurn() {
        guard !nextPasswords.isEmpty else {
            isPasswordInFlight = false
            return
        }
        nextPasswords.removeFirst().resume()
    }

    /// Takes one of the times that the password may be sent, and waits until it may; the limit when none is left.
    ///
    /// The caller must have its turn, so that passwords wait one after the other.
    func limitReached() async -> Int? {
        if let budget, !budget.take() { return budget.limit }
        await pace?.next()
        return nil
    }

    /// Records that forms led to the client, without requests of a page's script.
    func completedForms() { worksWithoutScript = true }

    /// Records the end of a sign-in on which the user's name or password was sent.
    func ended(_ end: End) {
        if case .arrived = end { hasAccepted = true }
        switch (state, end) {
        case (.over, _): return
        case (.underWay, .withheld): state = .untried
        case (_, .withheld): break
        case (_, .arrived): state = .accepted
        case (.accepted, .refused(let reason)):
            returns += 1
            if returns >= Self.mostReturns { state = .over(because: reason.description) }
        case (.accepted, .unanswered(let reason)):
            returns += 1
            if returns >= Self.mostReturns { state = .over(because: reason) }
        case (.accepted, .elsewhere), (.accepted, .barred): break
        case (_, .final(let reason)), (_, .refused(let reason)):
            past.note(rejection: reason)
            state = .over(because: reason.description)
        case (_, .unanswered(let reason)), (_, .barred(let reason)): state = .over(because: reason)
        case (_, .elsewhere(let reason)):
            fruitless += 1
            state = fruitless >= Self.mostFruitless ? .over(because: reason) : .untried
        }
        let others = waiting
        waiting = []
        for other in others { other.resume() }
    }
}
