internal import CommandTable
internal import Conformance
internal import Console
internal import Fleet
internal import Preflight
internal import Profiles

/// Helpers shared by the commands for batch runs.
enum FleetLists {
    /// Reads a list, or the targets of a configuration.
    ///
    /// - Parameter allowed: The issuers and hosts that may receive secrets; empty for any.
    static func read(_ file: String, tier: Tier, allowing allowed: [String]) throws -> IssuerList {
        let list = try read(file, tier, allowed)
        let problems = list.entries.flatMap { entry -> [Problem] in
            do throws(ConfigurationError) {
                try Configuration.demand(issuer: entry.issuer, file: list.file, line: entry.line, isAmong: allowed)
                return []
            } catch {
                return error.problems
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems) }
        return list
    }

    private static func read(_ file: String, _ tier: Tier, _ allowed: [String]) throws -> IssuerList {
        let form = file == "-" ? .text : IssuerList.Form(file: file)
        if form == .targets {
            let targets = try Configuration.read(
                file,
                targets: [],
                profile: nil,
                readsSecrets: tier > .static,
                isFilledIn: true,
                allowing: allowed
            )
            return try IssuerList(
                file: file,
                entries: targets.map { target in
                    IssuerList.Entry(
                        issuer: target.target.issuer,
                        configuration: file,
                        target: target.name,
                        line: target.places["issuer"]?.line ?? 1
                    )
                }
            )
        }
        let bytes: [UInt8]
        switch Files.read(file, as: .list) {
        case .success(let read): bytes = read
        case .failure(let error): throw meant(file).map { ConfigurationError(file: file, error.reason + $0) } ?? error
        }
        return try IssuerList.read(
            bytes,
            file: file == "-" ? "standard input" : file,
            form: form,
            problem: Configuration.problem(ofIssuer:)
        )
    }

    /// A suggestion for a word that is not a file; `nil` for a path.
    private static func meant(_ word: String) -> String? {
        guard !word.contains(where: { "./-".contains($0) }) else { return nil }
        let commands = FleetCommand.command.subcommands.map(\.name)
        let near = ["run", "check", "start"].contains(word) ? "judge" : NearestWord.of(word, among: commands)
        return near.map { "; did you mean “fleet \($0)”?" }
    }

    /// The exit code of a batch: a closed gate takes precedence over inconclusive and missing results.
    ///
    /// - Parameter hasGate: Whether gates count; otherwise only missing results do.
    static func exitCode(_ counts: Journal.Counts, left: Int, hasGate: Bool) -> Int {
        if !hasGate { return left > 0 ? 2 : 0 }
        return counts.closed > 0 ? 1 : counts.inconclusive > 0 || left > 0 ? 2 : 0
    }

    /// Adds results files to a database; false, with an error message, if that failed.
    static func add(_ files: [String], to database: String) -> Bool {
        do {
            try Files.demandRegular(database)
            let store = try FleetStore(database)
            try store.add { add in for file in files { try FleetMerge.read(file) { line, _ in try add(line) } } }
            return true
        } catch {
            Terminal.complain("The results were not added to \(database): \(error)")
            return false
        }
    }
}

/// The runs of a list: one for each profile and configuration.
final class FleetTemplates {
    private let invocation: Invocation
    private let tier: Tier
    private let asksOnce: Bool
    private let maxTime: Double
    /// Each configuration is read once, however many lines name it.
    private var read: [String: [Configuration]] = [:]

    init(_ invocation: Invocation, tier: Tier, asksOnce: Bool, maxTime: Double) {
        self.invocation = invocation
        self.tier = tier
        self.asksOnce = asksOnce
        self.maxTime = maxTime
    }

    /// The options, besides the list, that affect the results.
    var digest: String {
        let selection = invocation.selection()
        let parts = [
            tier.rawValue, "\(asksOnce)", invocation[Options.profile] ?? "", invocation[Options.failOn].rawValue,
            "\(selection.only.map { "\($0)" })", "\(selection.skip.map { "\($0)" })",
        ]
        return (parts + invocation[Options.allowIssuer]).joined(separator: "\u{1F}")
    }

    /// - Throws: The problems, with the line of the list.
    func run(for entry: IssuerList.Entry, in file: String) throws -> JointRun {
        do {
            return try joint(entry)
        } catch let error as ConfigurationError {
            let words = error.problems.map(\.description).joined(separator: "; ")
            throw ConfigurationError([Problem(file: file, line: entry.line, message: words)])
        }
    }

    private func joint(_ entry: IssuerList.Entry) throws -> JointRun {
        var configuration = try configuration(entry)
        configuration.target.issuer = entry.issuer
        try configuration.route(by: invocation)
        configuration.limits =
            Configuration.Limits(
                requests: invocation[Options.maxRequests],
                seconds: maxTime,
                bytes: invocation[Options.maxBytes]
            )
            .or(configuration.limits)
        let missing = configuration.missing(for: tier).joined(separator: ", ")
        guard missing.isEmpty else {
            throw ConfigurationError(
                file: "--tier \(tier.rawValue)",
                "\(entry.configuration ?? "the line names no configuration and") lacks \(missing)"
            )
        }
        let list = entry.profile ?? invocation[Options.profile] ?? configuration.profile ?? ProfileLibrary.defaultName
        var options = RunOptions()
        options.profiles = try JointRun.profiles(stated: list, at: "profile")
        options.tier = tier
        options.threshold = invocation[Options.failOn]
        options.selection = invocation.selection()
        options.asksOnce = asksOnce
        return try JointRun(configuration, options, Files.environment)
    }

    private func configuration(_ entry: IssuerList.Entry) throws -> Configuration {
        let allowed = invocation[Options.allowIssuer]
        guard let file = entry.configuration else {
            var configuration = Configuration(target: Target(issuer: entry.issuer))
            configuration.allow(issuers: allowed)
            return configuration
        }
        let all: [Configuration]
        if let known = read[file] {
            all = known
        } else {
            all = try Configuration.read(
                file,
                targets: [],
                profile: nil,
                readsSecrets: tier > .static,
                needsIssuer: entry.target != nil,
                allowing: allowed,
                isListed: true
            )
            read[file] = all
        }
        if let target = entry.target, let one = all.first(where: { $0.name == target }) { return one }
        guard all.count == 1 else {
            throw ConfigurationError(
                file: file,
                "it has \(all.count) targets: use a configuration with a single target, or pass this one as the list"
            )
        }
        return all[0]
    }
}
