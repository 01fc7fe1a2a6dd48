/// One request of a run, or a pause, as it is planned.
///
/// Estimate, limit of sign-ins, schedule, runner and the `plan` command read these. No other code works out from a scenario what is sent
/// and what it costs.
package struct PlannedRequest: Sendable, Hashable {
    /// The scenario or need of the request.
    package enum Subject: Sendable, Hashable {
        case need(Need)
        case step(ScenarioID, StepID)
        /// The registration of a scenario's own client, with its reading and its deletion (RFC 7591, RFC 7592).
        case client(ScenarioID)
        /// The sign-in of a browser that scenarios share and no flow leaves behind.
        case browser
    }

    /// The participants of a request.
    package enum Part: Sendable, Hashable {
        /// Only the client.
        case client
        /// A browser without a sign-in.
        case browser
        /// A browser in which the user signs in if the provider requests it; below the tier `full`, one without a sign-in.
        case userIfAsked
        /// A user, or the browser in which one has signed in.
        case user
        /// No participant: nothing is sent for ``PlannedRequest/seconds``.
        case pause
    }

    var subject: Subject
    var tier: Tier
    package var part: Part
    /// The cost at a provider that offers all requested features, has one page to sign in and one to consent, remembers both
    /// within a browser, and rejects no ordinary request; for sign-ins it is the maximum.
    package var cost = Estimate()
    /// Whether a provider without sessions requests the password, if it does so before it checks the request.
    var mayRequirePassword = false
    /// Seconds of a pause.
    package var seconds = 0.0
    /// Whether the pause counts from the user's sign-in, which may lie back far enough when its turn comes.
    package var mayHavePassed = false
    /// Whether the pause takes place only with `--patient`; no other step waits for it.
    package var isLong = false
    /// Why it is not sent, as far as that is known before the run.
    package var whyNot: String?

    init(_ subject: Subject, tier: Tier, part: Part) {
        self.subject = subject
        self.tier = tier
        self.part = part
    }

    /// Whether a user takes part at a good provider, which rejects a mistake before the sign-in.
    var takesUser: Bool { part == .user || part == .userIfAsked && tier == .full }

    var scenario: ScenarioID? {
        switch subject {
        case .step(let scenario, _), .client(let scenario): scenario
        case .need, .browser: nil
        }
    }

    package var step: StepID? {
        if case .step(_, let step) = subject { step } else { nil }
    }
}

extension Plan {
    /// The places of the scenarios that redeem one code in turn, each with a mistake, and the last correctly.
    package var codeChain: [Int] {
        guard tier == .full, let last = scenarios.firstIndex(where: { $0.id == Scenario.codeTwice.id }) else {
            return []
        }
        return scenarios.indices.filter { scenarios[$0].redeemsOrdinaryCode && $0 != last } + [last]
    }

    /// Every request of the run: documents first, then scenario by scenario in the order of the steps.
    package var requests: [PlannedRequest] {
        documentRequests + oauth1Requests + scenarios.flatMap(requests) + sharedSignIns
    }

    /// The requests of a scenario, in order.
    package func requests(of scenario: Scenario) -> [PlannedRequest] {
        var requests = scenario.steps.map { planned($0, of: scenario) }
        // Whatever comes after a pause that is left out would show something else.
        if longWait == nil, let pause = scenario.steps.firstIndex(where: { $0.request == .waitLong }) {
            for index in requests[pause...].indices where requests[index].whyNot == nil {
                requests[index].whyNot = "it waits for half a minute; use --patient to run it"
            }
        }
        // Nothing leads on to what is not sent.
        let led = scenario.ledSteps
        if !led.isEmpty, let why = requests[led[0]].whyNot, led.allSatisfy({ requests[$0].whyNot != nil }) {
            for index in requests.indices where requests[index].whyNot == nil { requests[index].whyNot = why }
        }
        for index in requests.indices where requests[index].whyNot != nil {
            requests[index].cost = Estimate()
            requests[index].mayRequirePassword = false
        }
        guard scenario.client != .configured, requests.isEmpty || requests.contains(where: { $0.whyNot == nil }) else {
            return requests
        }
        var registration = PlannedRequest(.client(scenario.id), tier: scenario.tier, part: .client)
        registration.cost.requests = !isKnown(scenario.requires) ? 0 : requests.isEmpty ? 1 : 3
        return [registration] + requests
    }

    // MARK: Steps

