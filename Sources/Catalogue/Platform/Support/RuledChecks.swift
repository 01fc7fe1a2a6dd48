import Conformance

/// Checks of rules that profiles state: what is demanded, why, and how that is known comes from the profile.
enum RuledChecks {
    /// The check of a rule; it has the rule's name.
    ///
    /// A profile that does not state the rule does not have the check; see ``PlatformRule``.
    ///
    /// - Parameters:
    ///   - name: The rule.
    ///   - title: The good state.
    ///   - consequence: What follows for whoever registers the provider there.
    ///   - why: What goes wrong otherwise, at whatever platform; the profile says it of its own.
    ///   - slot: What is judged.
    ///   - demand: Reads what is demanded; `nil` where the profile states no such rule.
    ///   - excuses: Checks whose failure makes this one say nothing new.
    ///   - exempt: Why the rule does not concern a subject; `nil` when it does.
    ///   - rule: The findings; each is given the profile's reason and source.
    static func check<Subject: Sendable, Demand: Sendable>(
        _ name: PlatformRule.Name,
        _ title: String,
        _ consequence: Consequence,
        why: String,
        reads slot: Slot<Subject>,
        demands demand: @escaping @Sendable (ProfileParameters) -> Demand?,
        excusedBy excuses: [CheckID] = [],
        exempt: @escaping @Sendable (Subject, Facts) -> String? = { _, _ in nil },
        rule: @escaping @Sendable (Subject, Demand, Facts) -> [Finding]
    ) -> Check {
        Check(
            name.check,
            title,
            .platform,
            consequence,
            Citation(.profile, "", "rules: " + name.rawValue),
            why: why,
            reads: slot,
            excusedBy: excuses,
            exempt: { subject, facts in
                demand(facts.profile.parameters) == nil
                    ? "the profile states no such rule" : exempt(subject, facts)
            },
            rule: { subject, facts in
                guard let demanded = demand(facts.profile.parameters) else { return [] }
                let stated = facts.profile.parameters.rules[name]
                let authority = stated.map {
                    Finding.Authority(profile: facts.profile.title, because: $0.because, source: $0.source)
                }
                return rule(subject, demanded, facts)
                    .map { finding in
                        var finding = finding
                        finding.authority = authority
                        return finding
                    }
            }
        )
    }
}
