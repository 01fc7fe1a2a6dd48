import Conformance

/// Checks of platform rules: the profile provides the required value, the reason and the source.
enum RuledChecks {
    /// The check of a rule, with the rule's name.
    ///
    /// A profile that does not state the rule does not have the check; see ``PlatformRule``.
    ///
    /// - Parameters:
    ///   - stated: The rule; its value in the profile is passed to `rule`.
    ///   - title: A sentence that is true when the check passes.
    ///   - consequence: The consequence of a failure at the platform.
    ///   - why: The harm of a failure on any platform; the profile adds its own reason.
    ///   - query: The subjects to check.
    ///   - supersedes: Checks whose failure supersedes this one.
    ///   - exempt: Why the rule does not apply to a subject; `nil` if it does.
    ///   - rule: The findings, to which the profile's reason and source are added.
    static func check<Subject: Sendable, Demand: RuleDemand>(
        _ stated: Rule<Demand>,
        _ title: String,
        _ consequence: Consequence,
        why: String,
        reads query: Query<Subject>,
        supersededBy supersedes: [CheckID] = [],
        passesOn: Check.PassingAnswer = .any,
        exempt: @escaping @Sendable (Subject, Facts) -> String? = { _, _ in nil },
        rule: @escaping @Sendable (Subject, Demand, Facts) -> [Finding]
    ) -> Check {
        Check(
            stated.check,
            title,
            .platform,
            consequence,
            Citation(.profile, "", "rules: " + stated.name.rawValue),
            why: why,
            reads: query,
            supersededBy: supersedes,
            passesOn: passesOn,
            exempt: { subject, facts in
                facts.profile.parameters[stated] == nil ? "the profile states no such rule" : exempt(subject, facts)
            },
            rule: { subject, facts in
                guard let demanded = facts.profile.parameters[stated] else { return [] }
                let authority = facts.profile.parameters.rules[stated.name]
                    .map { Finding.Authority(profile: facts.profile.title, because: $0.because, source: $0.source) }
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

extension Facts {
    /// The response type that the platform uses: the profile's only one, else the only registered one, else the only
    /// configured one; `nil` if it is unknown.
    var platformResponseType: ResponseType? {
        let known = profile.parameters[.clientResponseTypes] ?? []
        if known.count == 1 { return known.first.map { ResponseType($0) } }
        let registered = target.registration.responseTypes
        if registered.count == 1 { return registered.first }
        if registered.isEmpty, target.flows.count == 1 { return target.flows.first }
        return nil
    }
}
