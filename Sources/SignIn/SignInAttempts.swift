/// What a run knows of one person's sign-ins, over all its browsers: whether the password is worth sending, and how often
/// it may be.
///
/// The first sign-in goes alone to its end, consent included, and the others wait for it: a provider may fail at several
/// first consents at once, and a password that is refused is sent no second time, because accounts lock after a few. Later
/// ones send their passwords one after the other: a provider with brute-force detection refuses the right password while
/// it verifies another one of the same user.
package actor SignInAttempts {
    /// How a way ended on which the person's name or password had been sent.
    enum End: Sendable {
        /// At the client, with whatever answer.
        case arrived
        /// At a page that refused a one-time code: no other is sent, whoever got in before.
        case final(String)
        /// At a page that asked for the password again, or for something that every further attempt makes worse.
        case refused(String)
        /// At a page that another attempt would end at as well, unless it is this request alone that leads there.
        case barred(String)
        /// Elsewhere: at a page that was not got past, or at an exchange that failed.
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

    /// A sign-in that ended elsewhere is tried once more, since the request may have been at fault; no third time.
    private static let mostFruitless = 2
    /// A password that was accepted before may be asked for twice on one way; the third time the provider has turned.
    private static let mostReturns = 3

    private let budget: SignInBudget?
    private let pace: SignInPace?
    private var sent: [Double] = []
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
    package init(budget: SignInBudget? = nil, pace: SignInPace? = nil) {
        self.budget = budget
        self.pace = pace
    }

    /// Waits for the first sign-in, if another browser is at it, and says why this one must not begin: an earlier one ended
    /// in a way that a second one would not change.
    ///
    /// Who may begin, with the name or the password, must say with ``ended(_:)`` how the way ended, whatever happens.
    func begin() async -> String? {
        while case .underWay = state { await withCheckedContinuation { waiting.append($0) } }
        if case .over(let reason) = state { return reason }
        if case .untried = state { state = .underWay }
        return nil
    }

    /// Why nothing more is to be sent in this person's name; `nil` while there is no reason.
    var reasonToStop: String? {
        if case .over(let reason) = state { reason } else { nil }
    }

    /// Waits until no other password of this person is in flight.
    ///
    /// The caller must end its turn with ``endTurn()`` and must not wait for another browser of this person until then.
    func takeTurn() async {
        guard isPasswordInFlight else {
            isPasswordInFlight = true
            return
        }
        // The turn is handed over, so the password stays in flight.
        await withCheckedContinuation { nextPasswords.append($0) }
    }

    /// Ends the turn that ``takeTurn()`` began: the provider has answered.
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
        if let pace { sent.append(await pace.next(after: sent)) }
        return nil
    }

    /// Takes note that forms led to the client, and no request of a page's script.
    func gotThroughForms() { worksWithoutScript = true }

    /// Takes note of how a way ended on which the person's name or password had been sent.
    func ended(_ end: End) {
        if case .arrived = end { hasAccepted = true }
        switch (state, end) {
        case (.over, _): return
        case (.underWay, .withheld): state = .untried
        case (_, .withheld): break
        case (_, .arrived): state = .accepted
        case (_, .final(let reason)): state = .over(because: reason)
        case (.accepted, .refused(let reason)):
            returns += 1
            if returns >= Self.mostReturns { state = .over(because: reason) }
        case (.accepted, .elsewhere), (.accepted, .barred): break
        case (_, .refused(let reason)), (_, .barred(let reason)): state = .over(because: reason)
        case (_, .elsewhere(let reason)):
            fruitless += 1
            state = fruitless >= Self.mostFruitless ? .over(because: reason) : .untried
        }
        let others = waiting
        waiting = []
        for other in others { other.resume() }
    }
}
