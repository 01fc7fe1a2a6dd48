package import JSONTree

/// The slots filled by scenarios.
package enum Conversations {
    private static let noFlow = "the configuration names no flow with this artefact"

    // MARK: Authorization endpoint

    /// The answer to the authorization request of every configured flow.
    package static let flows = authorizationResponses("authorization response of each flow", flowRuns)

    /// The same as it came, whether or not the configuration explains it: for rules about what the platform's own words say.
    package static let flowsAsAnswered = authorizationResponses("authorization response of each flow, as it came") {
        facts in
        facts.target.flows.map { facts.collected.run(.flow($0)) ?? missingRun($0, facts) }
    }

    private static func authorizationResponses(
        _ name: String,
        _ runs: @escaping @Sendable (Facts) -> [ScenarioRun]
    ) -> Slot<AnsweredAuthorization> {
        Slot(name, needs: [.discovery, .flows], whenEmpty: "the configuration names no flow") { facts in
            runs(facts)
                .map { run in
                    Sample(
                        run.authorization.map { AnsweredAuthorization(run: run, answer: $0) },
                        label: label(run),
                        exchange: run.authorization.value?.exchange
                    )
                }
        }
    }

    /// The redirects of those flows that ended at the client without an error.
    package static let successes = flows.narrowed("successful authorization response of each flow") { sample, _ in
        Sample<(AnsweredAuthorization, RedirectAnswer)>(
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

    /// The answer to one authorization request beside the flows.
    package static func probe(_ scenario: Scenario) -> Slot<AnsweredAuthorization> {
        Slot("answer to: " + scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            guard let run = facts.evidence.run(scenario.id) else { return [Sample(notRun(scenario.id, facts))] }
            return [
                Sample(
                    run.authorization.map { AnsweredAuthorization(run: run, answer: $0) },
                    exchange: run.authorization.value?.exchange
                )
            ]
        }
    }

    // MARK: Token endpoint

    /// The answer to the token request of every flow with a code.
    package static let tokenResponses = Slot<AnsweredToken>(
        "token response of each flow",
        needs: [.discovery, .flows],
        whenEmpty: "the configuration names no flow with a code"
    ) { facts in
        flowRuns(facts).filter(\.responseType.hasCode)
            .map { run in
                Sample(
                    run.token.flatMap { answered($0, run, facts) },
                    label: label(run),
                    exchange: run.token.value?.exchange
                )
            }
    }

    /// The token responses with status 200 and a JSON object.
    package static let tokenSuccesses = tokenResponses.narrowed("successful token response of each flow") { sample, _ in
        Sample<(AnsweredToken, JSONObject)>(
            sample.observation.flatMap { answer in
                guard answer.response.status == 200, let object = answer.json?.objectValue else {
                    return .absent("the token endpoint gave no tokens (HTTP status \(answer.response.status))")
                }
                return .observed((answer, object))
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The answer to a made-up code.
    package static func madeUpCode(_ method: ClientAuthentication, secretIsRight: Bool) -> Slot<AnsweredToken> {
        let id = ScenarioID.madeUpCode(method, secretIsRight: secretIsRight)
        return Slot("answer to a made-up code, \(method.rawValue)", needs: [.discovery, .probe(id)]) { facts in
            [madeUpSample(id, label: nil, facts)]
        }
    }

    /// The answers to made-up codes by every method, as far as they were sent.
    package static func madeUpCodes(secretIsRight: Bool) -> Slot<AnsweredToken> {
        let ids = ClientAuthentication.allCases.map { ScenarioID.madeUpCode($0, secretIsRight: secretIsRight) }
        return Slot(
            "answers to made-up codes",
            needs: Set([.discovery] + ids.map(Need.probe)),
            whenEmpty: "no client authentication method could be tried"
        ) { facts in
            let sent = ids.filter { facts.evidence.run($0) != nil }
            guard let first = ids.first else { return [] }
            return sent.isEmpty
                ? [madeUpSample(first, label: nil, facts)]
                : sent.map { id in madeUpSample(id, label: facts.evidence.run(id)?.title, facts) }
        }
    }

    // MARK: ID Token

    /// Every ID Token of every flow, as it arrived.
    package static let rawIDTokens = Slot<RawIDToken>(
        "each ID Token as it arrived",
        needs: [.discovery, .keys, .flows],
        whenEmpty: noFlow
    ) { facts in
        runsWithTokens(facts).flatMap { run in tokenSamples(run, facts) }
    }

    /// Every ID Token of every flow that could be taken apart.
    package static let idTokens = rawIDTokens.narrowed("each ID Token") { sample, _ in
        Sample<IDToken>(
            sample.observation.flatMap(decoded),
            label: sample.label,
            exchange: sample.exchange
        )
    }

    // MARK: UserInfo

    /// The answer of the UserInfo endpoint in every flow with an access token.
    package static let userInfo = Slot<AnsweredUserInfo>(
        "UserInfo response of each flow",
        needs: [.discovery, .flows],
        whenEmpty: "no configured flow yields an access token"
    ) { facts in
        flowRuns(facts).filter { $0.responseType.hasCode || $0.responseType.hasToken }
            .map { run in
                Sample(
                    run.userInfo.flatMap { answer in
                        guard let response = facts.evidence.exchange(answer.exchange)?.response else {
                            return .absent("no answer arrived")
                        }
                        return .observed(AnsweredUserInfo(run: run, response: response, json: json(answer.body)))
                    },
                    label: label(run),
                    exchange: run.userInfo.value?.exchange
                )
            }
    }

    // MARK: Helpers

    private static func label(_ run: ScenarioRun) -> String {
        run.scenario.rawValue == handedIn ? "token handed in" : "response_type \(run.responseType)"
    }

    /// The scenario of a token given on the command line.
    package static let handedIn = "handed-in"

    private static func flowRuns(_ facts: Facts) -> [ScenarioRun] {
        facts.target.flows.map { type in
            facts.evidence.run(.flow(type)) ?? missingRun(type, facts)
        }
    }

    private static func runsWithTokens(_ facts: Facts) -> [ScenarioRun] {
        let handed = facts.evidence.runs.filter { $0.scenario.rawValue == handedIn }
        return handed + flowRuns(facts).filter { $0.responseType.hasIDToken || $0.responseType.hasCode }
    }

    private static func missingRun(_ type: ResponseType, _ facts: Facts) -> ScenarioRun {
        ScenarioRun(
            scenario: .flow(type),
            clientID: "",
            responseType: type,
            because: notRunReason(.flow(type), facts)
        )
    }

    static func notRunReason(_ id: ScenarioID, _ facts: Facts) -> String {
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

    private static func madeUpSample(_ id: ScenarioID, label: String?, _ facts: Facts) -> Sample<AnsweredToken> {
        guard let run = facts.evidence.run(id) else { return Sample(notRun(id, facts), label: label) }
        return Sample(
            run.token.flatMap { answered($0, run, facts) },
            label: label,
            exchange: run.token.value?.exchange
        )
    }

    static func answered(
        _ answer: TokenAnswer,
        _ run: ScenarioRun,
        _ facts: Facts
    ) -> Observation<AnsweredToken> {
        guard let response = facts.evidence.exchange(answer.exchange)?.response else {
            return .absent("no answer arrived from the token endpoint")
        }
        return .observed(AnsweredToken(run: run, answer: answer, response: response, json: json(answer.body)))
    }

    static func json(_ body: Body) -> JSON? {
        body.octets.flatMap { octets in try? JSONDocument.parse(octets).root }
    }

    private static func tokenSamples(_ run: ScenarioRun, _ facts: Facts) -> [Sample<RawIDToken>] {
        var samples: [Sample<RawIDToken>] = []
        if run.scenario.rawValue == handedIn {
            let observation = run.token.flatMap { answer in
                raw(answer.idToken, run, .handedIn, else: "no token was handed in")
            }
            return [Sample(observation, label: label(run))]
        }
        if run.responseType.hasIDToken {
            samples.append(
                Sample(
                    run.authorization.flatMap { answer in
                        raw(
                            answer.idToken,
                            run,
                            .authorizationEndpoint,
                            else: "the authorization response held no ID Token"
                        )
                    },
                    label: label(run) + ", authorization endpoint",
                    exchange: run.authorization.value?.exchange
                )
            )
        }
        if run.responseType.hasCode {
            samples.append(
                Sample(
                    run.token.flatMap { answer in
                        raw(answer.idToken, run, .tokenEndpoint, else: "the token response held no ID Token")
                    },
                    label: label(run) + ", token endpoint",
                    exchange: run.token.value?.exchange
                )
            )
        }
        return samples
    }

    static func raw(
        _ facts: TokenFacts?,
        _ run: ScenarioRun,
        _ place: IDTokenPlace,
        else reason: String
    ) -> Observation<RawIDToken> {
        guard let facts else { return .absent(reason) }
        return .observed(RawIDToken(facts: facts, run: run, place: place))
    }

    static func decoded(_ token: RawIDToken) -> Observation<IDToken> {
        guard let header = token.facts.header.flatMap(json)?.objectValue else {
            return .absent("the ID Token's header could not be decoded")
        }
        guard let claims = token.facts.claims.flatMap(json)?.objectValue else {
            return .absent("the ID Token's claims could not be decoded")
        }
        return .observed(
            IDToken(facts: token.facts, header: header, claims: claims, run: token.run, place: token.place)
        )
    }
}
