package import Conformance
import Synchronization

/// The built-in profiles and profiles from files, composed along `extends`.
package struct ProfileLibrary: Sendable {
    /// The built-in profiles: the YAML files of the folder `Profiles`, the default first and then in the order of their names.
    package static let builtIn =
        builtInProfiles.filter { $0.name == defaultName } + builtInProfiles.filter { $0.name != defaultName }

    /// The profile used when none is named.
    package static let defaultName = "openid"

    /// The profiles of platforms at which any OpenID Provider can be registered; `all` means these.
    ///
    /// It leaves out rules of no single platform, platforms that accept one provider alone, and those that need a
    /// configuration of their own (`resource`).
    private static let platforms: [Profile] = {
        let library = ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no such file")
        }
        return builtIn.compactMap { try? library.profile($0.name) }
            .filter { profile in
                let parameters = profile.parameters
                return profile.platform != nil && parameters.owner == nil && parameters.readsDiscovery
                    && !parameters.states(.resourceIsNamed)
            }
    }()

    /// The profiles that `all` means, or `all:NAME`, those among them that extend NAME; `nil` for any other name, and if there
    /// are none.
    package static func members(of name: String) -> [String]? {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == "all" else { return nil }
        let family = parts.dropFirst().first.map(String.init)
        let members = platforms.filter { family.map($0.lineage.dropFirst().contains) ?? true }.map(\.name)
        return members.isEmpty ? nil : members
    }

    private let checks: [CheckID]?
    private let readFile: @Sendable (String) throws(ConfigurationError) -> [UInt8]

    /// - Parameters:
    ///   - checks: All checks; a pattern that matches none of them is a mistake. With `nil`, patterns are not verified.
    ///   - readFile: Returns the bytes of a file, for profiles that are named by their path.
    package init(
        checks: [CheckID]? = nil,
        readFile: @escaping @Sendable (String) throws(ConfigurationError) -> [UInt8]
    ) {
        self.checks = checks
        self.readFile = readFile
    }

    /// The composed profile of a built-in name, or of a file: anything with a `/` or ending in `.yaml` or `.yml`.
    package func profile(_ name: String) throws(ConfigurationError) -> Profile {
        try compose(name, asked: nil, seen: [])
    }

    /// - Parameter asked: The place of the `extends` that names the profile; `nil` for the profile that the user named.
    private func compose(
        _ name: String,
        asked: ReadProfile.Base?,
        seen: [String]
    ) throws(ConfigurationError) -> Profile {
        if let known = Self.composed.withLock({ $0[name] }) { return known }
        if seen.contains(name) {
            let circle = (seen + [name]).joined(separator: " → ")
            throw Self.error("profiles extend each other in a circle: \(circle)", asked, else: name)
        }
        let source = try source(name, asked)
        let own = try ProfileReader.read(source.bytes, file: source.file, checks: checks)
        var profile = own.profile
        if let base = own.extends {
            let extended = try compose(Self.beside(source.file, base.name), asked: base, seen: seen + [name])
            try own.explain(changesOf: extended.parameters, of: extended.name, in: source.file)
            profile = extended.extended(by: own)
        }
        if checks != nil, !Self.isFile(name) { Self.composed.withLock { $0[name] = profile } }
        return profile
    }

    /// The built-in profiles whose patterns were verified before: a run of many targets needs each of them for every target.
    private static let composed = Mutex<[String: Profile]>([:])

    /// A relative path is resolved against the file that names it, not against the working folder.
    private static func beside(_ file: String, _ name: String) -> String {
        isFile(name) && isFile(file) ? RelativePath.beside(file, name) : name
    }

    /// Whether a name is that of a file.
    package static func isFile(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    private func source(
        _ name: String,
        _ asked: ReadProfile.Base?
    ) throws(ConfigurationError) -> (bytes: [UInt8], file: String) {
        if let known = Self.builtIn.first(where: { $0.name == name }) {
            return (Array(known.yaml.utf8), "profile \(name)")
        }
        if let problem = Self.problem(ofName: name) { throw Self.error(problem, asked, else: "profile") }
        do {
            return (try readFile(name), name)
        } catch {
            throw asked == nil ? error : Self.error(error.description, asked, else: name)
        }
    }

    /// Why no profile has a name, with the nearest name; `nil` for a built-in name and for a file.
    package static func problem(ofName name: String) -> String? {
        guard !isFile(name), !builtIn.contains(where: { $0.name == name }) else { return nil }
        let names = builtIn.map(\.name)
        // A typo in the first word of a name, as in “firebsae”, is further from the whole name.
        let word = NearestWord.of(name, among: names.compactMap { $0.split(separator: "-").first.map(String.init) })
        let meant = names.filter { word == $0.split(separator: "-").first.map(String.init) }.prefix(5)
        let near = NearestWord.of(name, among: names).map { [$0] } ?? Array(meant)
        let hint = near.isEmpty ? "" : "; did you mean \(near.map { "“\($0)”" }.joined(separator: " or "))?"
        return "there is no profile “\(name)”\(hint)\(hint.hasSuffix("?") ? "" : ".") "
            + "oidc-preflight profiles lists the profiles; for your own profile, give its path (…/mine.yaml)"
    }

    /// A problem at the place of an `extends`, or with the name that the user gave.
    private static func error(_ message: String, _ asked: ReadProfile.Base?, else name: String) -> ConfigurationError {
        ConfigurationError([
            Problem(
                file: asked?.file ?? name,
                line: asked?.place.line,
                column: asked?.place.column,
                message: message
            )
        ])
    }
}

extension ReadProfile {
    /// Throws if a parameter differs from the extended profile without a reason: it may disable checks, and the report must say why.
    fileprivate func explain(
        changesOf base: ProfileParameters,
        of name: String,
        in file: String
    ) throws(ConfigurationError) {
        let problems = parameters.filter { $0.because == nil && $0.changes(base) }
            .map { parameter in
                Problem(
                    file: file,
                    line: parameter.place.line,
                    column: parameter.place.column,
                    message: "“parameters.\(parameter.name)” differs from \(name): give the reason, as in "
                        + "\(parameter.name): { value: …, because: … }"
                )
            }
        if !problems.isEmpty { throw ConfigurationError(ofOneFile: problems) }
    }
}

extension Profile {
    /// This profile with the additions and changes of another.
    fileprivate func extended(by own: ReadProfile) -> Profile {
        Profile(
            name: own.profile.name,
            title: own.profile.title,
            knownFrom: own.profile.knownFrom ?? knownFrom,
            lineage: [own.profile.name] + lineage,
            include: include + own.profile.include,
            adjustments: adjustments + own.profile.adjustments,
            parameters: own.apply(parameters),
            uses: own.profile.uses.map { (uses ?? [:]).merging($0) { $1 } } ?? uses
        )
    }
}