    private func planned(_ step: Step, of scenario: Scenario) -> PlannedRequest {
        var planned = PlannedRequest(.step(scenario.id, step.id), tier: scenario.tier, part: step.part)
        planned.whyNot = whyNotSent(step, of: scenario)
        let isExpected = isKnown(scenario.requires + step.requires) && !isSuperfluous(step, of: scenario)
        switch step.request {
        case .authorize(let request):
            let isSignIn = [.signIn, .signInAgain].contains(request.session) || request.user == .firstElsewhere
            if tier == .full, isSignIn, step.unlessGranted == nil { planned.cost.signIns = 1 }
            guard isExpected, !reusesCode(scenario) else { break }
            planned.cost.requests = visits(of: request)
            planned.mayRequirePassword = tier == .full && request.mayRequirePassword && step.ifSilent == nil
        // A client is deleted in any case, which is planned with its registration.
        case .deleteClient: break
        case .call(let call): planned.cost.requests = isExpected ? call.isSentTwice ? 2 : 1 : 0
        case .endSession: planned.cost.requests = isExpected ? 1 : 0
        case .wait(let seconds, let moment):
            planned.seconds = seconds
            planned.mayHavePassed = moment == .signIn
        case .waitLong:
            planned.seconds = longWait ?? 0
            planned.isLong = true
        }
        return planned
    }

    private func whyNotSent(_ step: Step, of scenario: Scenario) -> String? {
        if let why = step.conditions.lazy.compactMap({ $0.whyUnmet(target) }).first { return why }
        let type = scenario.responseType(of: step, in: target)
        if step.isOncePerPlace, let first = target.flows.first(where: \.isFrontChannel), first != type {
            return "response_type \(first) is requested instead"
        }
        guard let call = step.call, scenario.client == .configured,
            let client = target.client(for: scenario.clientType(in: target))
        else { return nil }
        return call.whyNotSent(by: client)
    }

    /// Whether an earlier scenario of the chain leaves its code.
    private func reusesCode(_ scenario: Scenario) -> Bool {
        guard scenario.redeemsOrdinaryCode || scenario.id == Scenario.codeTwice.id else { return false }
        let executed = codeChain.map { scenarios[$0] }.filter { $0.bogusCodeTest(in: target) == nil }
        return executed.dropFirst().contains { $0.id == scenario.id }
    }

    /// Whether a good provider makes a step needless: it rejects no ordinary request, rejects a mistake before it checks the
    /// code, grants requests that it granted before, and issues no code for a response type without one.
    private func isSuperfluous(_ step: Step, of scenario: Scenario) -> Bool {
        BaselineScenario.isOfARefusal(scenario.id) || scenario.bogusCodeTest(in: target) != nil
            || isAskedJointly(step.id.completed, in: scenario)
            || step.call == .redeemCode && !scenario.lastResponseType(before: step, in: target).hasCode
    }

    /// Whether a combined request that is sent includes this one.
    private func isAskedJointly(_ id: StepID, in scenario: Scenario) -> Bool {
        guard let joint = scenario.step(id)?.unlessGranted.flatMap(scenario.step) else { return false }
        return whyNotSent(joint, of: scenario) == nil || isAskedJointly(joint.id, in: scenario)
    }

    /// The authorization request with the pages of its sign-in, and the request that pushes it.
    private func visits(of request: AuthorizationRequest) -> Int {
        let pages =
            switch request.session {
            case .signIn: Self.signInPages
            // Consent was given before.
            case .signInAgain: Self.signInPages / 2
            // Without a user the first page ends it; with one, nothing is asked.
            case .none, .shared, .signInIfAsked, .asItIs, .consentIfAsked: 0
            }
        let isPushed = profile.parameters.states(.requestsArePushed) || target.client?.requiresPushedRequests == true
        return 1 + pages + (request.mayBePushed && isPushed ? 1 : 0)
    }

    /// The way to the form, the form, the way to the consent, the consent.
    static let signInPages = 4

    /// Whether what a step requires is known to be there, or not known beforehand: no discovery document names an API.
    private func isKnown(_ required: [MetadataRequirement]) -> Bool {
        let addresses = knownAddresses.map(\.member)
        return required.map(\.member)
            .allSatisfy { member in
                (profile.parameters.readsDiscovery && !member.hasPrefix("user_")) || addresses.contains(member)
            }
    }

    // MARK: Documents and browsers

