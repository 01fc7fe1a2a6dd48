import Conformance

/// Checks that a provider accepts the custom parameters that the platform's documentation shows for it.
enum DocumentedParameters {
    /// A check over all steps of a scenario, each a request with one parameter.
    static func check(_ id: CheckID, _ title: String, _ citation: Citation, of scenario: Scenario) -> Check {
        Check(
            id,
            title,
            .platform,
            .signIn,
            citation,
            why: "Applications that follow the documentation cannot sign anybody in.",
            reads: slot(scenario),
            excusedBy: [
                "platform.firebase.request.is-accepted", "platform.request.needs-no-pkce",
                "authorization.unknown-parameter.is-ignored",
            ],
            finding: { subject, _ in
                guard let refusal = subject.answer.refusal else { return nil }
                return Finding(
                    "The request was answered with \(refusal).",
                    at: "custom_parameters",
                    expected: "the sign-in page",
                    found: refusal,
                    fix: "Accept the parameter, or ignore it; without that, leave it out of the application."
                )
            }
        )
    }

    /// The answers to the steps of a scenario, each named by its step.
    private static func slot(_ scenario: Scenario) -> Slot<AnsweredAuthorization> {
        Slot("answers to: " + scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            scenario.steps.flatMap { step in
                Conversations.authorization(scenario, step.id).samples(facts)
                    .map { Sample($0.observation, label: step.title, exchange: $0.exchange) }
            }
        }
    }
}
