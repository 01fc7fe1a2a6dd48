package import Conformance
package import Preflight
package import Profiles
package import Reporting

/// Runs that nothing keeps from being held: one for each target, each for one platform or for several.
///
/// Whoever judges passes here, the command line as well as a program that embeds the library: all that may be refused is refused when
/// they are made, and nothing was sent by then; after that they collect, and then conclude.
package struct PreparedRuns: Sendable {
    /// One for each target, in their order; at least one.
    package let targets: [JointRun]

    /// - Parameters:
    ///   - targets: What is registered where, and what the run of it is to be; at least one.
    ///   - environment: Where profiles are read.
    /// - Throws: What is wrong with a profile, that one is named twice, that no check is left, or what is wrong with an earlier report.
    package init(
        _ targets: [(configuration: Configuration, options: RunOptions)],
        _ environment: Environment
    ) throws(ConfigurationError) {
        self.targets = try targets.map { target throws(ConfigurationError) in
            try JointRun(target.configuration, target.options, environment)
        }
    }

    /// Of what was handed in, or saved by an earlier run: one target, by the tier that it was collected for.
    ///
    /// - Parameters:
    ///   - configuration: Its target, with what it is judged by.
    ///   - tier: How far whoever collected it went.
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

    /// Throws where there are several targets, for what is about one.
    ///
    /// - Parameters:
    ///   - option: What asked for it.
    ///   - reason: Why it is about one.
    package func demandOneTarget(_ option: String, _ reason: String) throws(ConfigurationError) {
        if targets.count == 1 { return }
        let names = targets.compactMap(\.targetName).joined(separator: ", ")
        throw ConfigurationError(file: option, "\(reason): name one target of \(names) with --target")
    }

    /// Throws where the platforms take several runs, for what is about one.
    ///
    /// - Parameters:
    ///   - reason: Why it is about one target.
    ///   - advice: What to do where it is about one run.
    package func demandOneRun(_ option: String, _ reason: String, _ advice: String) throws(ConfigurationError) {
        try demandOneTarget(option, reason)
        let count = targets[0].runCount
        if count == 1 { return }
        throw ConfigurationError(
            file: option,
            "these platforms send different requests, which takes \(count) runs: \(advice)"
        )
    }

    /// Sends the requests and signs in, one target after another; never fails, and ends early with what there is when cancelled.
    ///
    /// - Parameters:
    ///   - seconds: For how long each issuer is waited for before that; `nil` for not at all.
    ///   - begin: Is told the name of each target, where there are several.
    package func collect(
        waitingForIssuer seconds: Double? = nil,
        beginning begin: (_ target: String) -> Void = { _ in },
        progress: @escaping ProgressHandler = { _ in }
    ) async -> [JointEvidence] {
        var evidence: [JointEvidence] = []
        for run in targets {
            if targets.count > 1 { begin(run.targetName ?? "") }
            if let seconds { await run.waitForIssuer(seconds: seconds, progress: progress) }
            evidence.append(await run.collect(progress: progress))
        }
        return evidence
    }

    /// What the evidence comes to.
    ///
    /// - Parameters:
    ///   - evidence: That of each target, in their order.
    ///   - now: Seconds since 1970; decides on waivers alone.
    package func conclude(_ evidence: [JointEvidence], now: Double) -> Conclusion {
        Conclusion(targets, evidence, now: now)
    }
}

extension Conclusion {
    /// All of it in a form, without secrets; one target alone is told as if there were no others.
    ///
    /// - Parameter withPictures: Whether pages name their pictures, which lie beside the report.
    package func text(_ format: ReportFormat, _ options: ReportOptions, withPictures: Bool = false) -> String {
        let report = withPictures ? pictured : report
        var options = options
        options.person = report.only?.person
        let text =
            report.only.map { format.render($0.report, options: options) } ?? format.render(report, options: options)
        return withoutSecrets(text, isJSON: format.isJSON)
    }
}
