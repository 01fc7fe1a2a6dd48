package import Conformance
package import Preflight
package import Profiles
package import Reporting

/// Validated runs: one for each target, each for one platform or several.
///
/// Both the command line and embedding programs use them: the initialiser reports all errors before any request; then they collect
/// evidence.
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
        offlineInput configuration: Configuration,
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

    /// The number of reports: one for each target and platform.
    package var reportCount: Int { targets.reduce(0) { $0 + $1.runs.count } }

    /// Collects evidence, one target after another; never fails, and passes on partial evidence if cancelled.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait for each issuer before; `nil` for no wait.
    ///   - begin: Receives the name of each target, if there are several.
    ///   - end: Receives the evidence of each target and its run. Nothing else keeps either if there are several.
    package func collect(
        waitingForIssuer seconds: Double? = nil,
        beginning begin: (_ target: String) -> Void = { _ in },
        progress: @escaping ProgressHandler = { _ in },
        ending end: (JointRun, JointEvidence) -> Void
    ) async {
        await targets.collect(progress: progress) { run in
            if targets.count > 1 { begin(run.targetName ?? "") }
            if let seconds { await run.waitForIssuer(seconds: seconds, progress: progress) }
        } ending: {
            end($0, $1)
        }
    }
}

extension RedactableReport {
    /// The report in a format, without secrets.
    package func text(_ format: ReportFormat, _ options: ReportOptions) -> String {
        var options = options
        options.user = target.user
        return withoutSecrets(format.render(target.report, options: options), isJSON: format.isJSON)
    }
}
