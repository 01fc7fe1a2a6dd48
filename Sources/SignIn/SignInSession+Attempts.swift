/// How a sign-in coordinates with the other sign-ins of the same user before it sends credentials.
extension SignInSession {
    /// Checks whether credentials may be sent, once for the name and once for the password.
    func withholding(_ hop: Hop, _ journey: inout Journey) async -> SignInOutcome? {
        guard let attempts else { return nil }
        if isOfSession, hop.writesCredentials || hop.isSignIn { return .stopped(.sessionEnded, page: hop.page) }
        if hop.writesCredentials, !journey.isAttempt {
            if let reason = await attempts.begin() { return .stopped(reason, page: hop.page) }
            journey.isAttempt = true
        }
        if hop.isSignIn, !journey.hasTurn {
            await attempts.takeTurn()
            journey.hasTurn = true
            // Meanwhile, another sign-in may have learned that the password is rejected.
            if let reason = await attempts.reasonToStop {
                return .stopped(.signInIsOver(because: reason), page: hop.page)
            }
        }
        if hop.isSignIn, !journey.sentPassword {
            if let limit = await attempts.limitReached() {
                return .stopped(.tooManySignIns(limit: limit), page: hop.page)
            }
            journey.sentPassword = true
        }
        return nil
    }

    /// Lets the next password of this user be sent, if this sign-in had the turn.
    func endTurn(_ journey: inout Journey) async {
        guard journey.hasTurn else { return }
        journey.hasTurn = false
        await attempts?.endTurn()
    }
}
