import Conformance

/// Checks that a provider accepts the custom parameters from the platform's documentation.
enum DocumentedParameters {
    /// A check over all steps of a scenario, each a request with one parameter.
    static func check(_ id: CheckID, _ title: String, _ citation: Citation, of scenario: Scenario) -> Check {
        Check(
            id,
            title,
            .platform,
            .signIn,
            citation,
            why: "Users cannot sign in to applications that follow the platform's documentation.",
            reads: query(scenario),
            supersededBy: [
                "platform.firebase.request.is-accepted", "platform.request.needs-no-pkce",
                "platform.request.needs-no-unlisted-pkce", "authorization.unknown-parameter.is-ignored",
            ],
            finding: { subject, _ in
                guard let refusal = subject.answer.refusal else { return nil }
                return Finding(
                    "For a request with the documented parameter, the authorization endpoint returns \(refusal).",
                    at: "custom_parameters",
                    expected: "the sign-in page",
                    found: refusal,
                    fix:
                        "Accept or ignore \(subject.asked.step.id) at the provider, or remove it from the application's requests."
                )
            }
        )
    }

    /// The responses to the steps of a scenario, each labelled with its step.
    private static func query(_ scenario: Scenario) -> Query<AuthorizationResult> {
        Query("responses to: " + scenario.title, needs: [.discovery, .probe(scenario.id)]) { facts in
            scenario.steps.flatMap { step in
                StepResults.authorization(scenario, step.id).samples(facts)
                    .map { Sample($0.observation, label: step.title, exchange: $0.exchange) }
            }
        }
    }
}
