import Browsing
import Transport

/// Signing in with a passkey that a virtual authenticator has.
extension SignInSession {
    /// The user's passkey; `nil` if the run does not sign in.
    var passkey: Passkey? {
        guard purpose.signsIn, let instructions = recognition?.instructions, instructions.session == nil else {
            return nil
        }
        return instructions.passkey
    }

    /// Adds the user's passkey to the browser, as an attempt to sign in: the page's script may use it at once.
    func handOver(to browser: BrowserSession, _ journey: inout Journey) async throws(BrowserFailure) -> SignInOutcome? {
        guard let passkey else { return nil }
        if !journey.isAttempt, let attempts = recognition?.instructions.attempts {
            if let reason = await attempts.begin() { return .stopped(reason, page: nil) }
            journey.isAttempt = true
        }
        try await browser.take(passkey.credential, count: passkey.count)
        return nil
    }

    /// Removes the passkey again; if it signed anything, the user has signed in.
    func removePasskey(from browser: BrowserSession, _ journey: inout Journey) async {
        guard let passkey, let count = await browser.passkeyCount(), await passkey.came(to: count) else { return }
        _ = await recognition?.instructions.attempts.limitReached()
        // The last request that the user or a script sent; the whole sign-in may have been one page.
        let sent = journey.visits.lastIndex { $0.exchange.request.method == "POST" } ?? journey.visits.indices.last
        guard let sent else { return }
        journey.visits[sent].isSignIn = true
        journey.visits[sent].wroteCredentials = true
    }
}

extension FormRecognition {
    /// A form whose button requests a passkey, with the user name if it has a field for it.
    func passkey(_ form: HTMLForm, _ hints: [String]) -> FormFilling? {
        guard instructions.passkey != nil else { return nil }
        let button = form.submitButtons.first { button in
            [button.label, button.value, button.accessibleName].contains(where: PageDemand.speaksOfPasskey)
        }
        guard let button, ButtonWords.meaning(of: button.label) != .cancels else { return nil }
        let (user, password) = (userField(of: form), form.passwordFields.first)
        guard objection(to: form, user: user, password: password, hints: hints) == nil else { return nil }
        var filling = FormFilling(form, as: .passkey)
        if let user, !user.isReadOnly { writeName(into: user, &filling) }
        filling.press(button)
        return filling
    }
}
