import JSONTree

/// The baseline scenarios of a run, and the results that can be checked.
///
/// An experiment, which changes one thing of an ordinary request, proves something only if the ordinary request ended as it
/// should. If its baseline failed, its result is withheld: no check passes or fails because of it.
package struct SignInSequence: Sendable {
    /// The root causes, each reported once; empty when the ordinary scenarios ended as they should.
    package private(set) var causes: [Cause]
    private var broken: [ScenarioID: Cause]
    private let lost: UnstableAccount?
    private let target: Target
    private let tier: Tier

    /// - Parameters:
    ///   - evidence: The collected evidence.
    ///   - metadata: The discovery document, if it could be read.
    ///   - hasKeys: Whether the key set could be read.
    init(_ evidence: Evidence, _ metadata: Metadata?, hasKeys: Bool) {
        target = evidence.target
        tier = evidence.tier
        let baselines = evidence.runs.filter {
            BaselineScenario.isBaseline($0.scenario, in: evidence.target, tier: evidence.tier)
        }
        var broken: [ScenarioID: Cause] = [:]
        for run in baselines where !Self.isOutranked(run, in: evidence) {
            let cause =
                Cause.failure(run, evidence.target) { evidence.exchange($0) }
                ?? (run.scenario.isFlow ? Cause.afterSignIn(run, hasKeys: hasKeys, in: evidence) : nil)
            if let cause { broken[run.scenario] = cause.explained(run, evidence, metadata) }
        }
        // A user who could not sign in because another sign-in had failed has that one's cause.
        if let signIn = baselines.lazy.compactMap({ broken[$0.scenario] }).first(where: { $0.signInStep == .signIn }) {
            for run in baselines where run.passwordWasWithheld { broken[run.scenario] = signIn }
        }
        // Likewise a client: rejected credentials are not sent again.
        let refused = baselines.filter { broken[$0.scenario]?.signInStep == .clientAuthentication }
        for run in baselines where broken[run.scenario] == nil && run.isWithoutToken {
            guard BaselineScenario.isOrdinary(run.scenario, in: evidence.target) else { continue }
            broken[run.scenario] = refused.first { $0.clientID == run.clientID }.flatMap { broken[$0.scenario] }
        }
        // A bogus code shows nothing if a fresh one meets the same error: then the request itself is rejected.
        for run in baselines where broken[run.scenario] == nil && !run.scenario.isFlow {
            guard let error = run.tokenError else { continue }
            broken[run.scenario] = baselines.lazy.filter { $0.clientID == run.clientID && $0.tokenError == error }
                .compactMap { broken[$0.scenario] }.first { $0.signInStep == .codeRedemption && $0.mayBeConfiguration }
        }
        // One missing proof is one cause, whichever endpoint names it first.
        if let first = baselines.lazy.compactMap({ broken[$0.scenario] }).first(where: { $0.keys == Cause.keysOfDPoP })
        {
            for (id, cause) in broken where cause.keys == first.keys { broken[id] = first }
        }
        // Other flows stop at the same page when the user can no longer sign in.
        lost = UnstableAccount(evidence)
        if let lost = lost?.cause {
            for (id, cause) in broken where cause.signInStep == .signIn && cause.keys.contains("client.id") {
                broken[id] = lost
            }
        }
        let ordinary = baselines.map(\.scenario).filter { BaselineScenario.isOrdinary($0, in: evidence.target) }
        let found = broken
        var causes: [Cause] = []
        var seen: [Cause] = []
        for cause in ordinary.compactMap({ found[$0] }) where !seen.contains(where: { $0.isSame(as: cause) }) {
            seen.append(cause)
            if lost?.cause.isSame(as: cause) == true { continue }
            // A cause that all flows have in common, or that concerns the client itself, is reported without naming a flow.
            let alike = ordinary.filter { found[$0]?.isSame(as: cause) == true }
            var reported = cause
            let flows = evidence.target.flows.filter { type in alike.contains { $0 == .flow(type) } }
            if alike.allSatisfy(\.isFlow), flows.count < evidence.target.flows.count {
                reported.message = "response_type \(flows.map(\.text).joined(separator: ", ")): " + cause.message
            }
            for id in alike { broken[id] = reported }
            causes.append(reported)
        }
        if let lost { causes.append(lost.cause) }
        if let unknown = Self.unknownClient(causes, evidence) {
            for (id, cause) in broken where unknown.parts.contains(where: cause.isSame) { broken[id] = unknown.cause }
            causes.removeAll { cause in unknown.parts.contains(where: cause.isSame) }
            causes.append(unknown.cause)
        }
        // Without addresses no requests are sent; and everything that a limit cut off has that one cause.
        let ofDocumentsAndLimits = Cause.ofDocumentsAndLimits(evidence, metadata)
        if let discovery = ofDocumentsAndLimits.first(where: { $0.signInStep == .discovery }) {
            causes = []
            for (id, cause) in broken where cause.identity == .unanswered(nil) { broken[id] = discovery }
        }
        self.broken = broken
        if evidence.limitsReached != nil { causes.removeAll { $0.identity == .limit } }
        self.causes = (ofDocumentsAndLimits + causes).sorted { $0.signInStep < $1.signInStep }
    }

    /// The same without failures that do not affect a sign-in at the platform.
    package func restricted(to profile: Profile) -> SignInSequence {
        let ignored = profile.ignoredSteps
        var sequence = self
        sequence.causes.removeAll { ignored.contains($0.signInStep) }
        sequence.broken = broken.filter { !ignored.contains($0.value.signInStep) }
        return sequence
    }

    /// Why a baseline scenario did not end as it should; `nil` when it did, or when it did not run.
    package func cause(against baseline: ScenarioID) -> Cause? { broken[baseline] }

    /// The single cause of a client that both endpoints reject: a client that is not registered is rejected twice.
    ///
    /// An endpoint that redirects with its rejection knows the client (RFC 6749 section 4.1.2.1): then there are two causes.
    private static func unknownClient(_ causes: [Cause], _ evidence: Evidence) -> (cause: Cause, parts: [Cause])? {
        func client(_ cause: Cause) -> String? { cause.scenario.flatMap { evidence.run($0)?.clientID } }
        for asked in causes
        where asked.signInStep == .authorizationRequest && asked.mayBeConfiguration && asked.isOfUnknownClient {
            let refused = causes.first {
                $0.signInStep == .clientAuthentication && $0.mayBeConfiguration && client($0) == client(asked)
            }
            guard let refused else { continue }
            var cause = asked
            cause.advice =
                "First check that client.id is registered at the provider. \(refused.message) \(asked.advice)"
            cause.keys += refused.keys.filter { !asked.keys.contains($0) }
            return (cause, [asked, refused])
        }
        return nil
    }

    /// Whether a flow has shown that the client is accepted, whatever the response to a bogus code.
    private static func isOutranked(_ run: ScenarioRun, in evidence: Evidence) -> Bool {
        guard !run.scenario.isFlow else { return false }
        return evidence.runs.contains { flow in
            guard flow.scenario.isFlow, flow.clientID == run.clientID, let answer = flow.token.value else {
                return false
            }
            return evidence.isGrant(answer)
        }
    }

    /// The evidence without what proves nothing.
    func applied(to evidence: Evidence) -> Evidence {
        guard !broken.isEmpty || lost != nil else { return evidence }
        var evidence = evidence
        evidence.runs = evidence.runs.map { withheld($0, evidence) }
        if let lost { evidence.runs = evidence.runs.map(lost.withheld) }
        let logout = BaselineScenario.of(Scenario.logout.id, in: target, tier: tier)
        if case .absent = evidence.backChannel, let cause = logout.flatMap({ broken[$0] }), cause.signInStep < .idToken
        {
            evidence.backChannel = .absent(Reason(cause.message, of: reported(cause)))
        }
        return evidence
    }

    private func withheld(_ run: ScenarioRun, _ evidence: Evidence) -> ScenarioRun {
        let wasTestedByBogusCode = evidence.wasTestedByBogusCode(run.scenario)
        let isLeft = { (step: StepRun) in wasTestedByBogusCode || run.isWithheld(step) }
        if let cause = broken[run.scenario], BaselineScenario.isOrdinary(run.scenario, in: target) {
            return cause.mayBeConfiguration
                ? run.withheld(because: cause, reported: reported(cause), left: isLeft) : run
        }
        guard let baseline = BaselineScenario.of(run.scenario, in: target, tier: tier), let cause = broken[baseline]
        else {
            return run
        }
        return run.withheld(
            because: cause,
            reported: reported(cause),
            left: isLeft,
            isOrdinary: BaselineScenario.isOrdinary(baseline, in: target)
        )
    }

    /// The cause as it is at the start of the run: that of a limit, if it cut the scenario off.
    private func reported(_ cause: Cause) -> Cause {
        let limit = cause.identity == .limit ? causes.first { $0.signInStep == .limit } : nil
        return limit ?? causes.first { $0.isSame(as: cause) } ?? cause
    }

    /// A document with the cause for which it is absent.
    func explained<Value>(_ document: Observation<Value>, as signInStep: Cause.SignInStep) -> Observation<Value> {
        guard case .absent(let why) = document, let cause = causes.first(where: { $0.signInStep == signInStep }) else {
            return document
        }
        return .absent(Reason(why.text, why.kind, of: cause))
    }

    /// The reason with its cause, if that is at the start of the run: evidence stores no causes.
    ///
    /// Without a discovery document everything depends on it.
    ///
    /// - Parameter exchange: The exchange without a response, if it is known.
    func explained(_ reason: Reason, at exchange: Int?) -> Reason {
        guard reason.cause == nil else { return reason }
        let cause = causes.first { cause in
            switch cause.signInStep {
            case .discovery: true
            case .limit: reason.kind == .limit
            default: exchange != nil && cause.exchange == exchange
            }
        }
        return Reason(reason.text, reason.kind, of: cause)
    }
}