    /// The requests for documents; hosts that nothing else reaches, and further addresses, are not known yet.
    private var documentRequests: [PlannedRequest] {
        let asksAsScript = needs.contains(.scripts) && target.redirectURI != nil
        let isRead = profile.parameters.readsDiscovery
        let documents: [Need] = isRead ? [.discovery, .keys] : [.publication]
        var requests = documents.flatMap { need in
            Array(repeating: need, count: isRead && needs.contains(.again) ? 2 : 1)
        }
        if isRead { requests += [.serverMetadata, .agents(.discovery), .agents(.keys)] }
        if target.webResource != nil { requests.append(.protectedResource) }
        if target.webFinger != nil { requests.append(.webFinger) }
        requests = requests.filter(needs.contains)
        var planned = requests.map(ofNeed)
        if asksAsScript {
            var scripts = PlannedRequest(.need(.scripts), tier: .static, part: .client)
            scripts.cost.requests = 1 + (isRead ? documents.count(where: needs.contains) : 0)
            planned.append(scripts)
        }
        return planned
    }

    private var oauth1Requests: [PlannedRequest] {
        [Need.oauth1(.temporaryCredentials), .oauth1(.signIns)].filter { needs.contains($0) && $0.tier <= tier }
            .map(ofNeed)
    }

    private func ofNeed(_ need: Need) -> PlannedRequest {
        var planned = PlannedRequest(.need(need), tier: need.tier, part: .client)
        planned.cost = need.context.cost
        return planned
    }

    /// Each browser that scenarios share, and no flow leaves behind, is signed in to once.
    private var sharedSignIns: [PlannedRequest] {
        guard tier == .full else { return [] }
        var planned = PlannedRequest(.browser, tier: .full, part: .user)
        planned.cost = Estimate(requests: Self.signInPages, signIns: 1)
        return Array(repeating: planned, count: max(0, sharedBrowsers - flowBrowsers))
    }
}

extension Scenario {
    /// The places of the steps that the others lead to; none where the scenario is not one of steps in a shared browser.
    package var ledSteps: [Int] {
        guard sharesBrowser, steps.first?.title == nil else { return [] }
        return steps.indices.filter { steps[$0].title != nil && !steps[$0].isPause }
    }

    /// The requested response type: the scenario's, or that of an ordinary request.
    package func responseType(in target: Target) -> ResponseType {
        steps.lazy.compactMap(\.authorizationRequest).first?.responseType ?? .ordinary(in: target)
    }

    package func responseType(of step: Step, in target: Target) -> ResponseType {
        step.authorizationRequest?.responseType ?? responseType(in: target)
    }

    /// The response type of the last authorization request before a step.
    fileprivate func lastResponseType(before step: Step, in target: Target) -> ResponseType {
        let earlier = steps.prefix { $0.id != step.id }.compactMap(\.authorizationRequest?.responseType)
        return earlier.last ?? .ordinary(in: target)
    }

    /// The response type whose client takes part: that of the code flow if only the token endpoint is used.
    package func clientType(in target: Target) -> ResponseType {
        authorizations.isEmpty ? target.flows.first(where: \.hasCode) ?? "code" : responseType(in: target)
    }
}

extension Step {
    fileprivate var part: PlannedRequest.Part {
        switch request {
        case .authorize(let request):
            switch request.session {
            case .none: .browser
            case .signInIfAsked: .userIfAsked
            case .signIn, .signInAgain, .shared, .asItIs, .consentIfAsked: .user
            }
        case .endSession: .user
        case .call, .deleteClient: .client
        case .wait, .waitLong: .pause
        }
    }
}

extension EndpointCall {
    /// Why a configured client cannot make the call, as far as its registration says; `nil` where it can.
    package func whyNotSent(by client: Client) -> String? {
        if client.usesDPoP == true, parameters.contains(where: { $0.name == "access_token" }) {
            return "a token that is bound by DPoP is sent in the Authorization header (RFC 9449 section 7.1)"
        }
        return switch authentication {
        case .none, .identifierOnly, .unknownClient, .malformedBasic, .otherClient, .assertion, .basicUnencoded,
            .basicPercentEncoded:
            nil
        case .asRegistered:
            method != "POST" && client.authentication == .clientSecretPost && client.isConfidential
                ? "the client secret would be in an address, which servers log" : nil
        case .method(let method), .wrongSecret(let method?): Self.whyNotTried(method, by: client)
        case .wrongSecret(nil): client.isConfidential ? nil : Self.noSecret
        case .basicAndPost: client.hasSecret ? nil : "the client has no secret"
        }
    }

    private static let noSecret = "the client is public: it has no secret to authenticate with"

    private static func whyNotTried(_ method: ClientAuthentication, by client: Client) -> String? {
        switch method {
        case .none: client.isConfidential ? "the client has a secret, so it must authenticate" : nil
        case .privateKeyJWT: client.keyThumbprint == nil ? "the client has no key to sign with" : nil
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            !client.isConfidential ? noSecret : client.hasSecret ? nil : "the client has a key and no secret"
        }
    }
}
