package import Conformance
package import Profiles
package import Transport

/// The options of a run, besides the configuration, for the command line and for embedding programs.
package struct RunOptions: Sendable {
    /// The profiles, in this order; `nil` for the configuration's, then `openid`.
    package var profiles: [String]?
    /// `nil` for the highest that the configuration allows.
    package var tier: Tier?
    /// The lowest level that closes the gate.
    package var threshold = Level.error
    /// The tier without which the gate cannot open.
    package var required: Tier?
    package var selection = Selection()
    /// Whether tokens and codes stay in the evidence; the client secret and the password never do.
    package var keepsSecrets = false
    package var slowProbes = SlowProbes.short
    /// Whether each document is requested once, and checks that compare responses are skipped.
    package var asksOnce = false
    package var clock = RunClock.machine
    /// The baseline report for a profile; `nil` if there is none.
    package var baseline: (@Sendable (_ profile: String) throws(ConfigurationError) -> ReportDigest)?

    package init() {}
}

extension JointRun {
    /// A run of one target for each selected platform.
    ///
    /// - Throws: If a profile is invalid or named twice, no check is left, or the baseline report is invalid.
    package init(
        _ configuration: Configuration,
        _ options: RunOptions,
        _ environment: Environment
    ) throws(ConfigurationError) {
        let names = options.profiles ?? configuration.profile.map(JointRun.profiles) ?? []
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
    /// - Parameter profile: Name or file; `nil` for the configuration's, then `openid`.
    /// - Throws: If the profile is invalid, no check is left, or the baseline report is invalid.
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
            slowProbes: options.slowProbes,
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
    ///   - input: Whether the user or a list names the file.
    ///   - reader: The options for reading.
    ///   - environment: Reads the file.
    ///   - targets: The names of the selected targets; empty for all.
    ///   - issuer: Overrides the issuer of the file.
    ///   - profile: Overrides the profile of the file.
    /// - Throws: If the file cannot be read or is invalid.
    package static func read(
        _ file: String,
        as input: FileInput = .configuration,
        by reader: ConfigurationReader,
        _ environment: Environment,
        targets: [String] = [],
        issuer: String? = nil,
        profile: String? = nil
    ) throws(ConfigurationError) -> [Configuration] {
        switch environment.readFile(file, input) {
        case .success(let bytes):
            try reader.readAll(
                bytes,
                file: file,
                targets: targets,
                issuer: issuer,
                profile: profile,
                checks: PreflightRun.checks.map(\.id)
            )
        case .failure(let error):
            let isMissing = error.reason == FileError.missing && input == .configuration
            throw ConfigurationError(file: file, error.reason + (isMissing ? creation(of: file) : ""))
        }
    }

    /// The file that `init` writes by default.
    private static let defaultFile = "preflight.yaml"

    private static func creation(of file: String) -> String {
        "; create it with: \(Tool.name) init ISSUER" + (file == defaultFile ? "" : " --output FILE")
    }

    /// Throws everything that is missing in the configuration for the requested tier.
    ///
    /// - Parameter file: The configuration file; `nil` for an issuer alone.
    package func demandMeans(for tier: Tier, readFrom file: String?) throws(ConfigurationError) {
        let missing = missing(for: tier).joined(separator: ", ")
        if missing.isEmpty { return }
        let source =
            file.map { "\($0) lacks \(missing)\(name.map { " (target \($0))" } ?? "")" }
            ?? "this tier also needs \(missing); create a configuration with: \(Tool.name) init ISSUER"
        throw ConfigurationError(file: "--tier \(tier.rawValue)", source)
    }
}