/// The baseline of each scenario.
package enum BaselineScenario {
    /// The ordinary scenario that must have ended as it should before this one proves anything; `nil` for one that is ordinary
    /// itself, or independent.
    package static func of(_ id: ScenarioID, in target: Target, tier: Tier) -> ScenarioID? {
        let baseline: ScenarioID? =
            switch Scenario.named(id)?.ordinary {
            case .request(let type)?: tier < .full ? ordinaryRequest : flow(of: type, in: target)
            case .bogusCode(let method?)?: .bogusCode(method, secretIsRight: true)
            case .bogusCode(nil)?: bogusCode(in: target)
            case .alone?, nil: nil
            }
        return baseline == id ? nil : baseline
    }

    /// An unchanged authorization request without a sign-in.
    package static let ordinaryRequest = Scenario.asThePlatformSends.id

    /// The flow with the response type, else the first, one with a code before others.
    private static func flow(of asked: ResponseType?, in target: Target) -> ScenarioID? {
        let types = target.flows
        let type = types.first { $0 == asked } ?? types.first(where: \.hasCode) ?? types.first
        return type.map(ScenarioID.flow)
    }

    /// A bogus code, sent as the client of the code flow is configured to authenticate.
    private static func bogusCode(in target: Target) -> ScenarioID? {
        target.client(for: target.flows.first(where: \.hasCode) ?? "code")
            .map { .bogusCode($0.authentication, secretIsRight: true) }
    }

    /// Scenarios that run before another whatever their result: the flow that first sends a client's credentials, the ordinary
    /// registration, and the test of a mistake with a bogus code.
    ///
    /// A bogus code may be rejected with the words for a wrong secret, and a fresh one distinguishes the two. The provider's
    /// requirements for all registered clients show at the ordinary one. Before a sign-in there, the user has signed in at the
    /// configured client: if that stops, its flow shows why.
    package static func predecessors(of scenario: Scenario, in target: Target, tier: Tier) -> [ScenarioID] {
        if scenario.client != .configured {
            let ordinary = Scenario.ordinaryRegistration.id
            if scenario.id == ordinary { return [] }
            let signsIn = tier == .full && !scenario.authorizations.isEmpty
            return [ordinary] + (signsIn ? target.flows.prefix(1).map { ScenarioID.flow($0) } : [])
        }
        if let test = scenario.bogusCodeTest(in: target) {
            return [test.mistake.scenario, test.baseline.scenario]
        }
        guard tier == .full, scenario.authorizations.isEmpty,
            scenario.steps.contains(where: { $0.call?.endpoint == "token_endpoint" })
        else { return [] }
        return target.flows.first(where: \.hasCode).map { [ScenarioID.flow($0)] } ?? []
    }

    /// Whether a scenario runs although its baseline failed: it shows which value is registered instead of the sent one.
    package static func explains(_ id: ScenarioID, _ cause: Cause) -> Bool {
        guard cause.signInStep == .authorizationRequest else { return false }
        return isOfARefusal(id) || cause.keys.contains("redirect_uri") && id == Scenario.redirectURIVariations.id
    }

    /// Whether a scenario runs only if its baseline was rejected: it shows only the reason.
    package static func isOfARefusal(_ id: ScenarioID) -> Bool { id == Scenario.refusedRequest.id }

    /// Whether others wait for a scenario.
    package static func isBaseline(_ id: ScenarioID, in target: Target, tier: Tier) -> Bool {
        target.flows.contains { .flow($0) == id } || (id == ordinaryRequest && tier < .full)
            || ScenarioID.bogusCodes(secretIsRight: true).contains(id)
    }

    /// Whether it is a bogus code that is sent as the client of the code flow is configured to authenticate.
    static func isOrdinaryBogusCode(_ id: ScenarioID, in target: Target) -> Bool { id == bogusCode(in: target) }

    /// Whether a baseline is an everyday request of the configured client; not so a method that it is not registered for.
    static func isOrdinary(_ id: ScenarioID, in target: Target) -> Bool {
        id == bogusCode(in: target) || !ScenarioID.bogusCodes(secretIsRight: true).contains(id)
    }
}

