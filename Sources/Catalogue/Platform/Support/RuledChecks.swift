import Conformance

/// Checks of rules that profiles state: what is demanded, why, and how that is known comes from the profile.
enum RuledChecks {
    /// The check of a rule; it has the rule's name.
    ///
    /// A profile that does not state the rule does not have the check; see ``PlatformRule``.
    ///
    /// - Parameters:
    ///   - stated: The rule; what a profile demands by it is handed to `rule`.
    ///   - title: The good state.
    ///   - consequence: What follows for whoever registers the provider there.
    ///   - why: What goes wrong otherwise, at whatever platform; the profile says it of its own.
    ///   - slot: What is judged.
    ///   - excuses: Checks whose failure makes this one say nothing new.
    ///   - exempt: Why the rule does not concern a subject; `nil` when it does.
    ///   - rule: The findings; each is given the profile's reason and source.
    static func check<Subject: Sendable, Demand: RuleDemand>(
        _ stated: Rule<Demand>,
        _ title: String,
        _ consequence: Consequence,
        why: String,
        reads slot: Slot<Subject>,
        excusedBy excuses: [CheckID] = [],
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
            reads: slot,
            excusedBy: excuses,
            passesOn: passesOn,
            exempt: { subject, facts in
                facts.profile.parameters[stated] == nil
                    ? "the profile states no such rule" : exempt(subject, facts)
            },
            rule: { subject, facts in
                guard let demanded = facts.profile.parameters[stated] else { return [] }
                let authority = facts.profile.parameters.rules[stated.name]
                    .map {
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

extension Facts {
    /// The response type that the platform uses: its only one, as registered, or the only one configured; `nil` when it is
    /// not known.
    var platformResponseType: ResponseType? {
        let known = profile.parameters[.clientResponseTypes] ?? []
        if known.count == 1 { return known.first.map { ResponseType($0) } }
        let registered = target.registration.responseTypes
        if registered.count == 1 { return registered.first }
        if registered.isEmpty, target.flows.count == 1 { return target.flows.first }
        return nil
    }
}
