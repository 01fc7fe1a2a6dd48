internal import Conformance

/// A profile as one file states it, before composition.
struct ReadProfile {
    var profile: Profile
    var extends: Base?
    /// Sets the parameters that the file names on top of its base's.
    var apply: (ProfileParameters) -> ProfileParameters

    /// The profile that is extended, and where that is written.
    struct Base {
        let name: String
        let file: String
        let place: StrictYAML.Place?
    }
}

/// Reads one profile file.
enum ProfileReader {
    private static let keys = ["name", "title", "extends", "include", "adjust", "parameters", "rules"]

    /// - Parameter checks: Every check that there is, to know a mistyped pattern; `nil` when that is not known.
    static func read(_ text: String, file: String, checks: [CheckID]?) throws(ConfigurationError) -> ReadProfile {
        let root = try StrictYAML.parse(text, file: file)
        root.allow(keys)
        let name = root.required("name")?.string() ?? ""
        let title = root["title"]?.string() ?? name
        let include = (root["include"]?.list() ?? []).compactMap { $0.pattern(among: checks) }
        let adjustments = (root["adjust"]?.list() ?? []).compactMap { adjustment($0, checks) }
        let base = root["extends"]
            .flatMap { value in
                value.string().map { ReadProfile.Base(name: $0, file: file, place: value.place) }
            }
        let rules = root["rules"]?.mapping().map(RuleReader.rules) ?? []
        let parameters = (root["parameters"]?.mapping().map(parameters) ?? []) + rules.map(\.setter)
        try root.reader.finish()
        let apply: (ProfileParameters) -> ProfileParameters = { base in
            var result = base
            for set in parameters { set(&result) }
            return result
        }
        return ReadProfile(
            profile: Profile(
                name: name,
                title: title,
                lineage: [name],
                include: include,
                adjustments: rules.map(\.adjustment) + adjustments,
                parameters: apply(ProfileParameters())
            ),
            extends: base,
            apply: apply
        )
    }

    private static func adjustment(_ value: StrictYAML.Value, _ checks: [CheckID]?) -> Profile.Adjustment? {
        guard let mapping = value.mapping() else { return nil }
        mapping.allow(["check", "level", "drop", "because"])
        let checks = mapping.required("check")?.pattern(among: checks)
        guard let because = mapping.required("because")?.sentence(), let checks else { return nil }
        let level = mapping["level"]?.level()
        return Profile.Adjustment(
            checks: checks,
            level: level,
            drop: mapping["drop"]?.boolean() ?? false,
            because: because
        )
    }

    typealias Setter = (inout ProfileParameters) -> Void

    /// The addresses of a profile; one of a real provider says whose it is, so that it is asked about no other.
    private static func endpoints(_ parameters: StrictYAML.Mapping) -> [Setter] {
        guard let mapping = parameters["endpoints"]?.mapping() else { return [] }
        mapping.allow(KnownAddress.members)
        return mapping.pairs.compactMap { name, value in
            guard let address = value.string() else { return nil }
            if KnownAddress.isOfOneProvider(address), parameters["issuer"] == nil {
                value.report(
                    "“\(address)” belongs to one provider: name its issuer in parameters.issuer, or begin with {issuer}"
                )
            }
            return { $0.endpoints[name] = address }
        }
    }

    private static func parameters(_ mapping: StrictYAML.Mapping) -> [Setter] {
        mapping.allow([
            "reserved_parameters", "provider_id_pattern", "redirect_uri_path", "response_types", "id_token_algorithms",
            "scopes", "claims", "sends_pkce", "avoids_pkce", "subject_claims", "reads_discovery", "endpoints",
            "issuer",
        ])
        var setters: [Setter] = []
        func list(_ key: String, _ path: WritableKeyPath<ProfileParameters, [String]>) {
            if let value = mapping[key]?.strings() { setters.append { $0[keyPath: path] = value } }
        }
        func text(_ key: String, _ path: WritableKeyPath<ProfileParameters, String>) {
            if let value = mapping[key]?.string() { setters.append { $0[keyPath: path] = value } }
        }
        list("reserved_parameters", \.reservedParameters)
        list("response_types", \.responseTypes)
        list("id_token_algorithms", \.idTokenAlgorithms)
        list("scopes", \.scopes)
        list("claims", \.claims)
        list("subject_claims", \.subjectClaims)
        text("provider_id_pattern", \.providerIDPattern)
        text("redirect_uri_path", \.redirectURIPath)
        text("issuer", \.issuer)
        if let value = mapping["sends_pkce"]?.boolean() { setters.append { $0.sendsPKCE = value } }
        if let value = mapping["avoids_pkce"]?.boolean() { setters.append { $0.avoidsPKCE = value } }
        if let value = mapping["reads_discovery"]?.boolean() { setters.append { $0.readsDiscovery = value } }
        return setters + endpoints(mapping)
    }
}

extension StrictYAML.Value {
    /// `error`, `warning` or `notice`.
    func level() -> Level? {
        guard let text = string() else { return nil }
        if let level = Level(rawValue: text) { return level }
        report("“\(path)” must be error, warning or notice, not “\(text)”")
        return nil
    }

    /// A text with something in it: a reason that says nothing is none.
    func sentence() -> String? {
        guard let text = string() else { return nil }
        if text.contains(where: { !$0.isWhitespace }) { return text }
        report("“\(path)” says nothing: write why, for it reaches the report")
        return nil
    }

    /// A pattern that matches one of the checks.
    func pattern(among checks: [CheckID]?) -> CheckPattern? {
        guard let text = string() else { return nil }
        let pattern = CheckPattern(text)
        guard let checks, !checks.contains(where: pattern.matches) else { return pattern }
        report("no check matches “\(text)”" + NearestWord.hint(for: text, among: Self.patterns(of: checks)))
        return nil
    }

    /// What can be meant: every check, and every family of checks.
    private static func patterns(of checks: [CheckID]) -> [String] {
        var families: [String] = []
        for check in checks {
            let words = check.rawValue.split(separator: ".")
            for count in 1..<max(2, words.count) {
                let family = words.prefix(count).joined(separator: ".") + ".*"
                if families.last != family, !families.contains(family) { families.append(family) }
            }
        }
        return families + checks.map(\.rawValue)
    }
}
