package import JSONTree

/// The slots filled by the openings and the later steps of scenarios beside the flows.
extension Conversations {
    /// The answer to the authorization request that is a step of a scenario.
    package static func later(_ scenario: Scenario, _ id: SequelID) -> Slot<AnsweredAuthorization> {
        Slot("answer to: " + title(scenario, id), needs: [.discovery, .probe(scenario.id)]) { facts in
            [
                sample(scenario, id, facts) { run, sequel in
                    (
                        sequel.authorization.map { AnsweredAuthorization(run: run.seen(as: sequel), answer: $0) },
                        sequel.authorization.value?.exchange
                    )
                }
            ]
        }
    }

    /// The answers to one step of ``Scenario/ofType(_:)``, for every configured flow that it is made for.
    ///
    /// - Parameters:
    ///   - id: The step.
    ///   - whenEmpty: Why there may be none.
    ///   - isOffered: Whether the provider offers it, so that the step was made.
    ///   - concerns: The response types that it is made for.
    package static func later(
        ofTypes id: SequelID,
        whenEmpty: String,
        isOffered: @escaping @Sendable (Facts) -> Bool = { _ in true },
        concerns: @escaping @Sendable (ResponseType) -> Bool
    ) -> Slot<AnsweredAuthorization> {
        let types = ResponseType.known.filter(concerns)
        return Slot(
            "answer to: \(id.rawValue), with each response type",
            needs: Set([.discovery] + types.map { .probe(.ofType($0)) }),
            whenEmpty: whenEmpty
        ) { facts in
            guard isOffered(facts) else { return [] }
            return facts.target.flows.filter(concerns)
                .map { type in
                    let answer = sample(.ofType(type), id, facts) { run, sequel in
                        (
                            sequel.authorization.map { AnsweredAuthorization(run: run.seen(as: sequel), answer: $0) },
                            sequel.authorization.value?.exchange
                        )
                    }
                    return Sample(answer.observation, label: "response_type \(type)", exchange: answer.exchange)
                }
        }
    }

    /// The answer to the call that is a step of a scenario.
    package static func call(_ scenario: Scenario, _ id: SequelID) -> Slot<AnsweredToken> {
        Slot("answer to: " + title(scenario, id), needs: [.discovery, .probe(scenario.id)]) { facts in
            [
                sample(scenario, id, facts) { run, sequel in
                    (
                        sequel.answer.flatMap { answered($0, run.seen(as: sequel), facts) },
                        sequel.answer.value?.exchange
                    )
                }
            ]
        }
    }

    /// The answer to the token request that redeems the code of a scenario's opening.
    package static func redeemed(_ scenario: Scenario) -> Slot<AnsweredToken> {
        Slot("token response of: " + scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            return [Sample(run.token.flatMap { answered($0, run, facts) }, exchange: run.token.value?.exchange)]
        }
    }

    /// The whole run of a scenario, for rules that compare its steps.
    package static func run(_ scenario: Scenario) -> Slot<ScenarioRun> {
        Slot(scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            [Sample(facts.evidence.run(scenario.id).map { .observed($0) } ?? notRun(scenario.id, facts))]
        }
    }

