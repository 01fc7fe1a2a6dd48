package import Conformance
package import Profiles
package import Transport

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
    /// Whether each document is asked for once, and what compares several answers is left out.
    package var asksOnce = false
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
            runs.append(try PreflightRun(configuration, options, profile: name, environment))
        }
        try self.init(runs[0], Array(runs.dropFirst()))
    }
}

extension PreflightRun {
    /// A run of one target for one platform.
    ///
    /// - Parameter profile: Name or file; the configuration's, then `openid`, when `nil`.
    /// - Throws: What is wrong with the profile, that no check is left, or what is wrong with the earlier report.
    package init(
        _ configuration: Configuration,
        _ options: RunOptions = RunOptions(),
        profile: String? = nil,
        _ environment: Environment
    ) throws(ConfigurationError) {
        try self.init(
            configuration: configuration,
            profile: profile,
            tier: options.tier,
            threshold: options.threshold,
            required: options.required,
            selection: options.selection,
            keepsSecrets: options.keepsSecrets,
            patience: options.patience,
            asksOnce: options.asksOnce,
            clock: options.clock,
            environment: environment
        )
        if let baseline = options.baseline { knows(of: try baseline(plan.profile.name)) }
    }
}

extension Configuration {
    /// The configurations of a file, one for each target.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - reader: Whether secrets are read, and what else decides on the reading.
    ///   - environment: What reads the file.
    ///   - targets: The names of those that are meant, none for all.
    ///   - issuer: One that wins over the file's.
    ///   - profile: One that wins over the file's.
    /// - Throws: That the file cannot be read, or what is wrong with it.
    package static func read(
        _ file: String,
        by reader: ConfigurationReader,
        _ environment: Environment,
        targets: [String] = [],
        issuer: String? = nil,
        profile: String? = nil
    ) throws(ConfigurationError) -> [Configuration] {
        switch environment.readFile(file) {
        case .success(let octets):
            try reader.readAll(
                octets,
                file: file,
                targets: targets,
                issuer: issuer,
                profile: profile,
                checks: PreflightRun.checks.map(\.id)
            )
        case .failure(let error): throw ConfigurationError(file: file, error.reason)
        }
    }

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
