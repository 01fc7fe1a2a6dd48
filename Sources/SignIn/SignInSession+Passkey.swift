import Browsing
import Transport

/// Signing in with a passkey that a virtual authenticator has.
extension SignInSession {
    /// The person's passkey; `nil` where nobody is to sign in.
    var passkey: Passkey? {
        guard purpose.signsIn, let instructions = recognition?.instructions, instructions.session == nil else {
            return nil
        }
        return instructions.passkey
    }

    /// Gives the browser the person's passkey, as an attempt to sign in: the page's script may ask for it at once.
    func handOver(to browser: BrowserSession, _ journey: inout Journey) async throws(BrowserFailure) -> SignInOutcome? {
        guard let passkey else { return nil }
        if !journey.isAttempt, let attempts = recognition?.instructions.attempts {
            if let reason = await attempts.begin() { return .stopped(.signInIsOver(because: reason), page: nil) }
            journey.isAttempt = true
        }
        try await browser.take(passkey.credential, count: passkey.count)
        return nil
    }

    /// Takes the passkey back; where something was signed with it, the person has signed in on this way.
    func takeBack(from browser: BrowserSession, _ journey: inout Journey) async {
        guard let passkey, let count = await browser.passkeyCount(), await passkey.came(to: count) else { return }
        _ = await recognition?.instructions.attempts.limitReached()
        // What was sent last at the person's wish or the script's; the way there may have been one page.
        let sent = journey.visits.lastIndex { $0.exchange.request.method == "POST" } ?? journey.visits.indices.last
        guard let sent else { return }
        journey.visits[sent].isSignIn = true
        journey.visits[sent].wroteCredentials = true
    }
}

extension FormRecognition {
    /// A form whose button asks for a passkey, with the name where it has a field for that.
    func passkey(_ form: HTMLForm, _ hints: [String]) -> FormFilling? {
        guard instructions.passkey != nil else { return nil }
        let button = form.submitButtons.first { button in
            [button.label, button.value, button.accessibleName].contains(where: PageDemand.speaksOfPasskey)
        }
        guard let button, ButtonWords.meaning(of: button.label) != .turnsBack else { return nil }
        let (user, password) = (userField(of: form), form.passwordFields.first)
        guard objection(to: form, user: user, password: password, hints: hints) == nil else { return nil }
        var filling = FormFilling(form, as: .passkey)
        if let user, !user.isReadOnly { writeName(into: user, &filling) }
        filling.press(button)
        return filling
    }
}
