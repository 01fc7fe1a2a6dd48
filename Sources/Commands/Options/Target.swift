internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

internal import struct OIDCPreflight.PreparedRuns

extension Configuration {
    /// The file that is read if the command line names neither a file nor an issuer.
    static let defaultFile = "preflight.yaml"

    /// The configurations that the command line names, one for each target, or one with the issuer alone.
    ///
    /// - Parameters:
    ///   - profile: The profile named on the command line.
    ///   - readsSecrets: False for commands that send nothing.
    ///   - driver: The sign-in driver from the command line.
    static func stated(
        _ invocation: Invocation,
        profile: String? = nil,
        readsSecrets: Bool = true,
        driver: PageDriver? = nil
    ) throws(ConfigurationError) -> [Configuration] {
        let issuer = invocation[Options.issuer]
        let targets = invocation.targets
        let allowed = invocation[Options.allowIssuer]
        if let issuer { try demand(issuer: issuer, file: Tool.name, isAmong: allowed) }
        if let file = file(of: invocation) {
            return try read(
                file,
                targets: targets,
                issuer: issuer,
                profile: profile,
                readsSecrets: readsSecrets,
                driver: driver,
                allowing: allowed
            )
        }
        if !targets.isEmpty {
            throw ConfigurationError(
                file: "--target",
                "it selects a target of a configuration: specify the configuration with --config"
            )
        }
        guard let issuer else {
            throw ConfigurationError(
                file: Tool.name,
                "specify an issuer (oidc-preflight check https://idp.example.com) or a --config file"
            )
        }
        var configuration = Configuration(target: Target(issuer: issuer))
        configuration.allow(issuers: allowed)
        return [configuration]
    }

    /// The only configuration that the command line names, for commands with a single target.
    static func only(
        _ invocation: Invocation,
        profile: String? = nil,
        driver: PageDriver? = nil
    ) throws(ConfigurationError) -> Configuration {
        let all = try stated(invocation, profile: profile, driver: driver)
        guard all.count == 1 else {
            throw ConfigurationReader.severalTargets(all.compactMap(\.name), file: file(of: invocation) ?? defaultFile)
        }
        return all[0]
    }

    /// The named file, or the default file if it exists and no issuer is named.
    static func file(of invocation: Invocation) -> String? {
        let isFound = invocation[Options.issuer] == nil && Files.exists(defaultFile)
        return invocation[Options.config] ?? (isFound ? defaultFile : nil)
    }

    static func read(
        _ file: String,
        targets: [String],
        issuer: String? = nil,
        profile: String?,
        readsSecrets: Bool,
        needsIssuer: Bool = true,
        driver: PageDriver? = nil,
        isFilledIn: Bool? = nil,
        allowing allowedIssuers: [String] = [],
        isListed: Bool = false
    ) throws(ConfigurationError) -> [Configuration] {
        let reader = ConfigurationReader(
            Files.environment,
            readsSecrets: readsSecrets,
            needsIssuer: needsIssuer,
            driver: driver,
            isFilledIn: isFilledIn,
            allowedIssuers: allowedIssuers
        )
        return try read(
            file,
            as: isListed ? .listedConfiguration : .configuration,
            by: reader,
            Files.environment,
            targets: targets,
            issuer: issuer,
            profile: profile
        )
    }

    /// Applies the connection options.
    mutating func route(by invocation: Invocation) throws(ConfigurationError) {
        try route(
            caFile: invocation[Options.caFile],
            resolve: invocation[Options.resolve],
            connectTo: invocation[Options.connectTo],
            problem: Files.environment.problem(ofAuthorities:)
        )
    }
}

extension Configuration {
    /// The tier that the command line names, if it names one: the configuration must have the means for it.
    func tier(statedBy invocation: Invocation) throws(ConfigurationError) -> Tier? {
        guard let tier = invocation[Options.tier] else { return nil }
        try demandMeans(for: tier, readFrom: Self.file(of: invocation))
        return tier
    }

    /// Applies the sign-in driver, for commands that sign in.
    mutating func drive(by invocation: Invocation) throws(ConfigurationError) {
        try drive(
            by: invocation[Options.driver],
            in: invocation[Options.browser],
            isShown: invocation[Options.showBrowser],
            asking: ManualUser.user(opens: !invocation[Options.noOpen])
        )
    }

    /// Applies the limits of a run.
    mutating func limit(by invocation: Invocation) {
        if let most = invocation[Options.maxSignIns] { maxSignIns = most }
        limits = Limits(
            requests: invocation[Options.maxRequests],
            seconds: invocation[Options.maxTime],
            bytes: invocation[Options.maxBytes]
        )
        .or(limits)
    }
}

extension PreparedRuns {
    /// A run for each target, for one platform or several; the command line overrides the configuration file.
    init(
        _ invocation: Invocation,
        _ options: RunOptions,
        album: PageAlbum? = nil,
        readsSecrets: Bool = true,
        signsIn: Bool = false
    ) throws(ConfigurationError) {
        var targets = try Configuration.prepared(invocation, options, readsSecrets: readsSecrets, signsIn: signsIn)
        for place in targets.indices { targets[place].configuration.keepScreenshots(in: album) }
        try self.init(targets, Files.environment)
    }
}

extension Configuration {
    /// The configuration and options of each target; the command line overrides the configuration file.
    ///
    /// - Parameters:
    ///   - options: The common options; the tier of the command line must be possible for each target.
    ///   - signsIn: Whether the command line may set the sign-in driver.
    static func prepared(
        _ invocation: Invocation,
        _ options: RunOptions,
        readsSecrets: Bool = true,
        signsIn: Bool
    ) throws(ConfigurationError) -> [(configuration: Configuration, options: RunOptions)] {
        try stated(
            invocation,
            profile: invocation[Options.profile],
            readsSecrets: readsSecrets,
            driver: signsIn ? invocation[Options.driver] : nil
        )
        .map { configuration throws(ConfigurationError) in
            var (configuration, options) = (configuration, options)
            try configuration.route(by: invocation)
            configuration.limit(by: invocation)
            if signsIn { try configuration.drive(by: invocation) }
            if let resource = invocation[Options.resource] {
                try configuration.name(resource: resource, at: "--resource")
            }
            options.tier = try configuration.tier(statedBy: invocation)
            return (configuration, options)
        }
    }
}

extension RunOptions {
    /// The check options of the command line.
    ///
    /// - Parameter only: The checks if the command line names none.
    init(_ invocation: Invocation, only: [CheckPattern] = []) throws(ConfigurationError) {
        self.init()
        if let list = invocation[Options.profile] { profiles = try JointRun.profiles(stated: list, at: "--profile") }
        threshold = invocation[Options.failOn]
        selection = invocation.selection(only: only)
    }
}

extension Invocation {
    /// The selected targets; empty for all.
    var targets: [String] { self[Options.target].flatMap(JointRun.names) }

    /// The selected checks.
    ///
    /// - Parameter only: The checks for the input documents, if the command line names none.
    func selection(only: [CheckPattern] = []) -> Selection {
        let named = self[Options.only]
        var selection =
            named.isEmpty && !only.isEmpty
            ? Selection(ofOfflineInput: only, skip: self[Options.skip])
            : Selection(only: named, skip: self[Options.skip])
        if let variable = variables[Options.skip.declaration.name] { selection.skipSource = variable }
        if !named.isEmpty, let variable = variables[Options.only.declaration.name] { selection.onlySource = variable }
        return selection
    }
}
