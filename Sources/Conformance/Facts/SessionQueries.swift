/// The provider's response to a user who had signed in before.
package struct SessionStep: Sendable {
    package let asked: StepEvidence
    package let answer: AuthorizationAnswer
    package let outcome: Outcome
    /// Whether a page requested credentials and got them.
    package var filledCredentials: Bool { asked.step.filledCredentials }

    /// Whether it ended at the client with a requested artefact, and without an error.
    package var isGranted: Bool {
        answer.redirect.map { $0.isRedirectURI && !$0.has("error") && $0.isGrant } ?? false
    }
}

extension RedirectAnswer {
    /// Whether it returns a code or a token.
    package var isGrant: Bool { ["code", "id_token", "access_token"].contains(where: has) }
}

/// The first ID Token of a scenario, and that of a later step.
package struct IDTokenPair: Sendable {
    package let first: IDToken
    package let second: IDToken
    /// Whether the user signed in again between the two.
    package let signedInAgain: Bool
}

/// Two users, and the result of the first one's return with the token of the second.
package struct IDTokenHintResult: Sendable {
    /// The ID Token of the second user, sent as `id_token_hint`.
    package let hint: IDToken
    package let step: SessionStep
    /// The returned token; `nil` when the request was not granted.
    package let token: IDToken?
}

/// The queries for scenarios about sessions.
package enum Sessions {
    /// The response to a step, if the first request of its scenario succeeded: only then a user is signed in.
    package static func step(_ scenario: Scenario, _ id: StepID) -> Query<SessionStep> {
        StepResults.authorization(scenario, id)
            .narrowed("response to: " + scenario.words(for: id)) { sample, facts in
                Sample(
                    sample.observation.flatMap { answered in
                        guard let run = facts.evidence.run(scenario.id),
                            let first = run.authorization.value?.redirect,
                            first.isRedirectURI, !first.has("error")
                        else { return .absent("the request before it did not end at the client") }
                        return .observed(
                            SessionStep(asked: answered.asked, answer: answered.answer, outcome: answered.outcome)
                        )
                    },
                    exchange: sample.exchange
                )
            }
    }

    /// The first ID Token with that of each step, as far as the steps were granted.
    package static func pairs(_ steps: [(scenario: Scenario, id: StepID)]) -> Query<IDTokenPair> {
        Query(
            "ID Tokens before and after",
            needs: Set([.discovery, .keys] + steps.map { .probe($0.scenario.id) }),
            features: Feature.shared(steps.map { $0.scenario.features(of: $0.id) })
        ) { facts in
            steps.flatMap { scenario, id in
                let own = pair(scenario, id, facts)
                guard !own.contains(where: { $0.observation.value != nil }) else { return own }
                // Requests for less, sent because this one was not granted, may have returned tokens.
                let split = scenario.steps.filter { $0.unlessGranted == id && scenario.step($0.id.token) != nil }
                let granted = split.map { pair(scenario, $0.id, facts) }
                    .filter { $0.contains { $0.observation.value != nil } }
                return granted.isEmpty ? own : granted.flatMap(\.self)
            }
        }
    }

    private static func pair(_ scenario: Scenario, _ id: StepID, _ facts: Facts) -> [Sample<IDTokenPair>] {
        let step = Sessions.step(scenario, id).samples(facts)
        if let step = step.first, let answer = step.observation.value, !answer.isGranted {
            let reason = "it returned no ID Token: \(answer.asked.title)"
            return [Sample(.notAttempted(reason), label: answer.asked.title, exchange: step.exchange)]
        }
        let run = facts.evidence.run(scenario.id)
        if let exchange = run?.answer(id.token).value?.exchange,
            let status = facts.evidence.exchange(exchange)?.response?.status, status >= 500
        {
            // A failure of the second of two requests shows nothing about the user; server errors have their own check.
            return [Sample(.notAttempted("the token endpoint returned HTTP status \(status)"))]
        }
        return StepResults.idTokens(scenario, then: id).samples(facts)
            .map { sample in
                let again = run?[id]?.filledCredentials ?? false
                return Sample(
                    sample.observation.map { IDTokenPair(first: $0.first, second: $0.second, signedInAgain: again) },
                    label: sample.observation.value?.second.asked.title,
                    exchange: sample.exchange
                )
            }
    }

    /// The first user's return with the second's ID Token.
    package static let hintedReturn = Query<IDTokenHintResult>(
        "response to: " + Scenario.twoUsers.words(for: .hinted),
        needs: [.discovery, .keys, .probe(Scenario.twoUsers.id)],
        features: Scenario.twoUsers.features(of: .hinted)
    ) { facts in
        let others = StepResults.idTokens(.twoUsers, then: .other).samples(facts)
        let hinted = StepResults.idTokens(.twoUsers, then: .hinted).samples(facts)
        return step(.twoUsers, .hinted).samples(facts)
            .map { sample in
                Sample(
                    sample.observation.flatMap { step in
                        let hint = others.first?.observation ?? .absent("the second user did not sign in")
                        return hint.flatMap { pair in
                            guard step.isGranted else {
                                return .observed(IDTokenHintResult(hint: pair.second, step: step, token: nil))
                            }
                            let token = hinted.first?.observation ?? .absent("no signed ID Token was returned")
                            return token.map { IDTokenHintResult(hint: pair.second, step: step, token: $0.second) }
                        }
                    },
                    exchange: sample.exchange
                )
            }
    }
}
