internal import Conformance

/// A value of a profile's `parameters`, and how it changes the profile.
struct ReadParameter {
    let name: String
    let place: StrictYAML.Place
    /// Why it differs from the extended profile.
    let because: String?
    let set: ProfileReader.Setter
    /// Whether another profile sets it to a different value.
    let changes: (ProfileParameters) -> Bool

    var setter: ProfileReader.Setter {
        { [name, because, set] in
            set(&$0)
            $0.reasons[name] = because
        }
    }
}

/// Reads the `parameters` of a profile: a value, or a value with the reason why it differs from the extended profile.
enum ParameterReader {
    /// The type of a parameter, and the property that stores it.
    private enum Member {
        case list(WritableKeyPath<ProfileParameters, [String]>)
        case truth(WritableKeyPath<ProfileParameters, Bool>)
        case endpoints
    }

    private static var members: [(name: String, member: Member)] {
        [
            ("consumed_parameters", .list(\.consumedParameters)), ("scopes", .list(\.scopes)),
            ("subject_claims", .list(\.subjectClaims)), ("avoids_pkce", .truth(\.avoidsPKCE)),
            ("reads_discovery", .truth(\.readsDiscovery)), ("endpoints", .endpoints),
        ]
    }

    /// Former parameters, and the rules that replace them.
    private static let moved: [(name: String, rule: PlatformRule.Name)] = [
        ("reserved_parameters", Rule.reservedParameters.name), ("provider_id_pattern", Rule.providerName.name),
        ("redirect_uri_path", Rule.redirectURI.name), ("response_types", Rule.clientResponseTypes.name),
        ("id_token_algorithms", Rule.tokenAlgorithms.name), ("claims", Rule.userClaims.name),
        ("sends_pkce", Rule.pkceIsNotNeeded.name), ("issuer", Rule.issuerOwners.name),
    ]

    /// - Parameter isOfOneProvider: Whether the file names the issuers of one provider.
    static func parameters(_ mapping: StrictYAML.Mapping, isOfOneProvider: Bool) -> [ReadParameter] {
        for (name, rule) in moved {
            mapping.former(name)?
                .report(
                    "“parameters.\(name)” is now a rule: move it to “rules” as \(rule), with value, because and source"
                )
        }
        return members.flatMap { name, member in
            guard let value = mapping[name] else { return [ReadParameter]() }
            if case .endpoints = member { return endpoints(value, isOfOneProvider: isOfOneProvider) }
            return [parameter(name, member, value)].compactMap { $0 }
        }
    }

    private static func parameter(_ name: String, _ member: Member, _ value: StrictYAML.Value) -> ReadParameter? {
        switch member {
        case .list(let path): stated(name, value, path, isSet: { !$0.isEmpty }, read: { $0.strings() })
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

    /// The endpoints of a profile; those of a real provider require a rule with its issuer, so that they serve no other issuer.
    private static func endpoints(_ value: StrictYAML.Value, isOfOneProvider: Bool) -> [ReadParameter] {
        (value.mapping()?.pairs(known: KnownAddress.members) ?? [])
            .compactMap { name, value in
                guard let address = value.string() else { return nil }
                if KnownAddress.isOfOneProvider(address), !isOfOneProvider {
                    value.report(
                        "“\(address)” belongs to one provider: name its issuer in the rule issuer.is-the-providers, "
                            + "or start the address with {issuer}"
                    )
                }
                // A different endpoint disables no check, so it needs no reason.
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
