package import Conformance

/// What runs came to: their evidence, judged, and what must be in no text that is made of it.
package struct Conclusion: Sendable {
    /// A target for each run, in their order.
    package let report: TargetsReport
    /// Likewise, and pages know of their pictures.
    package let pictured: TargetsReport
    private let runs: [JointRun]

    /// Judges what was collected.
    ///
    /// - Parameters:
    ///   - runs: One for each target, at least one.
    ///   - evidence: What each of them is judged by, in the same order.
    ///   - now: Seconds since 1970; decides on waivers alone.
    package init(_ runs: [JointRun], _ evidence: [JointEvidence], now: Double) {
        let targets = zip(runs, evidence)
            .map { run, evidence in
                TargetsReport.Target(
                    name: run.targetName ?? "",
                    report: run.judge(evidence, now: now),
                    person: run.runs[0].configuration.username
                )
            }
        pictured = TargetsReport(targets[0], Array(targets.dropFirst()))
        report = pictured.withoutPictures
        self.runs = runs
    }

    /// The worst of all targets; of a single one its own.
    package var outcome: Report.Outcome { report.only?.report.outcome ?? report.outcome }

    /// The numbers of the pictures that pages know of.
    package var pictures: [Int] { pictured.pictures }

    /// A finished text without the secrets of all runs, should one have got there.
    ///
    /// - Parameter isJSON: Replaces in strings alone, so that it stays JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        runs.reduce(text) { $1.withoutSecrets($0, isJSON: isJSON) }
    }
}
