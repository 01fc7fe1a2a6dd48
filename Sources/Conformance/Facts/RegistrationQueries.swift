package import JSONTree

/// A registration request that was answered.
package struct RegistrationResult: Sendable {
    package let run: ScenarioRun
    /// The metadata as sent.
    package let sent: JSONObject
    package let response: Exchange.Response
    /// The body as JSON; `nil` when it is not.
    package let json: JSON?

    package var isSuccess: Bool { response.grants(json) }
    package var object: JSONObject? { json?.objectValue }
    package var error: String? { object?["error"]?.stringValue }
    /// Status and error as a report shows them.
    package var phrase: String {
        "HTTP status \(response.status)" + (error.map { " and error \($0.quoted)" } ?? "")
            + (object?["error_description"]?.stringValue.map { " (\($0.shown(limit: 160)))" } ?? "")
    }
}

/// The response to a client with special metadata.
package struct RegisteredResponse<Value: Sendable>: Sendable {
    package let run: ScenarioRun
    /// The client's metadata according to the provider's response; the requested metadata for members that it omits.
    package let metadata: JSONObject
    package let value: Value

    package func text(_ member: String) -> String? { metadata[member]?.stringValue }
}

/// The queries for scenarios that register a client of their own.
package enum Registrations {
    private static let notOffered = "no client of this kind was registered in this run"

    /// The responses to the registration requests of some scenarios.
    package static func answers(_ name: String, _ scenarios: [Scenario]) -> Query<RegistrationResult> {
        query(name, scenarios) { scenario, facts in
            guard let run = facts.evidence.run(scenario.id) else { return .notAttempted("") }
            guard let registration = run.registration else { return reasonless(run) }
            return answered(registration.answer, run, registration, facts)
        }
    }

    package static func answer(_ scenario: Scenario) -> Query<RegistrationResult> {
        answers("response to: " + scenario.title, [scenario])
    }

    /// The registration of a client as it was read at its `registration_client_uri` (RFC 7592 section 2.1).
    package static func reading(_ scenario: Scenario) -> Query<RegistrationResult> {
        managed("registration as read back", scenario, \.reading)
    }

    /// The response to a request to read it without the registration access token (RFC 7592 section 2).
    package static func readingWithoutToken(_ scenario: Scenario) -> Query<RegistrationResult> {
        managed("registration read without its token", scenario, \.readingWithoutToken)
    }

    /// The response to the request to delete a client (RFC 7592 section 2.3).
    package static func deletion(_ scenario: Scenario) -> Query<RegistrationResult> {
        managed("response to deleting the client", scenario, \.deletion)
    }

    /// The results of clients for which a requested member was registered.
    ///
    /// A provider may reject, replace or ignore requested values (Registration section 3.2); such a client is left out.
    package static func asRegistered<Value>(
        _ name: String,
        _ member: String,
        _ scenarios: [Scenario],
        needing more: Set<Need> = [.keys],
        _ read: @escaping @Sendable (ScenarioRun, Facts) -> Observation<Value>
    ) -> Query<RegisteredResponse<Value>> {
        Query<RegisteredResponse<Value>>(
            name,
            needs: needs(scenarios).union(more),
            features: Feature.shared(scenarios.map(\.features)),
            whenEmpty: notOffered
        ) { facts in
            guard isOffered(facts) else { return [] }
            return scenarios.compactMap { scenario in
                guard let run = facts.evidence.run(scenario.id) else {
                    return Sample(StepResults.notRun(scenario.id, facts))
                }
                guard let registration = run.registration else {
                    return isRedundant(scenario, facts) ? nil : Sample(reasonless(run))
                }
                guard let sent = object(registration.sent), let asked = sent[member] else { return nil }
                let observation = registered(registration, run, facts)
                let answer = observation.value?.object ?? [:]
                // A member that the response omits was not registered (RFC 7591 section 3.2.1).
                if observation.value != nil, answer[member] != asked { return nil }
                let received = observation.flatMap { _ in read(run, facts) }
                    .map { RegisteredResponse(run: run, metadata: sent.merging(answer), value: $0) }
                return Sample(
                    received,
                    label: scenarios.count > 1 ? "\(member) \(asked.stringValue ?? "")" : nil,
                    exchange: received.value.flatMap { exchange(of: $0.value) } ?? run.token.value?.exchange
                )
            }
        }
    }

    /// The exchange of what was read, where it is one answer.
    private static func exchange(of value: some Sendable) -> Int? {
        (value as? CallResult)?.answer.exchange ?? (value as? AuthorizationAnswer)?.exchange
    }

    /// The response to a call of a scenario.
    package static func answer(_ run: ScenarioRun, _ id: StepID, _ facts: Facts) -> Observation<CallResult> {
        StepResults.sample(run, id) { StepResults.answer($0, facts) }.observation
    }

    // MARK: Helpers

    private static func query(
        _ name: String,
        _ scenarios: [Scenario],
        _ read: @escaping @Sendable (Scenario, Facts) -> Observation<RegistrationResult>
    ) -> Query<RegistrationResult> {
        Query(name, needs: needs(scenarios), whenEmpty: notOffered) { facts in
            guard isOffered(facts) else { return [] }
            return scenarios.compactMap { scenario in
                guard let run = facts.evidence.run(scenario.id) else {
                    // A token that is not there cannot be left out.
                    let isOn = facts.target.dynamicRegistration?.isEnabled == true
                    if isOn, scenario.conditions.contains(.initialAccessToken), needsNoToken(facts) { return nil }
                    return Sample(StepResults.notRun(scenario.id, facts))
                }
                // No registration was requested, because the provider does not advertise it.
                if run.registration == nil, isRedundant(scenario, facts) { return nil }
                return Sample(
                    read(scenario, facts),
                    label: scenarios.count > 1 ? scenario.title : nil,
                    exchange: run.registration?.answer.value?.exchange
                )
            }
        }
    }

    private static func managed(
        _ name: String,
        _ scenario: Scenario,
        _ part: @escaping @Sendable (RegistrationRun) -> Observation<EndpointAnswer>
    ) -> Query<RegistrationResult> {
        query(name, [scenario]) { scenario, facts in
            guard let run = facts.evidence.run(scenario.id) else { return .notAttempted("") }
            guard let registration = run.registration else { return reasonless(run) }
            return registered(registration, run, facts)
                .flatMap { _ in answered(part(registration), run, registration, facts) }
        }
    }

    private static func needs(_ scenarios: [Scenario]) -> Set<Need> {
        Set([.discovery] + scenarios.map { .probe($0.id) })
    }

    /// Whether there is a place to register at; without a document nothing can be said.
    private static func isOffered(_ facts: Facts) -> Bool {
        facts.metadata.value.map { $0.has("registration_endpoint") } ?? true
    }

    private static func needsNoToken(_ facts: Facts) -> Bool {
        Scenario.Condition.initialAccessToken.whyUnmet(facts.target) != nil
    }

    private static func isRedundant(_ scenario: Scenario, _ facts: Facts) -> Bool {
        guard case .ephemeral(let metadata) = scenario.client, let provider = facts.metadata.value else {
            return false
        }
        return metadata.reasonItIsRedundant(at: provider.object) != nil
    }

    /// Why a scenario with a client of its own registered none.
    private static func reasonless<Value>(_ run: ScenarioRun) -> Observation<Value> {
        run.authorization.flatMap { _ in .notAttempted("no client was registered") }
    }

    private static func registered(
        _ registration: RegistrationRun,
        _ run: ScenarioRun,
        _ facts: Facts
    ) -> Observation<RegistrationResult> {
        answered(registration.answer, run, registration, facts)
            .flatMap { answer in
                answer.isSuccess
                    ? .observed(answer) : .notAttempted("the provider registered no client (\(answer.phrase))")
            }
    }

    private static func answered(
        _ observation: Observation<EndpointAnswer>,
        _ run: ScenarioRun,
        _ registration: RegistrationRun,
        _ facts: Facts
    ) -> Observation<RegistrationResult> {
        observation.flatMap { answer in
            guard let response = facts.evidence.exchange(answer.exchange)?.response else {
                return .absent("the registration endpoint sent no response")
            }
            return .observed(
                RegistrationResult(
                    run: run,
                    sent: object(registration.sent) ?? [:],
                    response: response,
                    json: facts.json(of: answer)
                )
            )
        }
    }

    private static func object(_ body: Body) -> JSONObject? { body.json?.objectValue }
}
