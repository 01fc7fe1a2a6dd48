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
    func isWithheld(_ step: StepRun) -> Bool { passwordWasWithheld && step.outcome.whyNot?.kind == .withheld }
}
