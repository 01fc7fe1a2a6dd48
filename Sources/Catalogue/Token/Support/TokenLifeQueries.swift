import Conformance
import JSONTree

/// Responses to refresh tokens.
enum TokenLife {
    /// The response to a valid refresh token.
    static let refreshed = StepResults.answer(.refresh, .refresh)

    /// The response to a valid refresh token, if it has tokens.
    static let refreshSuccess = refreshed.narrowed("tokens issued for a refresh token") { sample, _ in
        Sample<(CallResult, JSONObject)>(
            sample.observation.flatMap { answer in
                guard answer.issuedTokens, let object = answer.object else {
                    return .absent("the token endpoint issued no tokens for the refresh token: \(answer.phrase)")
                }
                return .observed((answer, object))
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The ID Token of the sign-in and the one of the refresh response.
    static let idTokens = StepResults.idTokens(.refresh, then: .refresh)
        .narrowed("ID Tokens of the sign-in and of the refresh response") { sample, facts in
            guard let reason = whyNoSecondIDToken(facts) else { return sample }
            return Sample<(first: IDToken, second: IDToken)>(reason, exchange: sample.exchange)
        }

    /// The ID Token of the refresh response, as received.
    static let refreshedIDToken = Query<RawIDToken>(
        "ID Token of the refresh response, as received",
        needs: idTokens.needs,
        features: idTokens.features,
        whenEmpty: "the refresh response has no ID Token, which is optional"
    ) { facts in
        guard let run = facts.evidence.run(Scenario.refresh.id), let step = run[.refresh] else {
            return idTokens.samples(facts).map { Sample($0.observation.flatMap { _ in .notAttempted("") }) }
        }
        guard let token = step.idToken else {
            return step.outcome.value == nil ? [Sample(step.outcome.flatMap { _ in .notAttempted("") })] : []
        }
        let raw = RawIDToken(facts: token, asked: StepEvidence(run, step), place: .tokenEndpoint)
        return [Sample(.observed(raw), exchange: step.exchange)]
    }

    /// Core section 12.2: the refresh response might not contain an ID Token.
    private static func whyNoSecondIDToken(_ facts: Facts) -> Observation<(first: IDToken, second: IDToken)>? {
        switch facts.evidence.run(Scenario.refresh.id)?.answer(.refresh) {
        case nil: nil
        case .notAttempted(let why)?: .notAttempted(why)
        case .absent(let why)?: .absent(why)
        case .observed(let answer)?:
            answer.idToken == nil ? .notAttempted("the refresh response has no ID Token, which is optional") : nil
        }
    }
}

extension CallResult {
    /// Whether the response has a challenge with this scheme, in any letter case.
    func hasChallenge(_ scheme: String) -> Bool {
        (response.joinedHeader("WWW-Authenticate") ?? "").lowercased().split(whereSeparator: { $0 == "," || $0 == " " })
            .contains { $0 == scheme.lowercased() }
    }
}

extension Facts {
    /// The response to a step of a scenario, if there is one.
    func answer(_ scenario: Scenario, _ id: StepID) -> CallResult? {
        StepResults.answer(scenario, id).samples(self).first?.observation.value
    }
}
