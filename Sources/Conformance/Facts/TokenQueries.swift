/// The queries of ID Tokens.
extension StepResults {
    /// Every ID Token of every flow, as it arrived.
    package static let rawIDTokens = Query<RawIDToken>(
        "each ID Token as it arrived",
        needs: [.discovery, .keys, .flows],
        whenEmpty: noFlow
    ) { facts in
        facts.evidence.runs.filter { $0.scenario == offlineInput }
            .map { run in sample(run, .token, label: label(run)) { raw($0, .offlineInput, "no token was given") } }
            + flowRuns(facts).flatMap(rawSamples)
    }

    /// The ID Tokens of the configured clients from scenarios other than the flows, as received.
    ///
    /// Nothing is collected for them. Those of refresh tokens, and those that the client should not have received, are left
    /// out: they have their own checks.
    package static let otherIDTokens = Query<RawIDToken>(
        "every ID Token of other scenarios than the flows",
        needs: rawIDTokens.needs,
        whenEmpty: "no scenario other than the flows returned an ID Token"
    ) { facts in
        let others = facts.evidence.runs.filter { !$0.scenario.isFlow && $0.registration == nil }
            .flatMap { run in run.steps.compactMap { otherSample(run, $0) } }
        // If no flow ran either, the run did not get so far, and shows nothing about the provider.
        let unread = rawIDTokens.samples(facts).prefix(1).filter { $0.observation.value == nil }
        return others.isEmpty ? Array(unread) : others
    }

    private static func otherSample(_ run: ScenarioRun, _ step: StepRun) -> Sample<RawIDToken>? {
        guard let scenario = Scenario.named(run.scenario), scenario.client == .configured, let token = step.idToken
        else {
            return nil
        }
        let call = scenario.step(step.id)?.call
        let isRefresh = call?.parameters.contains { $0.name == "refresh_token" } ?? false
        guard !isRefresh, call.map({ $0.authentication == .asRegistered }) ?? true else { return nil }
        // Another check compares its nonce.
        guard step.id != StepID.otherTab.token else { return nil }
        // Without openid no ID Token is owed, and what one is then is not laid down (Core section 3.1.2.1).
        let scope = run[step.id.completed]?.sentParameter("scope")?.split(separator: " ")
        guard scope?.contains("openid") ?? true else { return nil }
        let place = call == nil ? IDTokenPlace.authorizationEndpoint : .tokenEndpoint
        return Sample(
            .observed(RawIDToken(facts: token, asked: StepEvidence(run, step), place: place)),
            label: step.title,
            exchange: step.exchange
        )
    }

    private static func rawSamples(_ run: ScenarioRun) -> [Sample<RawIDToken>] {
        var samples: [Sample<RawIDToken>] = []
        if run.responseType.hasIDToken {
            samples.append(
                sample(run, .authorization, label: label(run) + ", authorization endpoint") {
                    raw($0, .authorizationEndpoint, "the authorization response has no ID Token")
                }
            )
        }
        if run.responseType.hasCode {
            samples.append(
                sample(run, .token, label: label(run) + ", token endpoint") {
                    raw($0, .tokenEndpoint, "the token response has no ID Token")
                }
            )
        }
        return samples
    }

    /// Every ID Token of every flow that could be decoded.
    package static let idTokens = rawIDTokens.narrowed("each ID Token") { sample, facts in
        Sample<IDToken>(
            sample.observation.flatMap(facts.decoded),
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The ID Token of a step, from the authorization endpoint or from the token endpoint.
    package static func idToken(
        _ scenario: Scenario,
        _ id: StepID = .authorization,
        at place: IDTokenPlace
    ) -> Query<IDToken> {
        query("ID Token from the \(place.rawValue): " + scenario.words(for: id), scenario, id) { run, facts in
            idToken(run, id, at: place, facts)
        }
    }

    /// The ID Token of a step, preferably that of the token endpoint.
    package static func anyIDToken(_ scenario: Scenario, _ id: StepID = .authorization) -> Query<IDToken> {
        query("ID Token of: " + scenario.words(for: id), scenario, id) { run, facts in anyIDToken(run, id, facts) }
    }

    /// The ID Token of a step, or that of a combined step that includes its change.
    package static func anyIDToken(_ scenario: Scenario, _ id: StepID, or joint: StepID) -> Query<IDToken> {
        query("ID Token of: " + scenario.words(for: id), scenario, id) { run, facts in
            let other = anyIDToken(run, joint, facts)
            return other.observation.value == nil ? anyIDToken(run, id, facts) : other
        }
    }

    /// Two ID Tokens of one scenario, to be compared: the first, and that of a step.
    package static func idTokens(_ scenario: Scenario, then id: StepID) -> Query<(first: IDToken, second: IDToken)> {
        query("both ID Tokens of: " + scenario.title, scenario, id) { run, facts in
            let first = anyIDToken(run, .authorization, facts)
            let second = anyIDToken(run, id, facts)
            return Sample(
                first.observation.flatMap { first in second.observation.map { (first: first, second: $0) } },
                exchange: second.exchange
            )
        }
    }

    private static func query<Value>(
        _ name: String,
        _ scenario: Scenario,
        _ id: StepID,
        _ read: @escaping @Sendable (ScenarioRun, Facts) -> Sample<Value>
    ) -> Query<Value> {
        Query(
            name,
            needs: [.discovery, .keys, .probe(scenario.id)],
            features: scenario.features(of: id)
        ) { facts in
            [facts.evidence.run(scenario.id).map { read($0, facts) } ?? Sample(notRun(scenario.id, facts))]
        }
    }

    /// The ID Token of a step, wherever it came from, the token endpoint first.
    private static func anyIDToken(_ run: ScenarioRun, _ id: StepID, _ facts: Facts) -> Sample<IDToken> {
        let places = [(IDTokenPlace.tokenEndpoint, step(run, id)), (.authorizationEndpoint, run[id])]
        let found = places.first { $0.1?.idToken != nil }?.0
        return idToken(
            run,
            id,
            at: found ?? (run.responseType.hasCode ? .tokenEndpoint : .authorizationEndpoint),
            facts
        )
    }

    private static func idToken(
        _ run: ScenarioRun,
        _ id: StepID,
        at place: IDTokenPlace,
        _ facts: Facts
    ) -> Sample<IDToken> {
        sample(run, place == .authorizationEndpoint ? id : step(run, id)?.id ?? id) {
            raw($0, place, "no ID Token came from the \(place.rawValue)").flatMap(facts.decoded)
        }
    }

    /// The token request of a step: the one that follows from its authorization request, or the step itself.
    private static func step(_ run: ScenarioRun, _ id: StepID) -> StepRun? { run[id.token] ?? run[id] }

    private static func raw(_ asked: StepEvidence, _ place: IDTokenPlace, _ reason: String) -> Observation<RawIDToken> {
        asked.step.outcome.flatMap { _ in
            guard let token = asked.step.idToken else { return .absent(reason) }
            return .observed(RawIDToken(facts: token, asked: asked, place: place))
        }
    }
}
