package import Conformance
package import Profiles
package import Registering

/// By whose rules a registration at a platform is judged, and what it takes before anything is sent.
package struct PlatformChoice: Sendable {
    package let platform: RegistrationPlatform
    /// The profile's name or file.
    package let profile: String
    /// Whether no profile knows the platform's rules, so that ``profile`` stands in for one.
    package let isStandIn: Bool

    /// Chooses the profile that is named, or the platform's own, or the configured one when it is built on the platform's own.
    ///
    /// - Parameter named: On the command line.
    package init(
        _ platform: RegistrationPlatform,
        named: String?,
        _ configuration: Configuration,
        _ environment: Environment
    ) {
        self.platform = platform
        let builtIn = ProfileLibrary.builtIn.map(\.name)
        let configured = configuration.profile.map(JointRun.names) ?? []
        let own = platform.profiles(for: configuration.target).first(where: builtIn.contains)
        isStandIn = named == nil && own == nil
        if let named {
            profile = named
        } else if let own {
            let isBuiltOnIt = { (name: String) in
                Self.lineage(of: name, configuration.target, environment).contains(own)
            }
            profile = configured.first(where: isBuiltOnIt) ?? own
        } else {
            profile = configured.first ?? ProfileLibrary.defaultName
        }
    }

    /// A profile and those that it extends; none when it cannot be read: then the platform's own rules are gone by.
    private static func lineage(of name: String, _ target: Target, _ environment: Environment) -> [String] {
        let configuration = Configuration(target: target)
        var options = RunOptions()
        options.tier = .full
        let run = try? PreflightRun(configuration, options, profile: name, environment)
        return run?.plan.profile.lineage ?? []
    }

    /// A run by these rules with every check of them: what is chosen by hand opens no gate here.
    ///
    /// - Parameter tier: That of saved evidence; `nil` for a run that is to be held.
    package func run(
        _ configuration: Configuration,
        tier: Tier?,
        _ environment: Environment
    ) throws(ConfigurationError) -> PreflightRun {
        var options = RunOptions()
        options.tier = tier
        return try PreflightRun(configuration, options, profile: profile, environment)
    }

    /// Throws everything that the configuration lacks for this platform.
    ///
    /// - Parameters:
    ///   - run: A run by these rules.
    ///   - file: The configuration's file, for messages.
    ///   - isOver: Whether saved evidence is judged, so that nobody has to sign in.
    ///   - isForced: Whether it is written even though the gate may not be open.
    package func demand(
        of run: PreflightRun,
        file: String,
        isOver: Bool,
        isForced: Bool
    ) throws(ConfigurationError) {
        let target = run.configuration.target
        let rules = run.plan.profile
        if !isForced, let foreign = platform.foreignRules(rules.name, rules.lineage, for: target) {
            throw ConfigurationError(
                file: "--profile",
                "\(foreign): its open gate would say nothing. Leave it out, or name a file that extends it"
            )
        }
        var demands = platform.demands(
            target,
            reserved: rules.parameters[.reservedParameters] ?? [],
            isForced: isForced
        )
        let missing = run.configuration.missing(for: .full)
        if !isOver, !missing.isEmpty {
            demands.append("what is registered must be proven by a sign-in: add \(missing.joined(separator: ", "))")
        }
        if !demands.isEmpty { throw ConfigurationError(demands.map { Problem(file: file, message: $0) }) }
    }
}
