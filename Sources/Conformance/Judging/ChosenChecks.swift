/// What a plan makes of a list of checks before there is any evidence.
///
/// It depends on profile, selection and tier, and of the target only on what the profile's uses are widened by, so that it is decided once
/// for however many issuers are judged alike.
package struct ChosenChecks: Sendable {
    /// A check that takes part.
    package struct Choice: Sendable {
        package let check: Check
        /// What a failure of it weighs before it is known what was found, and why that is not what its requirement says.
        package let level: Level
        package let levelReason: String?
        /// Its place in the report.
        package let place: Int
    }

    /// The profile, with what the target says of its uses.
    package let profile: Profile
    /// The checks that take part, in the order in which they were handed in.
    package let choices: [Choice]
    /// A report's entries, by stage and within one as they were handed in.
    ///
    /// Those of the checks that take part are to be replaced.
    package let entries: [Report.Entry]
    private let configured: [Feature]

    /// - Parameter target: What the evidence is of.
    package init(_ checks: [Check], _ plan: Plan, target: Target) {
        configured = Profile.features(configuredFor: target)
        profile = plan.profile.used(with: target)
        let byStage = Dictionary(grouping: checks.indices) { checks[$0].about.stage }
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
    package func holds(for target: Target) -> Bool {
        Profile.features(configuredFor: target) == configured
    }
}
