internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// Evidence of an earlier run, and the rules for evaluating it.
struct SavedEvidence {
    let evidence: Evidence
    /// The target of the evidence, with profile, waivers and line numbers of the configuration file, if one is named.
    let configuration: Configuration

    /// - Parameter profile: The profile from the command line, which takes precedence over the run's.
    /// - Parameter targets: The selected targets of the configuration; by default the one with the issuer of the evidence.
    init(file: String, config: String?, targets: [String], profile: String? = nil) throws {
        let bytes = try Files.read(file).get()
        do {
            evidence = try PreflightRun.evidence(from: bytes)
        } catch {
            throw ConfigurationError(file: file, "\(error)")
        }
        var configuration = Configuration(target: evidence.target)
        configuration.profile = evidence.profile
        let issuer = configuration.target.issuer
        if let config {
            let all = try Configuration.read(
                config,
                targets: targets,
                profile: profile ?? evidence.profile,
                readsSecrets: false,
                needsIssuer: false
            )
            let own = all.count == 1 ? all : all.filter { $0.target.issuer == issuer }
            guard let read = own.first, own.count == 1 else {
                throw ConfigurationReader.severalTargets((own.isEmpty ? all : own).compactMap(\.name), file: config)
            }
            configuration.profile = read.profile ?? evidence.profile
            configuration.waivers = read.waivers
            configuration.places = read.places
        }
        self.configuration = configuration
    }
}
