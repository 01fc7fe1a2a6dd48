/// An address of the provider that is not from a discovery document, with its source.
package struct KnownAddress: Sendable, Hashable, Codable {
    package enum Source: String, Sendable, Codable {
        /// `endpoints` of the configuration.
        case configuration
        /// `parameters.endpoints` of the profile: what the platform knows by itself.
        case profile
    }

    /// The name of the metadata member that would contain it: `token_endpoint`.
    package var member: String
    package var address: String
    package var source: Source

    package init(member: String, address: String, source: Source) {
        self.member = member
        self.address = address
        self.source = source
    }

    /// The endpoints whose address a configuration or a profile can set, in the order of reports.
    ///
    /// The first are members of OpenID Connect Discovery and RFC 8414; the last name what no specification does.
    package static let members = [
        "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint",
        "introspection_endpoint", "end_session_endpoint", "registration_endpoint",
        "pushed_authorization_request_endpoint",
        // The provider's own API for the signed-in user, and the list of that user's e-mail addresses.
        "user_api_endpoint", "user_emails_endpoint",
        // Those of OAuth 1.0 (RFC 5849 section 2).
        "request_token_endpoint", "authenticate_endpoint", "access_token_endpoint",
    ]

    /// The addresses that are known without a discovery document: the configuration's, then the profile's.
    ///
    /// `{issuer}` at the beginning of an address of a profile means the issuer. Any other address there belongs to one real
    /// provider: it is used only if that provider is checked, so that no credentials and no token go elsewhere.
    package static func all(_ target: Target, _ parameters: ProfileParameters) -> [KnownAddress] {
        let stated = target.endpoints ?? [:]
        let others = Set(stated.keys).union(parameters.endpoints.keys).subtracting(members).sorted()
        return (members + others)
            .compactMap { member in
                if let address = stated[member] {
                    return KnownAddress(member: member, address: address, source: .configuration)
                }
                guard let pattern = parameters.endpoints[member] else { return nil }
                return resolved(pattern, target.issuer, parameters)
                    .map { KnownAddress(member: member, address: $0, source: .profile) }
            }
    }

    private static func resolved(_ pattern: String, _ issuer: String, _ parameters: ProfileParameters) -> String? {
        guard isOfOneProvider(pattern) else {
            return pattern.replacing("{issuer}", with: WellKnown.withoutSlash(issuer))
        }
        guard let owner = parameters.owner else { return nil }
        return issuer == owner || (owner.hasSuffix("/") && issuer.hasPrefix(owner)) ? pattern : nil
    }

    /// Whether an address of a profile is that of one real provider, and not made from the issuer.
    package static func isOfOneProvider(_ pattern: String) -> Bool { !pattern.hasPrefix("{issuer}") }
}

extension Plan {
    /// The addresses that are known without a discovery document.
    package var knownAddresses: [KnownAddress] { KnownAddress.all(target, profile.parameters) }
}
