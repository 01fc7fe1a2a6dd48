/// A plan's view of a list of checks before there is any evidence.
///
/// It depends on profile, selection and tier, and on the target only through the additional uses of the profile. So it is
/// computed once for any number of issuers with the same configuration.
package struct ChosenChecks: Sendable {
    /// A check that takes part.
    package struct Choice: Sendable {
        package let check: Check
        /// The level of a failure before its findings are known, and why it differs from the requirement's.
        package let level: Level
        package let levelReason: String?
        /// Its place in the report.
        package let place: Int
    }

    /// The profile, with what the target says of its uses.
    package let profile: Profile
    /// The checks that take part, in the order in which they were given.
    package let choices: [Choice]
    /// A report's entries, by stage and within one as they were given.
    ///
    /// Those of the checks that take part are to be replaced.
    package let entries: [Report.Entry]
    private let configured: [Feature]

    /// - Parameter target: The target of the evidence.
    package init(_ checks: [Check], _ plan: Plan, target: Target) {
        configured = Profile.features(configuredFor: target)
        profile = plan.profile.used(with: target)
        let byStage = Dictionary(grouping: checks.indices) { checks[$0].metadata.stage }
        let order = Stage.allCases.flatMap { byStage[$0] ?? [] }
        var places = order
        for (place, index) in order.enumerated() { places[index] = place }
        var choices: [Choice] = []
        var exclusions: [Reason?] = []
        for (index, check) in checks.enumerated() {
            let exclusion = plan.exclusion(of: check)
            exclusions.append(exclusion)
            guard exclusion == nil else { continue }
            let weight = profile.weight(of: check)
            choices.append(
                Choice(check: check, level: weight.level, levelReason: weight.because, place: places[index])
            )
        }
        self.choices = choices
        let profile = profile
        var whole = plan
        whole.selection = Selection()
        entries = order.map { index in
            let weight = profile.weight(of: checks[index])
            var entry = Report.Entry(
                check: checks[index],
                level: weight.level,
                levelReason: weight.because,
                verdict: .notAttempted(exclusions[index] ?? ""),
                closesGate: false,
                blocksOpening: false,
                wasSelected: false
            )
            if let source = plan.selection.skipper(of: checks[index].id), whole.exclusion(of: checks[index]) == nil {
                entry.skippedBy = source
            }
            return entry
        }
    }

    /// Whether it is the same for evidence of that target.
    package func applies(to target: Target) -> Bool {
        Profile.features(configuredFor: target) == configured
    }
}
