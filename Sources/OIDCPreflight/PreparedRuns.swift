package import Conformance
package import Preflight
package import Profiles
package import Reporting

/// Validated runs: one for each target, each for one platform or several.
///
/// Both the command line and embedding programs use them: the initialiser reports all errors before any request; then they collect
/// evidence and evaluate it.
package struct PreparedRuns: Sendable {
    /// One for each target, in their order; at least one.
    package let targets: [JointRun]

    /// - Parameters:
    ///   - targets: The configuration and the options of each target; at least one.
    ///   - environment: Reads profiles.
    /// - Throws: If a profile is invalid or named twice, no check is left, or a baseline report is invalid.
    package init(
        _ targets: [(configuration: Configuration, options: RunOptions)],
        _ environment: Environment
    ) throws(ConfigurationError) {
        var runs: [JointRun] = []
        var reports = 0
        for target in targets {
            let run = try JointRun(target.configuration, target.options, environment)
            runs.append(run)
            reports += run.runs.count
            let most = ConfigurationReader.mostTargets
            guard reports <= most else {
                throw ConfigurationError(
                    file: "--profile",
                    "the targets and their platforms need more than \(most) reports: name fewer platforms, or select targets "
                        + "with --target"
                )
            }
        }
        self.targets = runs
    }

    /// Runs for input documents or saved evidence: one target, with the tier of its collection.
    ///
    /// - Parameters:
    ///   - configuration: Its target and rules.
    ///   - tier: The tier of the collection.
    /// - Throws: As above.
    package init(
        handedIn configuration: Configuration,
        upTo tier: Tier,
        _ options: RunOptions,
        _ environment: Environment
    ) throws(ConfigurationError) {
        var options = options
        options.tier = tier
        try self.init([(configuration, options)], environment)
    }

    /// Throws if there are several targets, for options with a single target.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - reason: Why it applies to one target.
    package func demandOneTarget(_ option: String, _ reason: String) throws(ConfigurationError) {
        if targets.count == 1 { return }
        let names = targets.compactMap(\.targetName).joined(separator: ", ")
        throw ConfigurationError(file: option, "\(reason): select one of \(names) with --target")
    }

    /// Throws if the platforms need several runs, for options with a single run.
    ///
    /// - Parameters:
    ///   - reason: Why it applies to one target.
    ///   - advice: The alternative.
    package func demandOneRun(_ option: String, _ reason: String, _ advice: String) throws(ConfigurationError) {
        try demandOneTarget(option, reason)
        let count = targets[0].runCount
        if count == 1 { return }
        throw ConfigurationError(
            file: option,
            "these platforms need different requests, and therefore \(count) runs: \(advice)"
        )
    }

    /// Collects evidence, one target after another; never fails, and returns partial evidence if cancelled.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait for each issuer before; `nil` for no wait.
    ///   - begin: Receives the name of each target, if there are several.
    package func collect(
        waitingForIssuer seconds: Double? = nil,
        beginning begin: (_ target: String) -> Void = { _ in },
        progress: @escaping ProgressHandler = { _ in }
    ) async -> [JointEvidence] {
        await targets.collect(progress: progress) { run in
            if targets.count > 1 { begin(run.targetName ?? "") }
            if let seconds { await run.waitForIssuer(seconds: seconds, progress: progress) }
        }
    }

    /// Evaluates the evidence.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of each target, in their order.
    ///   - now: Seconds since 1970; affects only waivers.
    package func conclude(_ evidence: [JointEvidence], now: Double) -> Conclusion {
        Conclusion(targets, evidence, now: now)
    }
}

extension Conclusion {
    /// The report in a format, without secrets; a single target has no target heading.
    ///
    /// - Parameter withScreenshots: Whether pages refer to their screenshots beside the report.
    package func text(_ format: ReportFormat, _ options: ReportOptions, withScreenshots: Bool = false) -> String {
        let report = withScreenshots ? screenshotted : report
        var options = options
        options.user = report.only?.user
        let text =
            report.only.map { format.render($0.report, options: options) } ?? format.render(report, options: options)
        return withoutSecrets(text, isJSON: format.isJSON)
    }
}
