import Conformance

/// The pages a user goes through: sign-in, consent, and the redirect to the client.
extension Provider {
    func needs(_ rules: AuthorizationRules, _ accepted: AcceptedRequest, _ session: Session?) -> Needs {
        let wantsSignIn = !["login", "select_account"].allSatisfy { !rules.prompts.contains($0) }
        // Core section 3.1.2.1: zero is the same as prompt=login.
        let isTooOld =
            rules.maxAge.flatMap { age in session.map { age == 0 || now() - $0.authenticatedAt > age } } ?? false
        let isOtherUser = accepted.hintedSubject.map { $0 != session?.account.subject } ?? false
        var needs = Needs(
            signIn: session == nil || wantsSignIn || isTooOld || isOtherUser,
            consent: rules.prompts.contains("consent")
                || !(session?.allows(accepted.scopes, to: accepted.client) ?? false)
        )
        if rules.prompts.contains("none") {
            needs.error = needs.signIn ? "login_required" : needs.consent ? "consent_required" : nil
        }
        // Core section 3.1.2.2: a provider rejects a hint that it did not issue.
        if rules.parameters["id_token_hint"] != nil, accepted.hintedSubject == nil {
            needs.error = OAuthError("invalid_request", "id_token_hint was not issued here")
        }
        hooks.session.needs(&needs, rules.parameters)
        return needs
    }

    func session(of request: ProviderRequest) -> Session? {
        request.cookie(Self.sessionCookie).flatMap(store.session)
    }

    /// Starts the interaction with the user: stores the request and redirects to the first page.
    func ask(_ accepted: AcceptedRequest, _ needs: Needs, _ request: ProviderRequest) -> HTTPAnswer {
        let browser = request.cookie(Self.browserCookie) ?? Store.random()
        let id = store.keep(
            PendingAuthorization(
                request: accepted,
                browser: browser,
                formToken: Store.random(),
                needsSignIn: needs.signIn,
                needsConsent: needs.consent,
                expiresAt: now() + Store.timeLimit
            ),
            now: now()
        )
        var answer = HTTPAnswer.redirect(to: page(needs.signIn ? .signIn : .consent, id))
        setCookie(Self.browserCookie, browser, on: &answer)
        return answer
    }

    /// Sign-in page: shows the form, or accepts its input.
    func signIn(_ request: ProviderRequest) -> (Endpoint, HTTPAnswer) {
        switch visit(request) {
        case .shown(let id, let pending):
            if let answer = takeLink(id, pending, request.query) { return (.signInPage, answer) }
            return (.signInPage, firstPage(id, pending, isAtOtherHost: isAtOtherHost(request)))
        case .sent(let id, let pending, let form):
            if let account = pending.account { return takeMore(id, pending, account, form) }
            if variant == .passkey { return takePasskey(id, pending, form) }
            if let answer = takeName(id, pending, form) { return (.signInPage, answer) }
            return takeSignIn(id, pending, form)
        case .refused(let answer): return (.signInPage, answer)
        }
    }

    /// Consent page: shows the form, or accepts its input.
    func consent(_ request: ProviderRequest) -> (Endpoint, HTTPAnswer) {
        let visit = visit(request)
        if case .refused(let answer) = visit { return (.consentPage, answer) }
        guard let sessionID = request.cookie(Self.sessionCookie), let session = store.session(sessionID),
            !visit.needsSignIn
        else { return (.consentPage, Page.problem(status: 400, "You are not signed in.")) }
        switch visit {
        case .refused(let answer): return (.consentPage, answer)
        case .shown(let id, let pending):
            if let error = hooks.session.consentError(asked(id, pending, session)) {
                store.forget(id)
                return (.authorization, refuse(error, pending.request))
            }
            return (.consentPage, consentForm(id, pending, session))
        case .sent(let id, let pending, let form):
            store.forget(id)
            if let error = hooks.session.consentError(asked(id, pending, session, form)) {
                return (.authorization, refuse(error, pending.request))
            }
            guard form.first("answer") == "accept" else {
                return (.authorization, refuse("access_denied", pending.request))
            }
            store.allow(pending.request.scopes, to: pending.request.client, in: sessionID)
            return (.authorization, respond(pending.request, session))
        }
    }

    private func asked(
        _ id: String,
        _ pending: PendingAuthorization,
        _ session: Session,
        _ form: [Field]? = nil
    ) -> SessionHooks.Consent {
        SessionHooks.Consent(
            username: session.account.username,
            clientID: pending.request.client.id,
            authorization: id,
            form: form
        )
    }

