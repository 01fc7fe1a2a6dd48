internal import Conformance

/// A value of a profile's `parameters`, as it changes the profile.
struct ReadParameter {
    let name: String
    let place: StrictYAML.Place
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
    /// What a parameter is, and where it goes.
    private enum Member {
        case list(WritableKeyPath<ProfileParameters, [String]>)
        case responseTypes
        case text(WritableKeyPath<ProfileParameters, String>)
        case pattern(WritableKeyPath<ProfileParameters, String>)
        case truth(WritableKeyPath<ProfileParameters, Bool>)
        case endpoints
    }

    private static var members: [(name: String, member: Member)] {
        [
            ("reserved_parameters", .list(\.reservedParameters)), ("consumed_parameters", .list(\.consumedParameters)),
            ("provider_id_pattern", .pattern(\.providerIDPattern)), ("redirect_uri_path", .text(\.redirectURIPath)),
            ("response_types", .responseTypes), ("id_token_algorithms", .list(\.idTokenAlgorithms)),
            ("scopes", .list(\.scopes)), ("claims", .list(\.claims)), ("sends_pkce", .truth(\.sendsPKCE)),
            ("avoids_pkce", .truth(\.avoidsPKCE)), ("subject_claims", .list(\.subjectClaims)),
            ("reads_discovery", .truth(\.readsDiscovery)), ("endpoints", .endpoints), ("issuer", .text(\.issuer)),
        ]
    }

    static func parameters(_ mapping: StrictYAML.Mapping) -> [ReadParameter] {
        members.flatMap { name, member in
            guard let value = mapping[name] else { return [ReadParameter]() }
            if case .endpoints = member { return endpoints(value, hasIssuer: mapping["issuer"] != nil) }
            return [parameter(name, member, value)].compactMap { $0 }
        }
    }

    private static func parameter(_ name: String, _ member: Member, _ value: StrictYAML.Value) -> ReadParameter? {
        switch member {
        case .list(let path): stated(name, value, path, isSet: { !$0.isEmpty }, read: { $0.strings() })
        case .responseTypes: stated(name, value, \.responseTypes, isSet: { !$0.isEmpty }, read: types)
        case .text(let path): stated(name, value, path, isSet: { !$0.isEmpty }, read: { $0.string() })
        case .pattern(let path): stated(name, value, path, isSet: { !$0.isEmpty }, read: { $0.pattern() })
        case .truth(let path): stated(name, value, path, isSet: { _ in true }, read: { $0.boolean() })
        case .endpoints: nil
        }
    }

    private static func stated<Member: Equatable>(
        _ name: String,
        _ stated: StrictYAML.Value,
        _ path: WritableKeyPath<ProfileParameters, Member>,
        isSet: @escaping (Member) -> Bool,
        read: (StrictYAML.Value) -> Member?
    ) -> ReadParameter? {
        var (value, because): (StrictYAML.Value?, String?) = (stated, nil)
        if stated.isMapping, let mapping = stated.mapping() {
            value = mapping.required("value")
            because = mapping.required("because")?.sentence()
        }
        guard let value, let member = read(value) else { return nil }
        return ReadParameter(
            name: name,
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
    private static func endpoints(_ value: StrictYAML.Value, hasIssuer: Bool) -> [ReadParameter] {
        (value.mapping()?.pairs(known: KnownAddress.members) ?? [])
            .compactMap { name, value in
                guard let address = value.string() else { return nil }
                if KnownAddress.isOfOneProvider(address), !hasIssuer {
                    value.report(
                        "“\(address)” belongs to one provider: name its issuer in parameters.issuer, "
                            + "or begin with {issuer}"
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
