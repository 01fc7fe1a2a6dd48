import Conformance
import JSONTree
import SignIn
import Transport

/// The authorization request, and what follows from its answer.
extension Conversation {
    /// What one authorization request brought.
    struct Asked {
        var sent: [Field] = []
        var answer: Observation<AuthorizationAnswer>
        /// What arrived at the redirect URI.
        var arrival: ArrivedRedirect?
        /// Whether a page asked for credentials and got them.
        var filledCredentials = false
    }

    /// The opening of a scenario: an authorization request, then token request and UserInfo if it goes so far.
    func authorize(_ request: AuthorizationRequest) async -> CollectedRun {
        if let reason = whyNotAsked(request) { return notHeld(reason) }
        var collected = CollectedRun(run: begun(because: "the authorization request brought no code and no token"))
        let asked = await ask(request, step: scenario.title, place: .authorization, &collected)
        collected.run.sent = asked.sent
        collected.run.authorization = asked.answer
        if case .absent(let why) = asked.answer {
            // An address that cannot be used, or a way that ended before the client, ends all that depends on it.
            collected.run.token = .absent(why)
            collected.run.userInfo = .absent(why)
            return collected
        }
        if case .notAttempted(let why) = asked.answer {
            // Most often the limit of sign-ins: what depends on it was not attempted either.
            collected.run.token = .notAttempted(why)
            collected.run.userInfo = .notAttempted(why)
            return collected
        }
        let isFlow = scenario.id == .flow(responseType)
        guard isFlow || request.redeemsCode || asked.arrival?.accessToken != nil else {
            if asked.arrival != nil {
                collected.run.token = .notAttempted("this scenario ends at the authorization endpoint")
            }
            return collected
        }
        guard let client else { return collected }
        await redeem(asked.arrival, request, client, asksUserInfo: isFlow, &collected)
        return collected
    }

    /// Why an authorization request cannot be made at all; `nil` when it can.
    func whyNotAsked(_ request: AuthorizationRequest) -> Reason? {
        let (endpoint, reason) = endpoint("authorization_endpoint")
        if endpoint == nil { return reason }
        if client == nil { return .notAttempted("no client in the configuration") }
        if target.redirectURI == nil { return .notAttempted("no redirect_uri in the configuration") }
        if [.signIn, .shared, .signInAgain].contains(request.session), instructions == nil {
            return .notAttempted("no sign_in in the configuration: nobody could sign in")
        }
        if request.person == .other, otherBrowser == nil {
            return .notAttempted("no sign_in.other in the configuration: there is no second person")
        }
        return nil
    }

    /// Makes an authorization request and goes through the provider's pages to the client.
    func ask(
        _ request: AuthorizationRequest,
        step: String,
        place: CollectedRun.Place,
        _ collected: inout CollectedRun
    ) async -> Asked {
        if let reason = whyNotAsked(request) { return Asked(answer: reason.observation()) }
        if let held = request.held.first(where: { collected.holdings[$0] == nil }) {
            return Asked(answer: collected.holdings.whyMissing(held).observation())
        }
        if let forged = collected.holdings[.forgedIDToken] {
            // It differs from what was received, and still says everything about the person.
            await wire.recorder.learn("id_token", forged.reveal(), .token)
        }
        if let reason = whyNotDerived(request) { return Asked(answer: reason.observation()) }
        let secrets = RequestSecrets.random()
        await wire.recorder.learn("code_verifier", secrets.verifier, .token)
        let holdings = collected.holdings
        let request = asking(request)
        var parameters = parameters(of: request, secrets, holdings)
        if let reason = await addRequestObject(request, &parameters) { return Asked(answer: reason.observation()) }
        var sent: [Field] = []
        for field in parameters.fields { sent.append(Field(field.name, await wire.recorder.redact(field.value))) }
        let endpoint = endpoint("authorization_endpoint").address ?? ""
        guard let url = WebURL(endpoint) else {
            return Asked(
                sent: sent,
                answer: .absent("the authorization_endpoint \(endpoint.quoted) is not an http or https URL")
            )
        }
        let form = FormParameters(parameters.fields.map { FormParameter(name: $0.name, value: $0.value) })
        var web: HTTPRequest =
            request.usesPOST ? .form(url: endpoint, form) : HTTPRequest(url: url.adding(form))
        if request.isOfAScript {
            // Where the client has no pages, whose scripts they are makes no difference.
            let origin = parameters["redirect_uri"].flatMap { WebURL($0) }?.origin ?? "https://script.invalid"
            web.headers.append(HTTPField(name: "Origin", value: origin))
        }
        var asked = await travel(web, parameters["redirect_uri"], request, step: step, place: place, &collected)
        asked.sent = sent
        collected.holdings.hold(parameters, secrets, asked.arrival)
        collected.holdings.whyNoCode = Self.whyNoCode(asked)
        return asked
    }

