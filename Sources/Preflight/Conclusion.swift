package import Conformance

/// The reports of runs, and the secrets that no text of them may contain.
package struct Conclusion: Sendable {
    /// A target for each run, in their order.
    package let report: TargetsReport
    /// The same, with references from pages to their screenshots.
    package let screenshotted: TargetsReport
    private let runs: [JointRun]

    /// Evaluates the collected evidence.
    ///
    /// - Parameters:
    ///   - runs: One for each target, at least one.
    ///   - evidence: The evidence of each run, in the same order.
    ///   - now: Seconds since 1970; affects only waivers.
    package init(_ runs: [JointRun], _ evidence: [JointEvidence], now: Double) {
        let targets = zip(runs, evidence)
            .map { run, evidence in
                TargetsReport.Target(
                    name: run.targetName ?? "",
                    report: run.judge(evidence, now: now),
                    user: run.runs[0].configuration.username
                )
            }
        screenshotted = TargetsReport(targets[0], Array(targets.dropFirst()))
        report = screenshotted.withoutScreenshots
        self.runs = runs
    }

    /// The worst outcome of all targets.
    package var outcome: Report.Outcome { report.only?.report.outcome ?? report.outcome }

    /// The numbers of the screenshots that pages refer to.
    package var screenshots: [Int] { screenshotted.screenshots }

    /// Removes secrets of all runs from a finished text.
    ///
    /// - Parameter isJSON: Replaces only inside strings, so that the text remains JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        runs.reduce(text) { $1.withoutSecrets($0, isJSON: isJSON) }
    }
}
