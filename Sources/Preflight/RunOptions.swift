package import Conformance
package import Profiles

/// What a run is to be, apart from what is registered where: for the command line and for programs that embed it alike.
package struct RunOptions: Sendable {
    /// The profiles by whose rules is judged, in this order; `nil` for the configuration's, then `openid`.
    package var profiles: [String]?
    /// `nil` for as far as the configuration has the means.
    package var tier: Tier?
    /// The lowest level that closes the gate.
    package var threshold = Level.error
    /// The tier without which the gate cannot open.
    package var required: Tier?
    package var selection = Selection()
    /// Tokens and codes stay in the evidence; the client secret and the password never do.
    package var keepsSecrets = false
    package var patience = Patience.short
    package var clock = RunClock.machine
    /// The earlier report for a profile, whose errors are known; `nil` where there is none to compare with.
    package var baseline: (@Sendable (_ profile: String) throws(ConfigurationError) -> ReportDigest)?

    package init() {}
}

extension JointRun {
    /// A run of one target for every platform that is chosen.
    ///
    /// - Throws: What is wrong with a profile, that one is named twice, that no check is left, or what is wrong with the earlier report.
    package init(
        _ configuration: Configuration,
        _ options: RunOptions,
        _ environment: Environment
    ) throws(ConfigurationError) {
        let names = options.profiles ?? configuration.profile.map(JointRun.names) ?? []
        var runs: [PreflightRun] = []
        for name in names.isEmpty ? [nil] : names.map(Optional.some) {
            var run = try PreflightRun(
                configuration: configuration,
                profile: name,
                tier: options.tier,
                threshold: options.threshold,
                required: options.required,
                selection: options.selection,
                keepsSecrets: options.keepsSecrets,
                patience: options.patience,
                clock: options.clock,
                environment: environment
            )
            if let baseline = options.baseline { run.knows(of: try baseline(run.plan.profile.name)) }
            runs.append(run)
        }
        try self.init(runs[0], Array(runs.dropFirst()))
    }
}

extension Configuration {
    /// Throws what the configuration lacks for a tier that was asked for.
    ///
    /// - Parameter file: Where the configuration was read; `nil` for an issuer alone.
    package func demandMeans(for tier: Tier, readFrom file: String?) throws(ConfigurationError) {
        let missing = missing(for: tier).joined(separator: ", ")
        if missing.isEmpty { return }
        let source =
            file.map { "\($0) lacks \(missing)\(name.map { " (target \($0))" } ?? "")" }
            ?? "an issuer alone lacks \(missing); write a configuration with: \(Tool.name) init ISSUER"
        throw ConfigurationError(file: "--tier \(tier.rawValue)", source)
    }
}
