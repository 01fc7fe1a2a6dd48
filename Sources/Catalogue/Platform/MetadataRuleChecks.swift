package import Conformance
import JSONTree

/// Platform rules about the discovery document beyond the specifications.
package enum MetadataRuleChecks {
    static let membersArePresent = RuledChecks.check(
        .metadataMembers,
        "The discovery document has the members that the platform reads",
        .signIn,
        why: "The platform rejects the registration, or every sign-in, if a member that it reads is missing.",
        reads: Documents.discovery,
        supersededBy: [
            "discovery.issuer.is-present", "discovery.authorization-endpoint.is-present",
            "discovery.token-endpoint.is-present", "discovery.jwks-uri.is-present",
            "discovery.response-types-supported.is-present", "discovery.subject-types-supported.is-present",
            "discovery.id-token-signing-alg-values-supported.is-present",
        ],
        rule: { metadata, members, _ in
            // A null member counts as missing.
            members.filter { metadata[$0]?.isNull ?? true }
                .map { member in
                    Finding(
                        "The discovery document has no \(member).",
                        at: "/" + member,
                        expected: "present",
                        found: metadata.has(member) ? "null" : "missing",
                        fix: "Add \(member) to the discovery document."
                    )
                }
        }
    )

    static let flagsAreTrue = RuledChecks.check(
        .metadataFlags,
        "The discovery document advertises every feature that the platform relies on",
        .signIn,
        why: "The platform treats an unadvertised feature as missing, and does not register the provider.",
        reads: Documents.discovery,
        rule: { metadata, members, _ in
            members.filter { metadata[$0]?.boolValue != true }
                .map { member in
                    Finding(
                        "\(member) is not true.",
                        at: "/" + member,
                        expected: "true",
                        found: metadata[member]?.shown ?? "missing",
                        fix: "Support the feature, and set \(member) to true in the discovery document."
                    )
                }
        }
    )

    static let responseTypeIsOffered = RuledChecks.check(
        .metadataResponseTypes,
        "The provider offers a response type that the platform uses",
        .signIn,
        why: "The platform cannot start a sign-in with any other response type.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList("response_types_supported"),
        rule: { metadata, accepted, _ in
            let wanted = Set(accepted.map { ResponseType($0) })
            guard wanted.isDisjoint(with: metadata.responseTypes) else { return [] }
            return [lacks("response_types_supported", accepted, metadata.strings("response_types_supported") ?? [])]
        }
    )

    static let algorithmIsOffered = RuledChecks.check(
        .metadataAlgorithms,
        "The provider offers a signature algorithm that the platform verifies",
        .signIn,
        why: "The platform cannot verify any ID Token of this provider.",
        reads: Documents.discovery,
        supersededBy: ["discovery.id-token-signing-alg-values-supported.include-rs256"],
        exempt: MetadataExemption.unlessList("id_token_signing_alg_values_supported"),
        rule: { metadata, accepted, _ in
            let offered = metadata.strings("id_token_signing_alg_values_supported") ?? []
            guard Set(accepted).isDisjoint(with: offered) else { return [] }
            return [lacks("id_token_signing_alg_values_supported", accepted, offered)]
        }
    )

    static let authenticationIsOffered = RuledChecks.check(
        .metadataAuthentication,
        "The provider offers a client authentication method that the platform uses",
        .signIn,
        why: "The platform cannot redeem a code, because the token endpoint rejects its client.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            let member = "token_endpoint_auth_methods_supported"
            if metadata.has(member), metadata.strings(member) == nil { return "\(member) is not a list of strings" }
            return metadata.offersCode
                ? nil : "the provider offers only the implicit flow, in which clients do not authenticate"
        },
        rule: { metadata, accepted, _ in
            let offered = metadata.tokenEndpointAuthMethods
            guard Set(accepted).isDisjoint(with: offered) else { return [] }
            return [lacks("token_endpoint_auth_methods_supported", accepted, offered)]
        }
    )

    static let scopesAreOffered = RuledChecks.check(
        .metadataScopes,
        "The provider offers the scopes that the platform always requests",
        .signIn,
        why: "The provider may reject the request, or omit claims that the platform needs.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList("scopes_supported"),
        rule: { metadata, scopes, _ in
            let offered = metadata.strings("scopes_supported") ?? []
            return scopes.filter { !offered.contains($0) }
                .map { scope in
                    Finding(
                        "The discovery document does not list the scope \(scope).",
                        at: "/scopes_supported",
                        expected: scope,
                        found: offered.written,
                        fix: "Offer the scope \(scope), and list it in scopes_supported."
                    )
                }
        }
    )

    static let excludedGrantsAreAbsent = RuledChecks.check(
        .metadataGrants,
        "The provider offers no grant that the profile forbids",
        .conformance,
        why: "Clients may use an insecure grant as long as the provider offers it.",
        reads: Documents.discovery,
        rule: { metadata, excluded, _ in
            // The default applies if the member is missing (Discovery section 3).
            let offered = metadata.strings("grant_types_supported", default: ["authorization_code", "implicit"])
            return excluded.filter(offered.contains)
                .map { grant in
                    Finding(
                        "The provider offers the grant \(grant).",
                        at: "/grant_types_supported",
                        expected: "no \(grant)",
                        found: metadata.has("grant_types_supported")
                            ? offered.written : "missing, and the default includes it",
                        fix: "Disable the grant \(grant), and set grant_types_supported without it."
                    )
                }
        }
    )

    static let portsAreAccepted = RuledChecks.check(
        .metadataPorts,
        "Issuer and endpoints use ports that the platform connects to",
        .signIn,
        why: "The platform's network blocks connections to other ports.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata.absoluteURLs(["issuer"] + MetadataMembers.endpoints)
                .allSatisfy { HostKind($0.url.host ?? "") == .loopback } ? "the provider is on this machine" : nil
        },
        rule: { metadata, ports, _ in
            metadata.absoluteURLs(["issuer"] + MetadataMembers.endpoints)
                .compactMap { member, url in
                    // A provider on this machine is a test installation.
                    guard HostKind(url.host ?? "") != .loopback, let port = url.effectivePort,
                        !ports.contains(String(port))
                    else { return nil }
                    return Finding(
                        "\(member) uses port \(port).",
                        at: "/" + member,
                        expected: "port \(ports.joined(separator: " or "))",
                        found: "port \(port)",
                        fix: "Serve \(member) on port 443, and remove the port from its URL."
                    )
                }
        }
    )

    static let clientIDCanBeObtained = RuledChecks.check(
        .clientIDSource,
        "The provider lets a client that it does not know obtain a client ID",
        .signIn,
        why: "The platform registers itself at each provider, and has no client ID otherwise.",
        reads: Documents.discovery,
        rule: { metadata, _, _ in
            if metadata.string("registration_endpoint")?.isEmpty == false { return [] }
            let flag = "client_id_metadata_document_supported"
            let methods = "token_endpoint_auth_methods_supported"
            guard metadata[flag]?.boolValue == true else {
                return [
                    Finding(
                        "The discovery document offers neither registration_endpoint nor \(flag).",
                        at: "/registration_endpoint",
                        expected: "an address, or \(flag): true",
                        found: metadata["registration_endpoint"]?.shown ?? "missing",
                        fix:
                            "Support dynamic client registration and publish registration_endpoint, or accept client ID "
                            + "metadata documents and set \(flag) to true. Otherwise users must enter a client in the platform."
                    )
                ]
            }
            guard !metadata.tokenEndpointAuthMethods.contains("none") else { return [] }
            return [
                Finding(
                    "\(flag) is true, but \(methods) does not list none: the platform has no other method.",
                    at: "/" + methods,
                    expected: "none among the values",
                    found: metadata.strings(methods)?.written ?? "missing",
                    fix: "Accept public clients, and list none in \(methods)."
                )
            ]
        }
    )

    package static let all: [Check] = [
        membersArePresent, flagsAreTrue, clientIDCanBeObtained, responseTypeIsOffered, algorithmIsOffered,
        authenticationIsOffered, scopesAreOffered, excludedGrantsAreAbsent, portsAreAccepted,
    ]

    private static func lacks(_ member: String, _ accepted: [String], _ offered: [String]) -> Finding {
        Finding(
            "\(member) contains no value that the platform can use.",
            at: "/" + member,
            expected: accepted.joined(separator: " or "),
            found: offered.written,
            fix: "Support \(accepted.first ?? "a value that the platform uses"), and list it in \(member)."
        )
    }
}