    /// The parameters of a request, before a request object repeats them.
    func parameters(
        of request: AuthorizationRequest,
        _ secrets: RequestSecrets,
        _ holdings: Holdings
    ) -> AuthorizationParameters {
        AuthorizationParameters(
            scenario: scenario,
            request: request,
            responseType: request.responseType ?? responseType,
            clientID: client?.id ?? "",
            target: target,
            profile: collection.plan.profile.parameters,
            secrets: secrets,
            resolve: { holdings.text($0) ?? derived($0) }
        )
    }

    /// The request with the scope and the prompt that a refresh token takes, if it wants one.
    private func asking(_ request: AuthorizationRequest) -> AuthorizationRequest {
        let offers = provider.metadata?["scopes_supported"]?.arrayValue?.contains("offline_access") ?? false
        guard request.asksOfflineAccess, offers else { return request }
        var request = request
        request.changes += [.addWord("scope", "offline_access"), .set("prompt", "consent")]
        return request
    }

    private static func whyNoCode(_ asked: Asked) -> String? {
        switch asked.answer {
        case .absent(let why), .notAttempted(let why): why
        case .observed(let answer): answer.redirect?.error.map { "the flow ended with error=\($0.quoted)" }
        }
    }

    /// How the person signs in; `nil` when the configuration does not say.
    private var instructions: SignInInstructions? { collection.instructions }

    /// Whether a person is there to fill forms.
    private func signsIn(_ request: AuthorizationRequest) -> Bool {
        switch request.session {
        case .none, .asItIs: false
        case .signIn, .shared, .signInAgain: true
        case .signInIfAsked: collection.plan.tier == .full
        }
    }

    /// Goes through the provider's pages; fills the run's visits.
    private func travel(
        _ web: HTTPRequest,
        _ redirectURI: String?,
        _ request: AuthorizationRequest,
        step: String,
        place: CollectedRun.Place,
        _ collected: inout CollectedRun
    ) async -> Asked {
        let redirectURI = redirectURI ?? target.redirectURI ?? ""
        let browser = request.person == .other ? otherBrowser ?? browser : browser
        let (outcome, visits) = await browser.open(
            web,
            redirectURI: redirectURI,
            others: [target.redirectURI, Scenario.foreignRedirectURI].compactMap { $0 },
            purpose: signsIn(request) ? .signIn : .look
        )
        let last = await note(visits, step: step, first: "authorization request", &collected)
        var asked = await conclude(outcome, visits, lastExchange: last, redirectURI, request, place, &collected)
        asked.filledCredentials = visits.contains(where: \.wroteCredentials)
        return asked
    }

    /// Records the exchanges of a way; returns the last one's number.
    func note(_ visits: [Visit], step: String, first: String, _ collected: inout CollectedRun) async -> Int {
        var last = 0
        for (number, visit) in visits.enumerated() {
            let what = step + ": " + (number == 0 ? first : visit.cause.words)
            let recorded = await wire.recorder.record(
                visit.exchange,
                step: what,
                lane: lane,
                content: .pages,
                isSignIn: visit.isSignIn
            )
            last = recorded.id
            var pressed: String?
            if let button = visit.pressed { pressed = await wire.recorder.redact(button) }
            collected.run.visits.append(PageVisit(exchange: recorded.id, filled: visit.filled, pressed: pressed))
        }
        return last
    }

