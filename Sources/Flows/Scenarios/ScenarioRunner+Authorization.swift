import Conformance
import JSONTree
import SignIn
import Transport

/// The authorization request, and the way through the provider's pages to its answer.
extension ScenarioRunner {
    /// Why an authorization request cannot be made at all; `nil` when it can.
    func whyNotAsked(_ request: AuthorizationRequest) -> Reason? {
        let (endpoint, reason) = endpoint("authorization_endpoint")
        if endpoint == nil { return reason }
        if client == nil { return .notAttempted("no client in the configuration") }
        if target.redirectURI == nil { return .notAttempted("no redirect_uri in the configuration") }
        if [.signIn, .shared, .signInAgain].contains(request.session), instructions == nil {
            return .notAttempted("no sign_in in the configuration")
        }
        if request.user != .first, otherBrowser == nil {
            return .notAttempted("no sign_in.other in the configuration: there is no second user")
        }
        return nil
    }

    /// Makes an authorization request and goes through the provider's pages to the client.
    func authorize(
        _ request: AuthorizationRequest,
        _ step: StepID,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        if let reason = whyNotAsked(request) { return reason.observation() }
        if let captured = request.captured.first(where: { collected.captured[$0] == nil }) {
            return collected.captured.whyMissing(captured).observation()
        }
        await learnIDTokens(collected.captured)
        if let reason = whyNotDerived(request) { return reason.observation() }
        let secrets = RequestSecrets.random()
        await http.recorder.learn("code_verifier", secrets.verifier, .token)
        let captured = collected.captured
        let request = asking(request)
        var parameters = parameters(of: request, secrets, captured)
        if let reason = await addRequestObject(request, &parameters) { return reason.observation() }
        await http.recorder.learn(plainChallengeOf: parameters.fields)
        await http.recorder.noteOpen(parameters.fields.filter { !Redactor.isSecretParameter($0.name) }.map(\.value))
        var sent: [Field] = []
        for field in parameters.fields { sent.append(Field(field.name, await http.recorder.redact(field.value))) }
        collected.run[step]?.sent = sent
        let endpoint = endpoint("authorization_endpoint").address ?? ""
        guard let url = WebURL(endpoint) else {
            return .absent("the authorization_endpoint \(endpoint.quoted) is not an http or https URL")
        }
        var fields: [Field]
        switch await signing(parameters.fields, of: request) {
        case .success(let signed): fields = signed
        case .failure(let why): return why.reason.observation()
        }
        if isToBePushed(request) {
            switch await push(fields, step, words, &collected) {
            case .accepted(let pushed): fields = pushed
            case .refused(let answer): return .observed(answer)
            case .failed(let reason): return reason.observation()
            }
        }
        let form = FormParameters(fields.map { FormParameter(name: $0.name, value: $0.value) })
        var web: HTTPRequest =
            request.usesPOST ? .form(url: endpoint, form) : HTTPRequest(url: url.adding(form))
        if request.isOfAScript {
            // If the client has no pages, the origin of the scripts makes no difference.
            let origin = parameters["redirect_uri"].flatMap { WebURL($0) }?.origin ?? "https://script.invalid"
            web.headers.append(HTTPField(name: "Origin", value: origin))
        }
        collected.captured.capture(parameters, secrets)
        return await travel(web, parameters["redirect_uri"], request, step, words, &collected)
    }

    /// The parameters of a request, before a request object repeats them.
    func parameters(
        of request: AuthorizationRequest,
        _ secrets: RequestSecrets,
        _ captured: CapturedValues
    ) -> AuthorizationParameters {
        AuthorizationParameters(
            scenario: scenario,
            request: request,
            responseType: request.responseType ?? responseType,
            clientID: client?.id ?? "",
            target: target,
            profile: collection.plan.profile.parameters,
            metadata: provider.metadata,
            secrets: secrets,
            resolve: { captured.text($0) ?? derived($0) }
        )
    }

    /// The request with the scope and the prompt that a refresh token requires, if it wants one; and with `prompt=none`, if no
    /// sign-in is intended.
    private func asking(_ request: AuthorizationRequest) -> AuthorizationRequest {
        if request.isSilentBelowFull, collection.plan.tier < .full || collection.plan.isByHand {
            var request = request
            request.changes.append(.set("prompt", "none"))
            return request
        }
        guard sendsOfflineAccess(request) else { return request }
        var request = request
        request.changes += [.addWord("scope", "offline_access"), .set("prompt", "consent")]
        return request
    }

    /// Whether a request for offline access contains the scope: the provider lists it, and the client may refresh.
    func sendsOfflineAccess(_ request: AuthorizationRequest) -> Bool {
        let offers = provider.metadata?["scopes_supported"]?.arrayValue?.contains("offline_access") ?? false
        return request.asksOfflineAccess && offers && own?.mayRefresh != false
    }

