/// A logout request that the provider must ask the user to confirm; the user does not respond.
package struct UnconfirmedLogout: Sendable {
    let asked: StepEvidence
    package let answer: AuthorizationAnswer
    /// The response to `prompt=none` afterwards; it was granted just before.
    package let afterwards: AuthorizationResult

    /// Whether the user is still signed in.
    package var wasGranted: Bool { afterwards.answer.redirect.map { $0.isRedirectURI && $0.isGrant } ?? false }

    /// Whether the provider says that no user is signed in any more.
    ///
    /// Other errors, such as `interaction_required`, may come from the question that the user did not answer.
    package var endedSession: Bool {
        switch afterwards.answer.ending {
        case .redirected(let redirect): redirect.error == "login_required"
        case .page(let page): page.requestsSignIn
        }
    }
}

extension Sessions {
    /// A logout request of the scenario that the user does not confirm, with its effect.
    package static func unconfirmedLogout(_ id: StepID) -> Query<UnconfirmedLogout> {
        let scenario = Scenario.logout
        return StepResults.authorization(scenario, id)
            .narrowed("effect of: " + scenario.words(for: id)) { sample, facts in
                Sample(
                    sample.observation.flatMap { request in
                        guard before(id, in: request.asked.run, facts)?.isGranted == true else {
                            return .notAttempted("prompt=none did not succeed before this logout request")
                        }
                        return
                            StepResults.sample(request.asked.run, id.afterwards) {
                                StepResults.authorization($0, facts)
                            }
                            .observation
                            .map {
                                UnconfirmedLogout(asked: request.asked, answer: request.answer, afterwards: $0)
                            }
                    },
                    exchange: sample.exchange
                )
            }
    }

    /// The last `prompt=none` before a step that got a response.
    private static func before(_ id: StepID, in run: ScenarioRun, _ facts: Facts) -> SessionStep? {
        let silent = Scenario.logout.step(.live)?.request
        return Scenario.logout.steps.prefix { $0.id != id }
            .last { $0.request == silent && run.authorization($0.id).value != nil }
            .flatMap { Sessions.step(.logout, $0.id).samples(facts).first?.observation.value }
    }
}