    private func takeSignIn(
        _ id: String,
        _ pending: PendingAuthorization,
        _ form: [Field]
    ) -> (Endpoint, HTTPAnswer) {
        let username = pending.username ?? form.first("username") ?? ""
        let password = Secret(form.first("password") ?? "")
        let known = accounts.first { $0.username == username && $0.password == password }
        let refusal = hooks.session.refusal(username, known == nil ? "User name or password is wrong." : nil)
        guard let account = known, refusal == nil else {
            return (.signInPage, passwordForm(id, pending, username: username, message: refusal))
        }
        if variant.requestsMore {
            store.update(id) { $0.account = account }
            return (.signInPage, morePage(id, pending, account))
        }
        return beginSession(account, id, pending)
    }

    /// Begins the session of a user who has authenticated.
    func beginSession(_ account: Account, _ id: String, _ pending: PendingAuthorization) -> (Endpoint, HTTPAnswer) {
        // Core section 3.1.2.1: an error if a user other than the hinted one signs in.
        if let hinted = pending.request.hintedSubject, hinted != account.subject {
            store.forget(id)
            return (.authorization, refuse("login_required", pending.request))
        }
        let session = Session(account: account, authenticatedAt: now().rounded(.down))
        let sessionID = store.begin(
            session,
            endingOlder: hooks.session.endsOlderSessions,
            datingOlder: hooks.session.keepsTimeWithUser
        )
        let asksAgain = pending.request.signInPageRepeats
        store.update(id) { $0.needsSignIn = asksAgain }
        var answer =
            pending.request.isLostAtSignIn
            ? Page.html(title: "Welcome", "<p>You are signed in.</p>")
            : HTTPAnswer.redirect(to: page(asksAgain ? .signIn : .consent, id))
        setCookie(Self.sessionCookie, sessionID, on: &answer)
        return (.signInPage, answer)
    }

    // MARK: Visits

    /// A request for a page, with the authorization request that it belongs to.
    private enum Visit {
        case shown(String, PendingAuthorization)
        case sent(String, PendingAuthorization, [Field])
        case refused(HTTPAnswer)

        var needsSignIn: Bool {
            switch self {
            case .shown(_, let pending): pending.needsSignIn
            case .sent(_, let pending, _): pending.needsSignIn
            case .refused: true
            }
        }
    }

    private func visit(_ request: ProviderRequest) -> Visit {
        let isForm = request.method == "POST"
        guard isForm || request.method == "GET" else { return .refused(.methodNotAllowed(["GET", "HEAD", "POST"])) }
        let fields = isForm ? request.form ?? [] : request.query
        guard let id = fields.first("request"), let pending = store.pending(id, now: now()),
            pending.browser == request.cookie(Self.browserCookie) || isAtOtherHost(request)
        else {
            return .refused(Page.problem(status: 400, "This sign-in has ended. Go back to where you began."))
        }
        guard isForm else { return .shown(id, pending) }
        guard fields.first("token") == pending.formToken else {
            return .refused(Page.problem(status: 403, "The form did not come from this provider."))
        }
        return .sent(id, pending, fields)
    }

    func signInForm(
        _ id: String,
        _ pending: PendingAuthorization,
        username: String? = nil,
        message: String? = nil
    ) -> HTTPAnswer {
        Page.signIn(
            action: formAddress,
            hidden: [Field("request", id), Field("token", pending.formToken)],
            client: pending.request.client.name,
            username: username ?? pending.request.loginHint,
            message: message
        )
    }

    private func consentForm(_ id: String, _ pending: PendingAuthorization, _ session: Session) -> HTTPAnswer {
        Page.consent(
            action: address(.consent),
            hidden: [Field("request", id), Field("token", pending.formToken)],
            client: pending.request.client.name,
            username: session.account.username,
            scopes: pending.request.scopes
        )
    }

    private func page(_ route: Route, _ id: String) -> String { address(route) + "?request=" + id }

    private func setCookie(_ name: String, _ value: String, on answer: inout HTTPAnswer) {
        let path = offer.basePath.isEmpty || otherOrigins[.authorization] != nil ? "/" : offer.basePath
        let secure = isSecure ? "; Secure" : ""
        answer.headers.append(
            Field("Set-Cookie", "\(name)=\(value); Path=\(path); HttpOnly; SameSite=Lax\(secure)")
        )
    }
}
