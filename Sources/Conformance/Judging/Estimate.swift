/// What a run, or a part of it, is expected to cost the provider.
package struct Estimate: Sendable, Hashable {
    package var requests = 0
    /// How many times a person's password is sent.
    package var signIns = 0
    /// Conversations that ask for something wrong or unusual on purpose.
    package var probes = 0

    package init(requests: Int = 0, signIns: Int = 0, probes: Int = 0) {
        self.requests = requests
        self.signIns = signIns
        self.probes = probes
    }

    package static func + (left: Estimate, right: Estimate) -> Estimate {
        var sum = left
        sum.requests += right.requests
        sum.signIns += right.signIns
        sum.probes += right.probes
        return sum
    }
}

/// Costs are derived from the plan alone, so they are those of a provider that offers all that is asked for, has one page
/// to sign in and one to consent, and remembers both within a browser.
extension Plan {
    /// What the run adds in a tier to those below it.
    ///
    /// - Parameters:
    ///   - tier: The tier.
    ///   - isPatient: Whether steps that wait long are held.
    package func estimate(of tier: Tier, isPatient: Bool = false) -> Estimate {
        var estimate = Estimate()
        if tier == .static { estimate.requests = documentRequests }
        for scenario in scenarios where scenario.tier == tier {
            estimate.requests += requests(of: scenario, isPatient: isPatient)
            if !scenario.leavesBrowser, requests(of: scenario, isPatient: isPatient) > 0 { estimate.probes += 1 }
        }
        let oauth1 = [Need.oauth1(.temporaryCredentials), .oauth1(.signIns)]
            .filter { needs.contains($0) && $0.tier == tier }
        estimate = oauth1.map(\.about.cost).reduce(estimate, +)
        if tier == .full { estimate.signIns = signIns }
        // Each browser that scenarios share, and no flow leaves behind, is signed in to once.
        if tier == .full, self.tier == .full {
            estimate.requests +=
                max(0, sharedBrowsers - min(3, scenarios.count(where: \.leavesBrowser))) * Self.signInPages
        }
        return estimate
    }

    /// What the whole run costs.
    package func estimate(isPatient: Bool = false) -> Estimate {
        Tier.allCases.map { estimate(of: $0, isPatient: isPatient) }.reduce(Estimate(), +)
    }

    /// What the run asks of documents; hosts that are reached by nothing else, and further addresses, are not known yet.
    private var documentRequests: Int {
        let reads = profile.parameters.readsDiscovery
        func cost(_ asked: [Need]) -> Int {
            asked.filter(needs.contains).map(\.about.cost.requests).reduce(0, +)
        }
        guard reads else { return cost([.publication]) + (asksAsScript ? 1 : 0) }
        let documents = cost([.discovery, .keys])
        return documents * (needs.contains(.again) ? 2 : 1) + cost([.agents(.discovery), .agents(.keys)])
            + (asksAsScript ? documents + 1 : 0)
    }

    private var asksAsScript: Bool { needs.contains(.scripts) && target.redirectURI != nil }

    /// The way to the form, the form, the way to the consent, the consent.
    static let signInPages = 4

    // MARK: Scenarios

    /// How many requests a conversation takes.
    package func requests(of scenario: Scenario, isPatient: Bool = false) -> Int {
        // A client of its own is registered, read back and deleted.
        var count = scenario.client == .configured ? 0 : scenario.steps.isEmpty ? 1 : 3
        // A good provider refuses no ordinary request.
        if !isKnown(scenario.requires) || Control.isOfARefusal(scenario.id) { return 0 }
        var type = ResponseType.ordinary(in: target)
        for step in scenario.steps
        where step.conditions.allSatisfy({ $0.whyUnmet(target) == nil }) && isKnown(step.requires)
            && !isNeedless(step, scenario)
        {
            switch step.request {
            case .authorize(let request):
                type = request.responseType ?? type
                count += requests(of: request)
            case .call(let call): count += isMade(call, type) ? 1 : 0
            case .endSession: count += 1
            // It is deleted in any case.
            case .wait, .deleteClient: break
            // What leads to a wait that is not waited for is left out with it.
            case .waitLong: if !isPatient { return 0 }
            }
        }
        return count
    }

    /// Whether a good provider has answered the step before it is made.
    private func isNeedless(_ step: Step, _ scenario: Scenario) -> Bool {
        if scenario.step(step.id.completed)?.unlessGranted != nil { return true }
        return step.isOncePerPlace
            && target.flows.first(where: \.isFrontChannel) != step.authorizationRequest?.responseType
    }

    /// The authorization request with the pages of its sign-in.
    private func requests(of request: AuthorizationRequest) -> Int {
        (request.mayBePushed && profile.parameters.states(.requestsArePushed) ? 1 : 0) + visits(of: request)
    }

    private func visits(of request: AuthorizationRequest) -> Int {
        switch request.session {
        case .signIn: 1 + Self.signInPages
        // Consent was given before.
        case .signInAgain: 1 + Self.signInPages / 2
        // Without a person the first page ends it; with one, nothing is asked.
        default: 1
        }
    }

    /// Whether what a step requires is known to be there, or not known beforehand: no discovery document names an API.
    private func isKnown(_ required: [MetadataRequirement]) -> Bool {
        let addresses = knownAddresses.map(\.member)
        return required.map(\.member)
            .allSatisfy { member in
                (profile.parameters.readsDiscovery && !member.hasPrefix("user_")) || addresses.contains(member)
            }
    }

    // MARK: Client authentication

    private var codeClient: Client? { target.client(for: target.flows.first(where: \.hasCode) ?? "code") }
    private var isConfidential: Bool { codeClient.map { $0.hasSecret && $0.authentication != .none } ?? false }

    private func isTried(_ method: ClientAuthentication) -> Bool { isConfidential == (method != .none) }

    /// Whether a call is made: what needs a secret to be wrong is not asked for a client without one, and a code is redeemed
    /// where there is one.
    private func isMade(_ call: EndpointCall, _ type: ResponseType) -> Bool {
        if call == .redeemCode, !type.hasCode { return false }
        return switch call.authentication {
        case .method(let method), .wrongSecret(let method?): isTried(method)
        case .wrongSecret, .basicAndPost: isConfidential
        default: true
        }
    }
}
