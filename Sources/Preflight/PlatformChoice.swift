package import Conformance
package import Profiles
package import Registering

/// The rules for a registration at a platform, and the configuration that it requires.
package struct PlatformChoice: Sendable {
    let platform: RegistrationPlatform
    /// The profile's name or file.
    package let profile: String
    /// Whether there is no profile for the platform, so that ``profile`` replaces it.
    package let isSubstitute: Bool

    /// Chooses the named profile, else the configured one if it extends the platform's, else the platform's.
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
        let configured = configuration.profile.map(JointRun.profiles) ?? []
        let own = platform.profiles(for: configuration.target).first(where: builtIn.contains)
        isSubstitute = named == nil && own == nil
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

    /// A profile and those that it extends; empty if it cannot be read, so that the platform's own profile is used.
    private static func lineage(of name: String, _ target: Target, _ environment: Environment) -> [String] {
        let configuration = Configuration(target: target)
        var options = RunOptions()
        options.tier = .full
        let run = try? PreflightRun(configuration, options, profile: name, environment)
        return run?.plan.profile.lineage ?? []
    }

    /// A run with all checks of these rules: a manual selection must not open the gate.
    ///
    /// - Parameter tier: The tier of saved evidence; `nil` for a live run.
    package func run(
        _ configuration: Configuration,
        tier: Tier?,
        _ environment: Environment
    ) throws(ConfigurationError) -> PreflightRun {
        var options = RunOptions()
        options.tier = tier
        return try PreflightRun(configuration, options, profile: profile, environment)
    }

    /// Throws everything that is missing in the configuration for this platform.
    ///
    /// - Parameters:
    ///   - run: A run by these rules.
    ///   - file: The configuration's file, for messages.
    ///   - isOver: Whether saved evidence is used, so that no sign-in is needed.
    ///   - isForced: Whether the registration is written even if the gate is not open.
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
                "\(foreign): its gate does not apply here. Omit the option, or specify a file that extends it"
            )
        }
        var demands = platform.demands(
            target,
            reserved: rules.parameters[.reservedParameters] ?? [],
            isForced: isForced
        )
        let missing = run.configuration.missing(for: .full)
        if !isOver, !missing.isEmpty {
            demands.append("a registration must be proven by a sign-in: add \(missing.joined(separator: ", "))")
        }
        if !demands.isEmpty { throw ConfigurationError(demands.map { Problem(file: file, message: $0) }) }
    }
}
