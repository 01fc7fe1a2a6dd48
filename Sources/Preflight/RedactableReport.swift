package import Conformance
internal import Flows

/// The report of a target, and the secrets that no text of it may contain.
package struct RedactableReport: Sendable {
    package let target: TargetsReport.Target
    private let run: JointRun

    /// Evaluates the collected evidence.
    ///
    /// - Parameter now: Seconds since 1970; affects only waivers.
    package init(_ run: JointRun, _ evidence: JointEvidence, now: Double) {
        target = TargetsReport.Target(
            name: run.targetName ?? "",
            report: run.judge(evidence, now: now),
            user: run.runs[0].configuration.username
        )
        self.run = run
    }

    /// Removes secrets of the run from a finished text.
    ///
    /// - Parameter isJSON: Replaces only inside strings, so that the text remains JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        run.withoutSecrets(text, isJSON: isJSON)
    }

    fileprivate var passes: [FinalRedaction] { run.runs.map(\.finalRedaction) }
}

/// The client secrets and passwords of all targets, which a provider may repeat in the report of another target.
package struct Credentials: Sendable {
    private let pass = FinalRedaction()

    package init() {}

    package func add(of conclusion: RedactableReport) {
        for other in conclusion.passes { pass.learnCredentials(of: other) }
    }

    /// Removes them from a finished text.
    ///
    /// - Parameter isJSON: Replaces only inside strings, so that the text remains JSON.
    package func removed(from text: String, isJSON: Bool) -> String { pass.cleaned(text, as: isJSON ? .json : .text) }
}
