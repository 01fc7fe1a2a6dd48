import Conformance
import SignIn
import Transport

/// The authorization request, and what follows from its answer.
extension Conversation {
    func authorize(_ request: AuthorizationRequest) async -> CollectedRun {
        let (endpoint, reason) = endpoint("authorization_endpoint")
        guard let endpoint else { return notHeld(reason) }
        guard let client else { return notHeld(.notAttempted("no client in the configuration")) }
        guard target.redirectURI != nil else { return notHeld(.notAttempted("no redirect_uri in the configuration")) }
        if request.session == .signIn, instructions == nil {
            return notHeld(.notAttempted("no sign_in in the configuration: nobody could sign in"))
        }
        let secrets = RequestSecrets.random()
        await wire.recorder.learn("code_verifier", secrets.verifier, .token)
        let parameters = AuthorizationParameters(
            scenario: scenario,
            request: request,
            responseType: responseType,
            clientID: client.id,
            target: target,
            profile: collection.plan.profile.parameters,
            secrets: secrets
        )
        var collected = CollectedRun(run: begun(because: "the authorization request brought no code and no token"))
        collected.run.sent = parameters.fields
        guard let url = WebURL(endpoint) else {
            let why = "the authorization_endpoint \(endpoint.quoted) is not an http or https URL"
            return notHeld(.absent(why))
        }
        let address = url.adding(
            FormParameters(parameters.fields.map { FormParameter(name: $0.name, value: $0.value) })
        )
        let redirectURI = parameters["redirect_uri"] ?? target.redirectURI ?? ""
        let arrival = await travel(to: address, redirectURI: redirectURI, request, &collected)
        let isFlow = scenario.id == .flow(responseType)
        guard isFlow || request.redeemsCode || arrival?.accessToken != nil else {
            if arrival != nil {
                collected.run.token = .notAttempted("this scenario ends at the authorization endpoint")
            }
            return collected
        }
        await redeem(arrival, request, client, parameters.hasChallenge ? Secret(secrets.verifier) : nil, &collected)
        return collected
    }

    /// How the person signs in; `nil` when the configuration does not say.
    private var instructions: SignInInstructions? {
        let secrets = collection.secrets
        guard secrets.username != nil || secrets.password != nil || !options.signInSteps.isEmpty else { return nil }
        return SignInInstructions(
            username: secrets.username ?? "",
            password: Credential(secrets.password?.reveal() ?? ""),
            steps: options.signInSteps
        )
    }

    /// Whether a person's credentials may be used for the request.
    private func signsIn(_ request: AuthorizationRequest) -> Bool {
        switch request.session {
        case .none: false
        case .signIn: true
        case .signInIfAsked: collection.plan.tier == .full
        }
    }

    /// Goes through the provider's pages and fills the run's authorization answer and visits.
    private func travel(
        to address: String,
        redirectURI: String,
        _ request: AuthorizationRequest,
        _ collected: inout CollectedRun
    ) async -> ArrivedRedirect? {
        let session = SignInSession(
            client: wire.client,
            instructions: signsIn(request) ? instructions : nil,
            redirectURI: redirectURI,
            otherRedirectURIs: target.redirectURI.map { [$0] } ?? []
        )
        let (outcome, visits) = await session.open(address)
        var last = 0
        for (place, visit) in visits.enumerated() {
            let step = scenario.title + (place == 0 ? ": authorization request" : ": \(visit.cause.words)")
            let recorded = await wire.recorder.record(visit.exchange, step: step, lane: lane, content: .pages)
            last = recorded.id
            collected.run.visits.append(PageVisit(exchange: recorded.id, filled: visit.filled))
        }
        return await conclude(outcome, visits, lastExchange: last, redirectURI, request, &collected)
    }

    private func conclude(
        _ outcome: SignInOutcome,
        _ visits: [Visit],
        lastExchange: Int,
        _ redirectURI: String,
        _ request: AuthorizationRequest,
        _ collected: inout CollectedRun
    ) async -> ArrivedRedirect? {
        switch outcome {
        case .arrived(let location, let formPost):
            let arrived = ArrivedRedirect(
                location: location,
                redirectURI: redirectURI,
                formPost: formPost,
                keepsSecrets: options.keepsSecrets
            )
            await accept(arrived, exchange: lastExchange, &collected)
            return arrived.answer.isRedirectURI ? arrived : nil
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
            await accept(arrived, exchange: lastExchange, &collected)
            return nil
        case .stopped(let reason, let page):
            await stop(reason, page, exchange: lastExchange, request, &collected)
            return nil
        case .failed(let failure):
            let why = "\(scenario.title): \(failure)"
            lose(.absent(await wire.recorder.redact(why)), &collected)
            return nil
        }
    }

    private func accept(_ arrived: ArrivedRedirect, exchange: Int, _ collected: inout CollectedRun) async {
        for (name, secret) in [
            ("code", arrived.code), ("access_token", arrived.accessToken), ("id_token", arrived.idToken),
        ] {
            if let secret { await wire.recorder.learn(name, secret.reveal(), .token) }
        }
        let answer = await wire.recorder.redact(arrived.answer)
        collected.run.authorization = .observed(AuthorizationAnswer(ending: .redirected(answer), exchange: exchange))
        guard let idToken = arrived.idToken else { return }
        collected.pending.append(
            CollectedRun.PendingToken(
                place: .authorization,
                compact: idToken,
                accessToken: arrived.accessToken,
                code: arrived.code,
                clientSecret: client.flatMap(clientSecret),
                receivedAt: options.clock()
            )
        )
    }

    /// A page that was not got past, which for a request without a person is an answer like any other.
    private func stop(
        _ reason: StopReason,
        _ page: SignIn.PageSummary?,
        exchange: Int,
        _ request: AuthorizationRequest,
        _ collected: inout CollectedRun
    ) async {
        let isFlow = scenario.id.rawValue.hasPrefix("flow.")
        let isRefusal =
            switch reason {
            case .errorPage: true
            case .noUsableForm(needsScript: false): request.session == .signInIfAsked
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
            collected.run.authorization = .observed(AuthorizationAnswer(ending: .page(summary), exchange: exchange))
            return
        }
        var why = (request.session == .signIn ? "sign-in not completed: " : "no answer: ") + reason.description
        if let summary {
            why += "; the page is \((summary.title ?? "without a title").quoted) at \(summary.address.shown())"
        }
        lose(.absent(await wire.recorder.redact(why)), &collected)
    }

    private func lose(_ reason: Reason, _ collected: inout CollectedRun) {
        collected.run.authorization = reason.observation()
        guard case .authorization(let request) = scenario.kind, request.session == .signIn else { return }
        collected.run.token = reason.observation()
        collected.run.userInfo = reason.observation()
    }
}

extension Visit.Cause {
    /// What was done, for the step of an exchange.
    fileprivate var words: String {
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