    /// How the user signs in; `nil` when the configuration does not say.
    private var instructions: SignInInstructions? { collection.instructions }

    /// Whether the run fills forms as the user.
    private func signsIn(_ request: AuthorizationRequest) -> Bool {
        switch request.session {
        case .none, .asItIs, .consentIfAsked: false
        case .signIn, .shared, .signInAgain: true
        // A user's own browser opens only requests that need a user.
        case .signInIfAsked: collection.plan.tier == .full && !collection.plan.isByHand
        }
    }

    private func purpose(of request: AuthorizationRequest) -> SignInSession.Purpose {
        // A sign-in page that appears again is a result of the experiment, and gets no further password.
        if request.user == .firstElsewhere, signsIn(request) { return .signInAgain }
        return switch request.session {
        case .consentIfAsked: .consent
        case .signInAgain: .signInAgain
        case .none, .asItIs, .signIn, .shared, .signInIfAsked: signsIn(request) ? .signIn : .look
        }
    }

    /// Goes through the provider's pages; fills the run's visits, and keeps what arrives at the redirect URI.
    private func travel(
        _ web: HTTPRequest,
        _ redirectURI: String?,
        _ request: AuthorizationRequest,
        _ step: StepID,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        let redirectURI = redirectURI ?? target.redirectURI ?? ""
        let browser = request.user == .first ? browser : otherBrowser ?? browser
        let wasSignedIn = await browser.signedInAt != nil
        let (outcome, visits) = await browser.open(
            web,
            redirectURI: redirectURI,
            others: [target.redirectURI, Scenario.foreignRedirectURI].compactMap { $0 },
            purpose: purpose(of: request),
            state: collected.run[step]?.sent.first { $0.name == "state" }?.value
        )
        let last = await record(visits, words, first: "authorization request", &collected)
        let filledCredentials = visits.contains(where: \.wroteCredentials)
        collected.run[step]?.filledCredentials = filledCredentials
        if wasSignedIn, filledCredentials, [.shared, .signInIfAsked].contains(request.session) {
            collection.allowSignInsWithoutSession()
        }
        let answer = await conclude(outcome, visits, lastExchange: last, redirectURI, request, step, &collected)
        if scenario.id.isFlow, answer.value == nil || options.recordsPages {
            collected.run.met = await pages(of: visits)
        }
        return answer
    }

    /// Records the exchanges of a way; returns the last one's number.
    func record(_ visits: [Visit], _ words: String, first: String, _ collected: inout CollectedRun) async -> Int {
        var last = 0
        for (number, visit) in visits.enumerated() {
            let isFirst = number == 0 && visit.cause != .byHand && visit.cause != .kept
            let what = words + ": " + (isFirst ? first : visit.cause.words)
            if let code = visit.code { await http.recorder.learn("one-time code", code, .credential) }
            for cookie in visit.cookieValues { await http.recorder.learn("cookie", cookie, .cookie) }
            let recorded = await http.recorder.record(
                visit.exchange,
                step: what,
                lane: lane,
                content: .pages,
                isSignIn: visit.isSignIn
            )
            last = recorded.id
            var pressed: String?
            if let button = visit.pressed { pressed = await http.recorder.redact(button) }
            var page = PageVisit(exchange: recorded.id, filled: visit.filled, pressed: pressed)
            if let blocked = visit.blockedForm {
                page.blockedForm = PageVisit.BlockedForm(
                    directive: blocked.directive,
                    page: await http.recorder.redact(blocked.page),
                    target: await http.recorder.redact(blocked.target)
                )
            }
            let refused = visit.refusedCookies.compactMap { cookie in
                PageVisit.RefusedCookie.CookieProblem(rawValue: cookie.flaw.rawValue)
                    .map { PageVisit.RefusedCookie(name: cookie.name, flaw: $0) }
            }
            page.refusedCookies = refused.isEmpty ? nil : refused
            page.withheldCookies = visit.withheldCookies.isEmpty ? nil : visit.withheldCookies
            collected.run.visits.append(page)
        }
        return last
    }

