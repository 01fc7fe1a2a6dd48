import Conformance

/// Faults of the rules that profiles state: the platform demands what this provider does not give.
extension Fault {
    static let rules: [Fault] = issuerRules + documentRules + keyRules + tokenRules + clientRules + requestRules

    /// A platform that demands a thing, and a provider that is as it is.
    static func demand<Demand>(
        _ title: String,
        _ rule: Rule<Demand>,
        _ value: Demand,
        variant: String? = nil,
        also: [CheckID] = [],
        persona: Persona = .standard,
        configure: (@Sendable (inout Target) -> Void)? = nil,
        change: (@Sendable (inout Seams) -> Void)? = nil
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
                    because: "registration is refused otherwise",
                    source: "a rule of the matrix"
                )
            },
            change: change
        )
    }
}
