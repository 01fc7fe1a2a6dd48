/// How the provider answered a person who had signed in before.
package struct SessionStep: Sendable {
    /// The run as if the step had been its opening.
    package let run: ScenarioRun
    package let answer: AuthorizationAnswer
    /// Whether a page asked for credentials and got them.
    package let filledCredentials: Bool

    /// Whether it ended at the client without an error.
    package var isGranted: Bool {
        answer.redirect.map { $0.isRedirectURI && !$0.has("error") } ?? false
    }
}

/// The ID Token of a scenario's opening, and that of a later step.
package struct IDTokenPair: Sendable {
    package let first: IDToken
    package let second: IDToken
    /// Whether the person signed in again between the two.
    package let signedInAgain: Bool
}

/// Two persons, and what became of the first who came back with the token of the second.
package struct HintedReturn: Sendable {
    /// The ID Token of the second person, sent as `id_token_hint`.
    package let hint: IDToken
    package let step: SessionStep
    /// What came back; `nil` when the request was not granted.
    package let token: IDToken?
}

/// The slots filled by scenarios about sessions.
package enum Sessions {
    /// The answer to a step, provided that the opening of its scenario ended well: only then somebody is signed in.
    package static func step(_ scenario: Scenario, _ id: SequelID) -> Slot<SessionStep> {
        Conversations.later(scenario, id)
            .narrowed(name(scenario, id)) { sample, facts in
                Sample(
                    sample.observation.flatMap { answered in
                        guard let run = facts.evidence.run(scenario.id),
                            let opening = run.authorization.value?.redirect,
                            opening.isRedirectURI, !opening.has("error")
                        else { return .absent("the request before it did not end at the client") }
                        return .observed(
                            SessionStep(
                                run: answered.run,
                                answer: answered.answer,
                                filledCredentials: run.sequel(id)?.filledCredentials ?? false
                            )
                        )
                    },
                    exchange: sample.exchange
                )
            }
    }

    /// The ID Token of the opening beside that of each step, as far as the steps were granted.
    package static func pairs(_ steps: [(scenario: Scenario, id: SequelID)]) -> Slot<IDTokenPair> {
        Slot(
            "ID Tokens before and after",
            needs: Set([.discovery, .keys] + steps.map { .probe($0.scenario.id) })
        ) { facts in
            steps.flatMap { scenario, id in pair(scenario, id, facts) }
        }
    }

    private static func pair(_ scenario: Scenario, _ id: SequelID, _ facts: Facts) -> [Sample<IDTokenPair>] {
        let step = Sessions.step(scenario, id).samples(facts)
        if let step = step.first, let answer = step.observation.value, !answer.isGranted {
            let reason = "it brought no ID Token: \(answer.run.title)"
            return [Sample(.notAttempted(reason), label: answer.run.title, exchange: step.exchange)]
        }
        if let sequel = facts.evidence.run(scenario.id)?.sequel(id),
            let status = facts.evidence.exchange(sequel.answer.value?.exchange)?.response?.status, status >= 500
        {
            // What chokes on the second of two requests says nothing about who signed in; server errors are judged elsewhere.
            return [Sample(.notAttempted("the token endpoint answered with HTTP status \(status)"))]
        }
        return Conversations.idTokens(scenario, then: id).samples(facts)
            .map { sample in
                let again = facts.evidence.run(scenario.id)?.sequel(id)?.filledCredentials ?? false
                return Sample(
                    sample.observation.map { IDTokenPair(first: $0.first, second: $0.second, signedInAgain: again) },
                    label: sample.observation.value?.second.run.title,
                    exchange: sample.exchange
                )
            }
    }

    /// The first person's return with the second's ID Token.
    package static let hintedReturn = Slot<HintedReturn>(
        name(.twoPersons, "hinted"),
        needs: [.discovery, .keys, .probe(Scenario.twoPersons.id)]
    ) { facts in
        let others = Conversations.idTokens(.twoPersons, then: "other").samples(facts)
        let hinted = Conversations.idTokens(.twoPersons, then: "hinted").samples(facts)
        return step(.twoPersons, "hinted").samples(facts)
            .map { sample in
                Sample(
                    sample.observation.flatMap { step in
                        let hint = others.first?.observation ?? .absent("the second person did not sign in")
                        return hint.flatMap { pair in
                            guard step.isGranted else {
                                return .observed(HintedReturn(hint: pair.second, step: step, token: nil))
                            }
                            let token = hinted.first?.observation ?? .absent("no ID Token was returned")
                            return token.map { HintedReturn(hint: pair.second, step: step, token: $0.second) }
                        }
                    },
                    exchange: sample.exchange
                )
            }
    }

    private static func name(_ scenario: Scenario, _ id: SequelID) -> String {
        let step = scenario.sequels.first { $0.id == id }?.title ?? id.rawValue
        return "answer to: \(scenario.title), then \(step)"
    }
}
