import JSONTree

extension ScenarioRun {
    /// Whether a token request was due that was not made or not answered.
    var isWithoutToken: Bool {
        if case .absent = token { true } else { false }
    }

    /// Whether the way ended at the password, which was not sent.
    var passwordWasWithheld: Bool {
        if case .notAttempted? = self[.authorization]?.outcome { !visits.isEmpty } else { false }
    }

    /// Whether a step was not attempted because the password was not sent, in it or before it.
    ///
    /// The evidence of earlier versions does not say so: there it is every step whose conditions target and metadata meet.
    func isWithheld(_ step: StepRun, _ target: Target, _ metadata: JSONObject?) -> Bool {
        guard passwordWasWithheld, let why = step.outcome.whyNot else { return false }
        guard authorization.whyNot?.kind == .other else { return why.kind == .withheld }
        let scenario = Scenario.named(scenario) ?? .flow(responseType)
        guard let own = scenario.step(step.id), !own.isPause else { return false }
        return own.conditions.allSatisfy { $0.whyUnmet(target) == nil }
            && (scenario.requires + own.requires)
                .allSatisfy { requirement in
                    metadata.map(requirement.isMet) ?? true
                }
    }
}
