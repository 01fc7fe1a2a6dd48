internal import Conformance

/// A value of a profile's `parameters`, as it changes the profile.
struct ReadParameter {
    let name: String
    let place: StrictYAML.Place?
    /// Why it is not what the extended profile says.
    let because: String?
    let set: ProfileReader.Setter
    /// Whether another profile states it, and otherwise.
    let changes: (ProfileParameters) -> Bool

    var setter: ProfileReader.Setter {
        { [name, because, set] in
            set(&$0)
            $0.reasons[name] = because
        }
    }
}

/// Reads the `parameters` of a profile: a value, or a value with the reason why it is not the extended profile's.
enum ParameterReader {
    private static let keys = [
        "reserved_parameters", "consumed_parameters", "provider_id_pattern", "redirect_uri_path", "response_types",
        "id_token_algorithms",
        "scopes", "claims", "sends_pkce", "avoids_pkce", "subject_claims", "reads_discovery", "endpoints",
        "issuer",
    ]

    static func parameters(_ mapping: StrictYAML.Mapping) -> [ReadParameter] {
        mapping.allow(keys)
        let lists: [(String, WritableKeyPath<ProfileParameters, [String]>)] = [
            ("reserved_parameters", \.reservedParameters), ("consumed_parameters", \.consumedParameters),
            ("response_types", \.responseTypes),
            ("id_token_algorithms", \.idTokenAlgorithms), ("scopes", \.scopes), ("claims", \.claims),
            ("subject_claims", \.subjectClaims),
        ]
        let texts: [(String, WritableKeyPath<ProfileParameters, String>)] = [
            ("provider_id_pattern", \.providerIDPattern), ("redirect_uri_path", \.redirectURIPath),
            ("issuer", \.issuer),
        ]
        let truths: [(String, WritableKeyPath<ProfileParameters, Bool>)] = [
            ("sends_pkce", \.sendsPKCE), ("avoids_pkce", \.avoidsPKCE), ("reads_discovery", \.readsDiscovery),
        ]
        return lists.compactMap { key, path in
            stated(key, mapping, path, isSet: { !$0.isEmpty }) { key == "response_types" ? types($0) : $0.strings() }
        }
            + texts.compactMap { key, path in
                stated(key, mapping, path, isSet: { !$0.isEmpty }) {
                    key == "provider_id_pattern" ? $0.pattern() : $0.string()
                }
            } + truths.compactMap { key, path in stated(key, mapping, path, isSet: { _ in true }) { $0.boolean() } }
            + endpoints(mapping)
    }

    private static func stated<Member: Equatable>(
        _ key: String,
        _ parameters: StrictYAML.Mapping,
        _ path: WritableKeyPath<ProfileParameters, Member>,
        isSet: @escaping (Member) -> Bool,
        read: (StrictYAML.Value) -> Member?
    ) -> ReadParameter? {
        guard let stated = parameters[key] else { return nil }
        var (value, because): (StrictYAML.Value?, String?) = (stated, nil)
        if stated.isMapping, let mapping = stated.mapping() {
            mapping.allow(["value", "because"])
            value = mapping.required("value")
            because = mapping.required("because")?.sentence()
        }
        guard let value, let member = read(value) else { return nil }
        return ReadParameter(
            name: key,
            place: value.place,
            because: because,
            set: { $0[keyPath: path] = member },
            changes: { isSet($0[keyPath: path]) && $0[keyPath: path] != member }
        )
    }

    private static func types(_ value: StrictYAML.Value) -> [String]? {
        let known = ResponseType.known.map(\.description)
        return value.list()?
            .compactMap { value in
                guard let text = value.string() else { return nil }
                if ResponseType.known.contains(ResponseType(text)) { return text }
                value.report("“\(text)” is no response type" + NearestWord.hint(for: text, among: known))
                return nil
            }
    }

    /// The addresses of a profile; one of a real provider says whose it is, so that it is asked about no other.
    private static func endpoints(_ parameters: StrictYAML.Mapping) -> [ReadParameter] {
        guard let mapping = parameters["endpoints"]?.mapping() else { return [] }
        mapping.allow(KnownAddress.members)
        return mapping.pairs.compactMap { name, value in
            guard let address = value.string() else { return nil }
            if KnownAddress.isOfOneProvider(address), parameters["issuer"] == nil {
                value.report(
                    "“\(address)” belongs to one provider: name its issuer in parameters.issuer, or begin with {issuer}"
                )
            }
            // Another address is another place to ask, and silences nothing.
            return ReadParameter(
                name: "endpoints.\(name)",
                place: value.place,
                because: nil,
                set: { $0.endpoints[name] = address },
                changes: { _ in false }
            )
        }
    }
}