    /// The ID Token of a scenario's opening, from the authorization endpoint or from the token endpoint.
    package static func idToken(_ scenario: Scenario, at place: IDTokenPlace) -> Slot<IDToken> {
        Slot(
            "ID Token from the \(place.rawValue): " + scenario.title,
            needs: [.discovery, .keys, .probe(scenario.id)]
        ) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            return [idTokenSample(run, at: place)]
        }
    }

    /// The ID Token that a step of a scenario brought.
    package static func idToken(_ scenario: Scenario, _ id: SequelID, at place: IDTokenPlace) -> Slot<IDToken> {
        Slot(
            "ID Token from the \(place.rawValue): " + title(scenario, id),
            needs: [.discovery, .keys, .probe(scenario.id)]
        ) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            guard let sequel = run.sequel(id) else { return [Sample(noSequel(id))] }
            return [idTokenSample(run.seen(as: sequel), at: place)]
        }
    }

    /// The ID Token that a step of a scenario brought, that of the token endpoint before the other.
    package static func anyIDToken(_ scenario: Scenario, _ id: SequelID) -> Slot<IDToken> {
        Slot("ID Token of: " + title(scenario, id), needs: [.discovery, .keys, .probe(scenario.id)]) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            guard let sequel = run.sequel(id) else { return [Sample(noSequel(id))] }
            return [anyIDToken(run.seen(as: sequel))]
        }
    }

    /// Two ID Tokens of one scenario, to be compared: that of the opening and that of a step.
    package static func idTokens(_ scenario: Scenario, then id: SequelID) -> Slot<(first: IDToken, second: IDToken)> {
        Slot("both ID Tokens of: " + scenario.title, needs: [.discovery, .keys, .probe(scenario.id)]) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            guard let sequel = run.sequel(id) else { return [Sample(noSequel(id))] }
            let first = anyIDToken(run)
            let second = anyIDToken(run.seen(as: sequel))
            return [
                Sample(
                    first.observation.flatMap { first in second.observation.map { (first: first, second: $0) } },
                    exchange: second.exchange
                )
            ]
        }
    }

    /// The answer of UserInfo to the access token of the authorization endpoint, for flows that have another as well.
    package static let frontChannelUserInfo = Slot<AnsweredToken>(
        "UserInfo response to the first access token of each hybrid flow",
        needs: [.discovery, .flows, .probe(.flow("code token")), .probe(.flow("code id_token token"))],
        whenEmpty: "no configured flow returns access tokens from both endpoints"
    ) { facts in
        facts.target.flows.filter { $0.hasCode && $0.hasToken }
            .map { type in
                let answer = sample(.flow(type), Scenario.frontChannelUserInfo, facts) { run, sequel in
                    (
                        sequel.answer.flatMap { answered($0, run.seen(as: sequel), facts) },
                        sequel.answer.value?.exchange
                    )
                }
                return Sample(answer.observation, label: "response_type \(type)", exchange: answer.exchange)
            }
    }

    // MARK: Helpers

    private static func title(_ scenario: Scenario, _ id: SequelID) -> String {
        let step = scenario.sequels.first { $0.id == id }?.title ?? id.rawValue
        return "\(scenario.title), then \(step)"
    }

    private static func noSequel<Value>(_ id: SequelID) -> Observation<Value> {
        .notAttempted("the step \(id) was not part of this run")
    }

    private static func sample<Value>(
        _ scenario: Scenario,
        _ id: SequelID,
        _ facts: Facts,
        _ read: (ScenarioRun, SequelRun) -> (Observation<Value>, Int?)
    ) -> Sample<Value> {
        guard let run = facts.evidence.run(scenario.id) else { return Sample(notRun(scenario.id, facts)) }
        guard let sequel = run.sequel(id) else { return Sample(noSequel(id)) }
        let (observation, exchange) = read(run, sequel)
        return Sample(observation, exchange: exchange)
    }

    /// The ID Token of a run, wherever it came from, the token endpoint first.
    private static func anyIDToken(_ run: ScenarioRun) -> Sample<IDToken> {
        if case .observed(let answer) = run.token, answer.idToken != nil {
            return idTokenSample(run, at: .tokenEndpoint)
        }
        if case .observed(let answer) = run.authorization, answer.idToken != nil {
            return idTokenSample(run, at: .authorizationEndpoint)
        }
        let isAtTokenEndpoint = run.responseType.hasCode
        return idTokenSample(run, at: isAtTokenEndpoint ? .tokenEndpoint : .authorizationEndpoint)
    }

    private static func idTokenSample(_ run: ScenarioRun, at place: IDTokenPlace) -> Sample<IDToken> {
        let why = "no ID Token came from the \(place.rawValue)"
        switch place {
        case .authorizationEndpoint:
            return Sample(
                run.authorization.flatMap { raw($0.idToken, run, place, else: why) }.flatMap(decoded),
                exchange: run.authorization.value?.exchange
            )
        case .tokenEndpoint, .handedIn:
            return Sample(
                run.token.flatMap { raw($0.idToken, run, place, else: why) }.flatMap(decoded),
                exchange: run.token.value?.exchange
            )
        }
    }
}
