import Conformance

/// Faults of the profiles' rules: the platform requires what this provider does not have.
extension Fault {
    static let rules: [Fault] =
        issuerRules + documentRules + keyRules + tokenRules + clientRules + requestRules
        + resourceRules + hostRules

    /// A platform with one more rule, which the provider breaks.
    static func demand<Demand>(
        _ title: String,
        _ rule: Rule<Demand>,
        _ value: Demand,
        variant: String? = nil,
        also: [CheckID] = [],
        persona: Persona = .standard,
        configure: (@Sendable (inout Target) -> Void)? = nil,
        change: (@Sendable (inout Hooks) -> Void)? = nil
    ) -> Fault {
        Fault(
            rule.check,
            variant: variant,
            title,
            also: also,
            persona: persona,
            configure: configure,
            demand: { parameters in
                parameters.state(
                    rule,
                    value,
                    because: "registration is rejected otherwise",
                    source: "a rule of the matrix"
                )
            },
            change: change
        )
    }
}