extension Cause {
    /// The advice for a rejected request that is accepted with a form response.
    package static func takesFormPost(_ target: Target) -> String {
        let start = "The provider accepts the same request with response_mode=form_post"
        return target.hasCustomParameter("response_mode")
            ? start + ". " + notSent("response_mode")
            : start + ": configure custom_parameters: { response_mode: form_post }, and make the client send it."
    }

    /// The advice for a configured parameter that the profile reserves, so that no request contains it.
    static func notSent(_ parameter: String) -> String {
        "The configuration has \(parameter) in custom_parameters, but the platform of the profile does not send it: use a "
            + "platform that does, or change the client at the provider."
    }

    /// The cause with the results of experiments: those that show the registration run anyway.
    fileprivate func explained(_ run: ScenarioRun, _ evidence: Evidence, _ metadata: Metadata?) -> Cause {
        var cause = self
        let client = evidence.target.client(for: run.responseType)
        switch signInStep {
        case .authorizationRequest:
            if isRefusal { cause = namingParameter(run, client, evidence.target, metadata?.object) }
            // No request was sent, because the server returned no document.
            if metadata == nil, run.visits.isEmpty, evidence.exchange(evidence.discoveryHops.last)?.response != nil {
                cause.advice =
                    evidence.wrongIssuerAdvice
                    ?? "Correct the discovery document first: the failed check names the fix."
                cause.keys = ["issuer"]
            }
            // The endpoint for pushed requests authenticates the client as the token endpoint does (RFC 9126 section 2).
            if cause == self, run.authorization.value?.page?.pushError != nil {
                cause = namingAuthentication(client, metadata?.object)
            }
            let steps = evidence.run(Scenario.redirectURIVariations.id)?.steps ?? []
            if let taken = steps.first(where: \.isLetIn)?.sentParameter("redirect_uri") {
                cause.advice = "The provider accepts another redirect URI: configure redirect_uri: \(taken.shown())"
            }
            if evidence.takesRefusedRequest(.short) {
                cause.mayBeConfiguration = false
                cause.keys = []
                cause.advice =
                    "The provider accepts the same request with a state and a nonce of 8 characters: accept longer values "
                    + "from every client."
            } else if evidence.takesRefusedRequest(.noChallenge) {
                cause.mayBeConfiguration =
                    metadata?.strings("code_challenge_methods_supported")?.contains("S256") != true
                cause.keys = []
                cause.advice =
                    "The provider accepts the same request without code_challenge: accept code_challenge_method S256."
            } else if evidence.takesRefusedRequest(.challenge) {
                cause.message =
                    "The provider rejects the ordinary authorization request, and accepts it with code_challenge (PKCE)."
                cause.keys = ["client.pkce"]
                cause.advice = Cause.pkceAdvice
                cause.mayBeConfiguration = true
            } else if evidence.takesRefusedRequest(.formPost) {
                cause.keys = ["custom_parameters"]
                cause.advice = Cause.takesFormPost(evidence.target)
                cause.mayBeConfiguration = true
            } else if evidence.takesRefusedRequest(.acrValues),
                let value = evidence.run(Scenario.refusedRequest.id)?[.acrValues]?.sentParameter("acr_values")
            {
                cause.message =
                    "The provider rejects the ordinary authorization request, and accepts it with acr_values."
                cause.keys = ["custom_parameters"]
                cause.advice =
                    "Configure custom_parameters: { acr_values: \(value.shown(limit: 120)) }, and make the client send it."
                cause.mayBeConfiguration = true
            }
        case .clientAuthentication:
            let encoding = evidence.run(Scenario.basicEncoding.id)?.answer(.unencoded).value
            if let encoding, evidence.lets(in: encoding) { cause.mayBeConfiguration = false }
            cause = cause.namingAuthentication(client, metadata?.object)
            let own = evidence.target.client(for: "code")?.authentication
            let other = ClientAuthentication.allCases.first { method in
                guard method != .none, method != own, let run = evidence.run(.bogusCode(method, secretIsRight: true))
                else {
                    return false
                }
                return run.token.value.map(evidence.lets(in:)) ?? false
            }
            let audience: (step: StepID, other: AssertionAudience) =
                client?.assertionAudience == .issuer ? (.endpoint, .tokenEndpoint) : (.issuer, .issuer)
            let withOtherAudience = evidence.run(Scenario.assertionForms.id)?.answer(audience.step).value
            let withoutVerifier = evidence.run(Scenario.bogusCodeWithoutVerifier.id)?.token.value
            if let withoutVerifier, evidence.lets(in: withoutVerifier) {
                cause.keys = ["client.pkce"]
                cause.advice =
                    "The provider accepts the same secret without code_verifier: ignore it at the token endpoint "
                    + "(RFC 6749 section 3.2). If the platform sends no PKCE, set client.pkce: false."
            } else if let withOtherAudience, evidence.lets(in: withOtherAudience) {
                cause.keys = ["client.assertion_audience"]
                cause.advice =
                    "The provider accepts the same assertion with another aud: configure client.assertion_audience: "
                    + "\(audience.other.rawValue)"
            } else if let other {
                cause.advice =
                    "The provider accepts the same secret with \(other.rawValue): configure client.authentication: \(other.rawValue)"
            }
        // Some providers report errors with status 200.
        case .signIn where isRefusal && run.visits.allSatisfy(\.filled.isEmpty):
            cause = namingParameter(run, client, evidence.target, metadata?.object)
        case .codeRedemption: cause = namingAuthentication(client, metadata?.object)
        case .discovery, .keys, .signIn, .idToken, .userInfo, .limit: break
        }
        return cause
    }
}

