package import JSONTree

extension Query {
    /// The query with the subjects of another one instead of each that was not tried, if that one has them all.
    package func orElse(_ other: Query) -> Query {
        Query(name, needs: needs, features: features) { facts in
            samples(facts)
                .flatMap { sample in
                    guard case .notAttempted = sample.observation else { return [sample] }
                    let others = other.samples(facts)
                    return others.contains { $0.observation.value == nil } ? [sample] : others
                }
        }
    }
}

/// The queries for the results of scenario steps.
package enum StepResults {
    static let noFlow = "the configuration names no flow with this artefact"
    /// The scenario of a token given on the command line.
    package static let offlineInput: ScenarioID = "handed-in"

    // MARK: Authorization endpoint

    /// The response to the authorization request of every configured flow.
    package static let flows = authorizationResponses("authorization response of each flow", flowRuns)

    /// The same as it came, whether or not the configuration explains it: for rules about what the platform's own words say.
    package static let flowsAsAnswered = authorizationResponses(
        "authorization response of each flow, as it came",
        flowRunsAsCollected
    )

    /// The same, and the response to a simpler request if it was rejected.
    package static let flowsAndSimpler = authorizationResponses(
        "authorization response of each flow, and of a simpler request if it was rejected",
        besides: [.probe(Scenario.refusedRequest.id)],
        flowRunsAsCollected
    )

    private static let flowRunsAsCollected: @Sendable (Facts) -> [ScenarioRun] = { facts in
        zip(facts.target.flows, flowRuns(facts))
            .map { type, explained in
                // Without a response, the reason counts, with its cause.
                guard let collected = facts.collected.run(.flow(type)), collected.authorization.value != nil else {
                    return explained
                }
                return collected
            }
    }

    private static func authorizationResponses(
        _ name: String,
        besides needs: Set<Need> = [],
        _ runs: @escaping @Sendable (Facts) -> [ScenarioRun]
    ) -> Query<AuthorizationResult> {
        Query(name, needs: needs.union([.discovery, .flows]), whenEmpty: "the configuration names no flow") { facts in
            runs(facts).map { run in sample(run, .authorization, label: label(run)) { authorization($0, facts) } }
        }
    }

    /// Each flow with its pages, as far as they were compared with the rules of browsers; for a flow without pages, the reason.
    package static let pages = Query<ScenarioRun>(
        "pages of each flow",
        needs: [.discovery, .flows],
        whenEmpty: "the configuration names no flow"
    ) { facts in
        flowRuns(facts)
            .map { run in
                let met: Observation<ScenarioRun> =
                    run.visits.isEmpty ? run.authorization.map { _ in run } : .observed(run)
                let isKnown = facts.evidence.knowsBrowserRules == true || met.value == nil
                return Sample(
                    isKnown ? met : .notAttempted("the evidence does not show how a browser handles the pages"),
                    label: label(run),
                    exchange: run.visits.last?.exchange
                )
            }
    }

    /// The redirects of those flows that ended at the client without an error.
    package static let successes = flows.narrowed("successful authorization response of each flow") { sample, _ in
        Sample<(AuthorizationResult, RedirectAnswer)>(
            sample.observation.flatMap { answered in
                guard let redirect = answered.answer.redirect, redirect.isRedirectURI else {
                    return .absent("the flow did not end at the redirect URI")
                }
                if let error = redirect.error { return .absent("the flow ended with error=\(error.quoted)") }
                return .observed((answered, redirect))
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The response to an authorization request or a logout request, by default to the first of a scenario.
    package static func authorization(
        _ scenario: Scenario,
        _ id: StepID = .authorization
    ) -> Query<AuthorizationResult> {
        assert(scenario.step(id).map { $0.call == nil && !$0.isPause } ?? false, "\(scenario.id): no request \(id)")
        return Query(
            "response to: " + scenario.words(for: id),
            needs: [.discovery, .probe(scenario.id)],
            features: scenario.features(of: id)
        ) { facts in
            [sample(scenario.id, id, facts) { authorization($0, facts) }]
        }
    }

    /// The response to an authorization request, or to a combined one that includes the change, if that was enough.
    package static func authorization(
        _ scenario: Scenario,
        _ id: StepID,
        or joint: StepID
    ) -> Query<AuthorizationResult> {
        authorization(scenario, id).orElse(authorization(scenario, joint))
    }

    /// The responses to `prompt=none` without a session: for the first response type, and for every other configured one.
    package static let promptsNone: Query<AuthorizationResult> = {
        let first = authorization(.promptNone)
        let others = Scenario.silentTypes
        return Query(
            first.name,
            needs: first.needs.union(others.map { .probe(Scenario.silently($0).id) }),
            features: first.features
        ) { facts in
            let more = facts.target.flows.filter { others.contains($0) && $0 != .ordinary(in: facts.target) }
            return first.samples(facts)
                + more.map {
                    sample(Scenario.silently($0).id, .authorization, facts, label: "response_type \($0)") {
                        authorization($0, facts)
                    }
                }
        }
    }()

    /// The responses to one step of ``Scenario/ofType(_:)``, for every configured flow that has it.
    ///
    /// - Parameters:
    ///   - id: The step.
    ///   - whenEmpty: Why there may be none.
    ///   - isOffered: Whether the provider offers it, so that the step was made.
    ///   - concerns: The response types that it is made for.
    package static func authorizations(
        ofTypes id: StepID,
        whenEmpty: String,
        isOffered: @escaping @Sendable (Facts) -> Bool = { _ in true },
        concerns: @escaping @Sendable (ResponseType) -> Bool
    ) -> Query<AuthorizationResult> {
        let types = ResponseType.known.filter(concerns)
        return Query(
            "response to: \(id), with each response type",
            needs: Set([.discovery] + types.map { .probe(.ofType($0)) }),
            features: Feature.shared(types.map { Scenario.ofType($0).features(of: id) }),
            whenEmpty: whenEmpty
        ) { facts in
            guard isOffered(facts) else { return [] }
            return facts.target.flows.filter(concerns)
                .map { type in
                    sample(.ofType(type), id, facts, label: "response_type \(type)") { authorization($0, facts) }
                }
        }
    }

    // MARK: Other endpoints

    /// The response to the call of a scenario's step.
    package static func answer(_ scenario: Scenario, _ id: StepID = .token) -> Query<CallResult> {
        assert(scenario.step(id)?.call != nil, "\(scenario.id): no call \(id)")
        let step = scenario.step(id)
        let what =
            step?.title == nil && step?.call?.endpoint == "token_endpoint" ? "token response of: " : "response to: "
        return Query(
            what + scenario.words(for: id),
            needs: [.discovery, .probe(scenario.id)],
            features: scenario.features(of: id)
        ) { facts in
            [sample(scenario.id, id, facts) { answer($0, facts) }]
        }
    }

    /// The response to the same call of several scenarios, those that apply to the target.
    package static func answers(
        _ name: String,
        _ scenarios: [Scenario],
        _ id: StepID,
        whenEmpty: String
    ) -> Query<CallResult> {
        Query(
            name,
            needs: Set([.discovery] + scenarios.map { .probe($0.id) }),
            features: Feature.shared(scenarios.map { $0.features(of: id) }),
            whenEmpty: whenEmpty
        ) { facts in
            scenarios.filter { $0.whyUnmet(facts.target) == nil }
                .map { scenario in sample(scenario.id, id, facts, label: scenario.title) { answer($0, facts) } }
        }
    }

    /// The response to the token request of every flow with a code.
    package static let tokenResponses = Query<CallResult>(
        "token response of each flow",
        needs: [.discovery, .flows],
        whenEmpty: "the configuration names no flow with a code"
    ) { facts in
        flowRuns(facts).filter(\.responseType.hasCode)
            .map { run in sample(run, .token, label: label(run)) { answer($0, facts) } }
    }

    /// The token responses of success with a JSON object.
    package static let tokenSuccesses = tokenResponses.narrowed("successful token response of each flow") { sample, _ in
        Sample<(CallResult, JSONObject)>(
            sample.observation.flatMap { answer in
                guard answer.isSuccess, let object = answer.json?.objectValue else {
                    return .absent("the token endpoint issued no tokens (HTTP status \(answer.response.status))")
                }
                return .observed((answer, object))
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The responses to bogus codes by every method, as far as they were sent.
    package static func bogusCodes(secretIsRight: Bool) -> Query<CallResult> {
        let ids = ScenarioID.bogusCodes(secretIsRight: secretIsRight)
        return Query(
            "responses to bogus codes",
            needs: Set([.discovery] + ids.map(Need.probe)),
            whenEmpty: "no client authentication method could be tried"
        ) { facts in
            let sent = ids.filter { facts.evidence.run($0) != nil }
            return sent.isEmpty
                ? ids.prefix(1).map { sample($0, .token, facts) { answer($0, facts) } }
                : sent.map { id in sample(id, .token, facts, label: facts.evidence.run(id)?.title) { answer($0, facts) }
                }
        }
    }

    /// The answer of the UserInfo endpoint in every flow with an access token.
    package static let userInfo = Query<CallResult>(
        "UserInfo response of each flow",
        needs: [.discovery, .flows],
        whenEmpty: "no configured flow yields an access token"
    ) { facts in
        flowRuns(facts).filter { $0.responseType.hasCode || $0.responseType.hasToken }
            .map { run in sample(run, .userInfo, label: label(run)) { answer($0, facts) } }
    }

    /// The answer of UserInfo to the access token of the authorization endpoint, for flows that have another as well.
    package static let frontChannelUserInfo = Query<CallResult>(
        "UserInfo response to the first access token of each hybrid flow",
        needs: [.discovery, .flows, .probe(.flow("code token")), .probe(.flow("code id_token token"))],
        whenEmpty: "no configured flow returns access tokens from both endpoints"
    ) { facts in
        facts.target.flows.filter { $0.hasCode && $0.hasToken }
            .map { type in
                sample(.flow(type), .frontChannelUserInfo, facts, label: "response_type \(type)") { answer($0, facts) }
            }
    }

    /// The whole run of a scenario, for rules that compare its steps.
    package static func run(_ scenario: Scenario) -> Query<ScenarioRun> {
        Query(scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            [Sample(facts.evidence.run(scenario.id).map { .observed($0) } ?? notRun(scenario.id, facts))]
        }
    }

    // MARK: Reading a step

    static func sample<Value>(
        _ scenario: ScenarioID,
        _ id: StepID,
        _ facts: Facts,
        label: String? = nil,
        _ read: (StepEvidence) -> Observation<Value>
    ) -> Sample<Value> {
        guard let run = facts.evidence.run(scenario) else { return Sample(notRun(scenario, facts), label: label) }
        return sample(run, id, label: label, read)
    }

    static func sample<Value>(
        _ run: ScenarioRun,
        _ id: StepID,
        label: String? = nil,
        _ read: (StepEvidence) -> Observation<Value>
    ) -> Sample<Value> {
        guard let step = run[id] else {
            return Sample(.notAttempted("the step \(id) was not part of this run"), label: label)
        }
        return Sample(read(StepEvidence(run, step)), label: label, exchange: step.exchange)
    }

    static func authorization(_ asked: StepEvidence, _ facts: Facts) -> Observation<AuthorizationResult> {
        asked.step.authorization.map { answer in
            let request = Scenario.named(asked.scenario)?.step(asked.step.id)?.authorizationRequest
            return AuthorizationResult(
                asked: asked,
                answer: answer,
                outcome: Outcome(of: answer, to: request, in: facts.evidence)
            )
        }
    }

    /// The response to a call.
    static func answer(_ asked: StepEvidence, _ facts: Facts) -> Observation<CallResult> {
        asked.step.answer.flatMap { answer in
            guard let response = facts.evidence.exchange(answer.exchange)?.response else {
                return .absent("no response arrived")
            }
            let json = facts.json(of: answer)
            return .observed(
                CallResult(
                    asked: asked,
                    answer: answer,
                    response: response,
                    json: json,
                    outcome: Outcome(
                        of: response,
                        json,
                        exchange: answer.exchange,
                        endpoint: asked.endpoint,
                        in: facts.evidence
                    )
                )
            )
        }
    }

    // MARK: Runs

    static func label(_ run: ScenarioRun) -> String {
        run.scenario == offlineInput ? "the given token" : "response_type \(run.responseType)"
    }

    static func flowRuns(_ facts: Facts) -> [ScenarioRun] {
        facts.target.flows.map { facts.evidence.run(.flow($0)) ?? missingRun($0, facts) }
    }

    private static func missingRun(_ type: ResponseType, _ facts: Facts) -> ScenarioRun {
        ScenarioRun(
            scenario: .flow(type),
            clientID: "",
            responseType: type,
            outcome: .notAttempted(notRunReason(.flow(type), facts))
        )
    }

    private static func notRunReason(_ id: ScenarioID, _ facts: Facts) -> String {
        if facts.evidence.tier < id.tier {
            return "needs tier \(id.tier.rawValue); this run was \(facts.evidence.tier.rawValue)"
        }
        if let leftOut = facts.evidence.leftOut?.first(where: { $0.scenario == id }) { return leftOut.why }
        let unmet = Scenario.named(id)?.whyUnmet(facts.target)
        return unmet ?? "the scenario \(id) was not part of this run"
    }

    static func notRun<Value>(_ id: ScenarioID, _ facts: Facts) -> Observation<Value> {
        .notAttempted(notRunReason(id, facts))
    }
}
