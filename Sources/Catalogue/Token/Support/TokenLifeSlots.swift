import Conformance
import JSONTree

/// The slots that rules about the life of tokens read.
enum TokenLife {
    /// The answer to a good refresh token.
    static let refreshed = Conversations.answer(.refresh, .refresh)

    /// The answer to a good refresh token that brought tokens.
    static let refreshSuccess = refreshed.narrowed("tokens that a refresh token brought") { sample, _ in
        Sample<(AnsweredCall, JSONObject)>(
            sample.observation.flatMap { answer in
                guard answer.gaveTokens, let object = answer.object else {
                    return .absent("the refresh token brought no tokens: \(answer.phrase)")
                }
                return .observed((answer, object))
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The ID Token of the sign-in and the one that a refresh token brought.
    static let idTokens = Conversations.idTokens(.refresh, then: .refresh)
        .narrowed("ID Tokens of the sign-in and of the refresh token") { sample, facts in
            guard let reason = whyNoSecondIDToken(facts) else { return sample }
            return Sample<(first: IDToken, second: IDToken)>(reason, exchange: sample.exchange)
        }

    /// The ID Token that a refresh token brought, as it arrived.
    static let refreshedIDToken = Slot<RawIDToken>(
        "ID Token of the refresh token, as it arrived",
        needs: idTokens.needs,
        features: idTokens.features,
        whenEmpty: "no ID Token came with the refresh token, which none must"
    ) { facts in
        guard let run = facts.evidence.run(Scenario.refresh.id), let step = run[.refresh] else {
            return idTokens.samples(facts).map { Sample($0.observation.flatMap { _ in .notAttempted("") }) }
        }
        guard let token = step.idToken else {
            return step.outcome.value == nil ? [Sample(step.outcome.flatMap { _ in .notAttempted("") })] : []
        }
        let raw = RawIDToken(facts: token, asked: Asked(run, step), place: .tokenEndpoint)
        return [Sample(.observed(raw), exchange: step.exchange)]
    }

    /// Core section 12.2: the answer to a refresh token might not contain an ID Token.
    private static func whyNoSecondIDToken(_ facts: Facts) -> Observation<(first: IDToken, second: IDToken)>? {
        switch facts.evidence.run(Scenario.refresh.id)?.answer(.refresh) {
        case nil: nil
        case .notAttempted(let why)?: .notAttempted(why)
        case .absent(let why)?: .absent(why)
        case .observed(let answer)?:
            answer.idToken == nil ? .notAttempted("no ID Token came with the refresh token, which none must") : nil
        }
    }
}

extension AnsweredCall {
    /// What a refusal of the client is, by status or by code: RFC 6749 section 5.2 leaves 400 or 401.
    var isRefusal: Bool { (400...499).contains(response.status) }

    /// The challenges of the answer with this scheme, in any letter case.
    func hasChallenge(_ scheme: String) -> Bool {
        (response.joinedHeader("WWW-Authenticate") ?? "").lowercased()
            .split(whereSeparator: { $0 == "," || $0 == " " })
            .contains { $0 == scheme.lowercased() }
    }
}

extension Facts {
    /// The answer to a call that was a step of a scenario, if one came.
    func answer(_ scenario: Scenario, _ id: StepID) -> AnsweredCall? {
        Conversations.answer(scenario, id).samples(self).first?.observation.value
    }
}