extension Evidence {
    /// Whether the ordinary request was rejected once more, and accepted in a simpler form.
    package func takesRefusedRequest(_ simpler: StepID) -> Bool {
        guard let run = run(Scenario.refusedRequest.id), let again = run[.again], let other = run[simpler] else {
            return false
        }
        return again.authorization.value != nil && !again.isLetIn && other.isLetIn
    }

    /// Whether an answer of the token endpoint let the client through: only its code was wrong.
    fileprivate func lets(in answer: EndpointAnswer) -> Bool {
        isGrant(answer) || answer.body.json?["error"] == "invalid_grant"
    }
}

extension ScenarioRun {
    /// The error code with which the token endpoint rejected its code.
    fileprivate var tokenError: String? { token.value?.body.json?["error"]?.stringValue }
}

extension StepRun {
    /// Whether the request led to the client, or to a page that asks who is there.
    fileprivate var isLetIn: Bool {
        switch authorization.value?.ending {
        // With prompt=none, a provider reports there that no user is signed in.
        case .redirected(let redirect)?:
            redirect.isRedirectURI && (redirect.error == nil || sentParameter("prompt") == "none")
        case .page(let page)?: page.requestsSignIn
        case nil: false
        }
    }
}

extension ScenarioRun {
    /// The run without the results that a failed step invalidates: that step, and all later ones.
    ///
    /// - Parameters:
    ///   - cause: The root cause.
    ///   - reported: The cause as it is at the start of the run.
    ///   - isLeft: Whether a step that was not attempted waits for the cause: its test with a bogus code replaced it, or it depends on the
    ///     password, whichever of several flows had sent it.
    ///   - isOrdinary: Whether it is an everyday request of the configured client; otherwise nothing is missing.
    fileprivate func withheld(
        because cause: Cause,
        reported: Cause,
        left isLeft: (StepRun) -> Bool,
        isOrdinary: Bool = true
    ) -> ScenarioRun {
        // Nothing stands on what comes after the sign-in.
        guard cause.signInStep < .idToken else { return self }
        let why =
            isOrdinary
            ? cause.message : "the correct credentials are rejected as well, so a rejection of others shows nothing"
        var run = self
        for index in run.steps.indices {
            // If the user can sign in, the responses of the authorization endpoint stay valid.
            if cause.signInStep > .signIn, case .authorization? = run.steps[index].outcome.value { continue }
            // A step that was not attempted for another reason stays so.
            if case .notAttempted = run.steps[index].outcome, !isLeft(run.steps[index]) { continue }
            run.steps[index].outcome = isOrdinary ? .absent(Reason(why, of: reported)) : .notAttempted(why)
        }
        return run
    }
}

extension Cause {
    /// Whether client or redirect URI may be unknown: the rejection was shown to the user, without a redirect.
    fileprivate var isOfUnknownClient: Bool { Set(keys).isSuperset(of: ["client.id", "redirect_uri"]) }
}
