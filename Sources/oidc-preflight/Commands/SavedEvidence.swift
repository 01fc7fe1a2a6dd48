internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// Evidence of an earlier run, and the rules that it is judged by.
struct SavedEvidence {
    let evidence: Evidence
    /// The evidence's target, with profile, waivers and lines of the configuration file, if one is named.
    let configuration: Configuration

    /// - Parameter profile: Named on the command line, which wins over the run's.
    init(file: String, config: String?, profile: String? = nil) throws {
        let octets = try Files.read(file).get()
        do {
            evidence = try PreflightRun.evidence(from: octets)
        } catch {
            throw ConfigurationError(file: file, "\(error)")
        }
        var configuration = Configuration(target: evidence.target)
        configuration.profile = evidence.profile
        if let config {
            let read = try Configuration.read(
                config,
                issuer: evidence.target.issuer,
                profile: profile ?? evidence.profile,
                readsSecrets: false
            )
            configuration.profile = read.profile ?? evidence.profile
            configuration.waivers = read.waivers
            configuration.places = read.places
        }
        self.configuration = configuration
    }
}