    private func conclude(
        _ outcome: SignInOutcome,
        _ visits: [Visit],
        lastExchange: Int,
        _ redirectURI: String,
        _ request: AuthorizationRequest,
        _ place: CollectedRun.Place,
        _ collected: inout CollectedRun
    ) async -> Asked {
        switch outcome {
        case .arrived(let location, let formPost):
            let arrived = ArrivedRedirect(
                location: location,
                redirectURI: redirectURI,
                formPost: formPost,
                keepsSecrets: options.keepsSecrets
            )
            return await accept(arrived, exchange: lastExchange, place, &collected)
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
            var asked = await accept(arrived, exchange: lastExchange, place, &collected)
            asked.arrival = nil
            return asked
        case .stopped(let reason, let page):
            return Asked(answer: await stop(reason, page, exchange: lastExchange, request, &collected))
        case .failed(let failure):
            return Asked(answer: .absent(await wire.recorder.redact("\(scenario.title): \(failure)")))
        }
    }

    private func accept(
        _ arrived: ArrivedRedirect,
        exchange: Int,
        _ place: CollectedRun.Place,
        _ collected: inout CollectedRun
    ) async -> Asked {
        for (name, secret) in [
            ("code", arrived.code), ("access_token", arrived.accessToken), ("id_token", arrived.idToken),
        ] {
            if let secret { await wire.recorder.learn(name, secret.reveal(), .token) }
        }
        let answer = await wire.recorder.redact(arrived.answer)
        if let idToken = arrived.idToken {
            collected.pending.append(
                CollectedRun.PendingToken(
                    place: place,
                    compact: idToken,
                    accessToken: arrived.accessToken,
                    code: arrived.code,
                    clientSecret: client.flatMap(clientSecret),
                    receivedAt: options.clock(),
                    decryptionKeys: own?.keys ?? []
                )
            )
        }
        return Asked(
            answer: .observed(AuthorizationAnswer(ending: .redirected(answer), exchange: exchange)),
            arrival: arrived.answer.isRedirectURI ? arrived : nil
        )
    }

    /// A page that was not got past, which for a request without a person is an answer like any other.
    private func stop(
        _ reason: StopReason,
        _ page: SignIn.PageSummary?,
        exchange: Int,
        _ request: AuthorizationRequest,
        _ collected: inout CollectedRun
    ) async -> Observation<AuthorizationAnswer> {
        if case .tooManySignIns = reason, collection.plan.signInLimit == nil {
            return .absent("the \(collection.budget.limit) sign-ins that were announced were used up")
        }
        if reason.isOfBudget { return .notAttempted(await wire.recorder.redact(reason.description)) }
        let isFlow = scenario.id.isFlow
        let isRefusal =
            switch reason {
            case .errorPage: true
            case .noUsableForm(needsScript: false, leftEmpty: _), .refusedByPage:
                [.signInIfAsked, .asItIs].contains(request.session)
            default: false
            }
        let isAnswer = !signsIn(request) || instructions == nil || (!isFlow && isRefusal)
        var summary: Conformance.PageSummary?
        if let page {
            let stopped = isAnswer ? nil : reason.description
            summary = await wire.recorder.redact(Conformance.PageSummary(page, stopped: stopped))
        }
        if let last = collected.run.visits.indices.last { collected.run.visits[last].page = summary }
        if isAnswer, let summary {
            return .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange))
        }
        let isNeeded = [.signIn, .shared, .signInAgain].contains(request.session)
        var why = (isNeeded ? "sign-in not completed: " : "no answer: ") + reason.description
        if let summary {
            why += "; the page is \((summary.title ?? "without a title").quoted) at \(summary.address.shown())"
        }
        return .absent(await wire.recorder.redact(why))
    }
}

extension Visit.Cause {
    /// What was done, for the step of an exchange.
    var words: String {
        switch self {
        case .opened: "authorization request"
        case .redirect: "redirect"
        case .refresh: "page that goes on by itself"
        case .configuredStep: "configured step"
        case .signIn: "sign-in form"
        case .userName: "user name form"
        case .consent: "consent form"
        case .continuation: "button to go on"
        }
    }
}