    private func conclude(
        _ outcome: SignInOutcome,
        _ visits: [Visit],
        lastExchange: Int,
        _ redirectURI: String,
        _ request: AuthorizationRequest,
        _ step: StepID,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        switch outcome {
        case .arrived(let location, let formPost):
            let arrived = ArrivedRedirect(
                location: location,
                redirectURI: redirectURI,
                formPost: formPost,
                keepsSecrets: options.keepsSecrets
            )
            if arrived.answer.isRedirectURI { collected.captured.capture(arrived) }
            return .observed(await accept(arrived, exchange: lastExchange, step, &collected))
        case .stopped(.otherRedirectURI(let shown), _), .stopped(.unusableRedirect(let shown), _):
            // The location as it was sent: what is shown of it elsewhere has no values.
            let sent = visits.last?.exchange.response?.header("Location")
            let resolved = sent.flatMap { sent in
                visits.last.flatMap { WebURL($0.exchange.request.url)?.resolve(sent)?.text } ?? sent
            }
            let arrived = ArrivedRedirect(
                location: resolved ?? shown,
                redirectURI: redirectURI,
                keepsSecrets: options.keepsSecrets
            )
            return .observed(await accept(arrived, exchange: lastExchange, step, &collected))
        case .stopped(let reason, let page):
            return await stop(reason, page, exchange: lastExchange, request, &collected)
        case .failed(let failure):
            return .absent(await http.recorder.redact("\(scenario.title): \(failure)", failure))
        }
    }

    private func accept(
        _ arrived: ArrivedRedirect,
        exchange: Int,
        _ step: StepID,
        _ collected: inout CollectedRun
    ) async -> AuthorizationAnswer {
        for (name, secret) in [
            ("code", arrived.code), ("access_token", arrived.accessToken), ("id_token", arrived.idToken),
        ] {
            if let secret { await http.recorder.learn(name, secret.reveal(), .token) }
        }
        let answer = await http.recorder.redact(arrived.answer)
        keep(arrived.idToken, of: step, accessToken: arrived.accessToken, code: arrived.code, &collected)
        return AuthorizationAnswer(ending: .redirected(answer), exchange: exchange)
    }

    /// A page that stopped the sign-in, which for a request without a user is a response like any other.
    private func stop(
        _ reason: StopReason,
        _ page: SignIn.PageSummary?,
        exchange: Int,
        _ request: AuthorizationRequest,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        if case .tooManySignIns = reason, collection.plan.signInLimit == nil {
            return .absent(Conformance.Reason(Collection.signInsUsedUp(collection.budget.limit), .limit))
        }
        if reason.isOfBudget {
            return .notAttempted(Conformance.Reason(await http.recorder.redact(reason.description), .withheld))
        }
        if case .acceptedPasswordRefused = reason { collected.passwordIsRefusedLater = true }
        let isFlow = scenario.id.isFlow
        if case .sessionEnded = reason, !isFlow {
            let why = "this needs a sign-in with the password, and the run uses a saved session instead"
            // A repeated sign-in in a valid session needs the password; in all other cases the session has ended.
            return request.session == .signInAgain ? .notAttempted(why) : .absent(why)
        }
        let isRefusal =
            switch reason {
            case .errorPage, .signInPageRepeats: true
            case .noUsableForm(needsScript: false, emptyFields: _), .refusedByPage:
                [.signInIfAsked, .asItIs, .consentIfAsked].contains(request.session)
            default: false
            }
        let isAnswer = !signsIn(request) || instructions == nil || (!isFlow && isRefusal)
        var summary: Conformance.PageSummary?
        if let page {
            let reported = reason.nextStep == nil ? reason.description : reason.whatHappened
            var described = Conformance.PageSummary(page, stopped: isAnswer ? nil : reported)
            described.nextStep = isAnswer ? nil : reason.nextStep
            summary = await http.recorder.redact(described)
            if reason.refusesCredentials { summary?.refusesCredentials = true }
            if !isAnswer, reason.isAboutCode { summary?.isAboutCode = true }
            if case .byHand = reason { summary?.isByHand = true }
        }
        if let last = collected.run.visits.indices.last { collected.run.visits[last].page = summary }
        if isAnswer, let summary {
            return .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange))
        }
        let isNeeded = [.signIn, .shared, .signInAgain].contains(request.session)
        var why = (isNeeded ? "sign-in not completed: " : "no response: ") + reason.description
        if let summary {
            why += "; the page is \((summary.title ?? "without a title").quoted) at \(summary.address.shown())"
        }
        return .absent(await http.recorder.redact(why))
    }
}

extension Visit.Cause {
    /// The action, for the step of an exchange.
    var words: String {
        switch self {
        case .opened: "authorization request"
        case .byHand: "authorization request, by hand"
        case .kept: "authorization request, not shown"
        case .redirect: "redirect"
        case .refresh: "page that continues by itself"
        case .shown: "page in the browser"
        case .configuredStep: "configured step"
        case .signIn: "sign-in form"
        case .userName: "user name form"
        case .oneTimeCode: "one-time code form"
        case .passkey: "passkey"
        case .account: "choice of the account"
        case .consent: "consent form"
        case .continuation: "continue button"
        }
    }
}
