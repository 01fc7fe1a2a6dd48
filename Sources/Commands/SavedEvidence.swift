internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// Evidence of an earlier run, and the rules for evaluating it.
struct SavedEvidence {
    let evidence: Evidence
    /// The target of the evidence, with profile, waivers and line numbers of the configuration file, if one is named.
    let configuration: Configuration

    /// - Parameter profile: The profile from the command line, which takes precedence over the configuration's and the run's.
    /// - Parameter targets: The selected targets of the configuration; by default the one with the issuer of the evidence.
    init(file: String, config: String?, targets: [String], profile: String? = nil) throws {
        let bytes = try Files.read(file, as: .evidence).get()
        do {
            evidence = try PreflightRun.evidence(from: bytes)
        } catch {
            throw ConfigurationError(file: file, "\(error)")
        }
        var configuration = Configuration(target: evidence.target)
        // Evidence may come from a stranger, so it does not select a file of this machine.
        let foreign = evidence.profile.map(JointRun.names)?.first { !Self.builtIn.contains($0) }
        let own = foreign == nil ? evidence.profile : nil
        let issuer = configuration.target.issuer
        if let config {
            let all = try Configuration.read(
                config,
                targets: targets,
                profile: profile ?? own,
                readsSecrets: false,
                needsIssuer: false
            )
            let named = all.count == 1 ? all : all.filter { $0.target.issuer == issuer }
            guard let read = named.first, named.count == 1 else {
                throw ConfigurationReader.severalTargets((named.isEmpty ? all : named).compactMap(\.name), file: config)
            }
            configuration.profile = read.profile
            configuration.waivers = read.waivers
            configuration.places = read.places
        }
        configuration.profile = configuration.profile ?? own
        if profile == nil, configuration.profile == nil, let foreign {
            throw ConfigurationError(
                file: file,
                "the run used the profile \(foreign.shown(limit: 200)), which is not built in, and evidence selects no file: "
                    + "name the profile with --profile"
            )
        }
        self.configuration = configuration
    }

    private static let builtIn = Set(ProfileLibrary.builtIn.map(\.name))
}
