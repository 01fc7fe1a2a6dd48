import Conformance

/// Sign-in pages other than one form for name and password.
extension Provider {
    /// The first page, for a user who is not identified yet.
    func firstPage(_ id: String, _ pending: PendingAuthorization, isAtOtherHost: Bool = false) -> HTTPAnswer {
        if variant == .otherHost, !isAtOtherHost { return .redirect(to: formAddress + "?request=" + id) }
        if let wall = Page.wall(variant) { return wall }
        switch variant {
        case .captcha: return form(id, pending, "One more step", Page.captcha)
        case .endlessRedirect: return .redirect(to: address(.signIn) + "?request=" + id)
        case .scriptOnly, .scriptFetch: return scriptedForm(id, pending)
        case .passkey: return passkeyPage(id, pending)
        case .twoStep, .emailLink: return form(id, pending, "Sign in", Page.nameField)
        case .accountChooser: return form(id, pending, "Choose an account", Page.accounts(accounts))
        case .accountLinks:
            return Page.accountLinks(accounts) { self.address(.signIn) + "?request=\(id)&account=\($0)" }
        default: return signInForm(id, pending)
        }
    }

    /// Accepts the account of a link; `nil` if there is none.
    func takeLink(_ id: String, _ pending: PendingAuthorization, _ query: [Field]) -> HTTPAnswer? {
        guard variant == .accountLinks, let name = query.first("account"),
            accounts.contains(where: { $0.username == name })
        else { return nil }
        store.update(id) { $0.username = name }
        return form(id, pending, "Enter password", Page.passwordField)
    }

    /// The target of the form for name and password: this host, or the other host that shows it.
    var formAddress: String {
        let here = address(.signIn)
        return variant == .otherHost ? here.replacing("://127.0.0.1:", with: "://localhost:") : here
    }

    /// Whether the request is to the other host, which does not receive the cookies of the first.
    func isAtOtherHost(_ request: ProviderRequest) -> Bool {
        variant == .otherHost && request.header("Host")?.hasPrefix("localhost:") == true
    }

    /// Accepts a name that precedes the password; `nil` if the form contains more or belongs to another page.
    func takeName(_ id: String, _ pending: PendingAuthorization, _ sent: [Field]) -> HTTPAnswer? {
        if variant == .captcha || Page.wall(variant) != nil { return firstPage(id, pending) }
        guard pending.username == nil else { return nil }
        let named: String?
        switch variant {
        case .twoStep, .emailLink: named = sent.first("username")
        case .accountChooser: named = sent.first("account")
        default: return nil
        }
        guard let named, !named.isEmpty else { return form(id, pending, "Sign in", Page.nameField) }
        if variant == .emailLink {
            return Page.html(
                title: "Check your inbox",
                "<p>We sent you a link to sign in. You can close this page.</p>"
            )
        }
        store.update(id) { $0.username = named }
        return form(id, pending, "Enter password", Page.passwordField)
    }

    /// The form that requests the password again.
    func passwordForm(
        _ id: String,
        _ pending: PendingAuthorization,
        username: String,
        message: String?
    ) -> HTTPAnswer {
        if [.scriptOnly, .scriptFetch].contains(variant) { return scriptedForm(id, pending, message: message) }
        return pending.username == nil
            ? signInForm(id, pending, username: username, message: message)
            : form(id, pending, "Enter password", Page.passwordField, message: message)
    }

    /// The page after the password.
    func morePage(
        _ id: String,
        _ pending: PendingAuthorization,
        _ account: Account,
        message: String? = nil
    ) -> HTTPAnswer {
        switch variant {
        case .totp:
            form(id, pending, "Verify it is you", Page.codeField(digits: account.codes.digits), message: message)
        case .digitBoxes:
            form(id, pending, "Verify it is you", Page.codeBoxes(digits: account.codes.digits), message: message)
        case .textMessage: form(id, pending, "Verify it is you", Page.sentCodeField, message: message)
        case .newTerms: form(id, pending, "New terms of use", Page.newTerms, message: message)
        case .selfPosting, .otherHost: Page.selfPosting(action: address(.signIn), hidden: carried(id, pending))
        default: form(id, pending, "Stay signed in?", Page.staySignedIn, message: message)
        }
    }

    /// Accepts the input of the page after the password.
    func takeMore(
        _ id: String,
        _ pending: PendingAuthorization,
        _ account: Account,
        _ sent: [Field]
    ) -> (Endpoint, HTTPAnswer) {
        let refusal: String? =
            switch variant {
            case .totp, .digitBoxes:
                refusalOfCode(sent.filter { $0.name == "code" }.map(\.value).joined(), account)
            case .textMessage: "The code is wrong."
            case .newTerms: sent.first("terms") == "2" ? nil : "Accept the terms of use to go on."
            default: nil
            }
        guard let refusal else { return beginSession(account, id, pending) }
        return (.signInPage, morePage(id, pending, account, message: refusal))
    }

    private func passkeyPage(_ id: String, _ pending: PendingAuthorization, message: String? = nil) -> HTTPAnswer {
        Page.passkey(
            action: address(.signIn),
            hidden: carried(id, pending),
            challenge: pending.formToken,
            message: message
        )
    }

    /// Accepts a passkey's assertion; each challenge can be used once.
    func takePasskey(_ id: String, _ pending: PendingAuthorization, _ sent: [Field]) -> (Endpoint, HTTPAnswer) {
        let assertion = PasskeyAssertion(sent)
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let host = parts.count > 2 ? String(parts[2]) : ""
        let account = accounts.first { $0.passkey?.credentialID == assertion.credentialID }
        let problem: String?
        if let account, let passkey = account.passkey {
            problem =
                assertion.problem(
                    passkey,
                    challenge: pending.formToken,
                    origin: "\(parts[0])//\(host)",
                    relyingParty: String(host.prefix { $0 != ":" })
                )
                ?? (store.takeCount(of: account.username, assertion.count ?? 0)
                    ? nil : "The passkey's counter is behind.")
        } else {
            problem = "Nobody here has this passkey."
        }
        if let account, problem == nil { return beginSession(account, id, pending) }
        var renewed = pending
        renewed.formToken = Store.random()
        store.update(id) { $0.formToken = renewed.formToken }
        return (.signInPage, passkeyPage(id, renewed, message: problem))
    }

    private func refusalOfCode(_ code: String, _ account: Account) -> String? {
        guard let step = account.codes.step(of: code, now: now()) else { return "The code is wrong or has expired." }
        return store.takeCode(of: account.username, step: step) ? nil : "This code has been used. Wait for the next."
    }

    private func scriptedForm(_ id: String, _ pending: PendingAuthorization, message: String? = nil) -> HTTPAnswer {
        Page.madeByScript(
            action: address(.signIn),
            hidden: carried(id, pending),
            sendsByFetch: variant == .scriptFetch,
            message: message
        )
    }

    private func carried(_ id: String, _ pending: PendingAuthorization) -> [Field] {
        [Field("request", id), Field("token", pending.formToken)]
    }

    private func form(
        _ id: String,
        _ pending: PendingAuthorization,
        _ title: String,
        _ content: String,
        message: String? = nil
    ) -> HTTPAnswer {
        Page.step(title: title, action: address(.signIn), hidden: carried(id, pending), message: message, content)
    }
}
