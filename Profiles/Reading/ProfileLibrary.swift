package import Conformance

/// The built-in profiles, and profiles from files; composed along `extends`.
package struct ProfileLibrary: Sendable {
    /// The built-in profiles by name, in the order in which they are listed.
    package static let builtIn: [(name: String, yaml: String)] = [
        ("openid", text(PackageResources.openid_yaml)),
        ("firebase-oidc", text(PackageResources.firebase_oidc_yaml)),
        ("firebase-github", text(PackageResources.firebase_github_yaml)),
        ("firebase-microsoft", text(PackageResources.firebase_microsoft_yaml)),
        ("firebase-yahoo", text(PackageResources.firebase_yahoo_yaml)),
        ("firebase-twitter", text(PackageResources.firebase_twitter_yaml)),
        ("x-oauth2", text(PackageResources.x_oauth2_yaml)),
        ("spa", text(PackageResources.spa_yaml)),
    ]

    /// The profile used when none is named.
    package static let defaultName = "openid"

    private let readFile: @Sendable (String) throws(ConfigurationError) -> String

    /// - Parameter readFile: Gives the text of a file, for profiles that are named by their path.
    package init(readFile: @escaping @Sendable (String) throws(ConfigurationError) -> String) {
        self.readFile = readFile
    }

    /// The composed profile of a built-in name, or of a file: anything with a `/` or ending in `.yaml` or `.yml`.
    package func profile(_ name: String) throws(ConfigurationError) -> Profile {
        try compose(name, seen: [])
    }

    private func compose(_ name: String, seen: [String]) throws(ConfigurationError) -> Profile {
        if seen.contains(name) {
            throw ConfigurationError(
                file: name,
                "profiles extend each other in a circle: \((seen + [name]).joined(separator: " → "))"
            )
        }
        let source = try source(name)
        let own = try ProfileReader.read(source.text, file: source.file)
        guard let base = own.extends else { return own.profile }
        return try compose(base, seen: seen + [name]).extended(by: own)
    }

    private func source(_ name: String) throws(ConfigurationError) -> (text: String, file: String) {
        if let known = Self.builtIn.first(where: { $0.name == name }) { return (known.yaml, "profile \(name)") }
        if name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return (try readFile(name), name) }
        throw ConfigurationError(
            file: "profile",
            "no profile is called “\(name)”" + NearestWord.hint(for: name, among: Self.builtIn.map(\.name))
                + "; a profile of your own is named by its file (…/mine.yaml)"
        )
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension Profile {
    /// This profile with what another one adds and changes.
    fileprivate func extended(by own: ReadProfile) -> Profile {
        Profile(
            name: own.profile.name,
            title: own.profile.title,
            lineage: [own.profile.name] + lineage,
            include: include + own.profile.include,
            adjustments: adjustments + own.profile.adjustments,
            parameters: own.apply(parameters)
        )
    }
}
