package import Conformance
import JSONTree

/// What relying platforms demand of the discovery document beyond the specifications.
package enum MetadataRuleChecks {
    package static let membersArePresent = RuledChecks.check(
        .metadataMembers,
        "The discovery document has the members that the platform reads",
        .signIn,
        why: "The platform refuses the registration, or every sign-in, when a member that it reads is missing.",
        reads: Documents.discovery,
        excusedBy: [
            "discovery.issuer.is-present", "discovery.authorization-endpoint.is-present",
            "discovery.token-endpoint.is-present", "discovery.jwks-uri.is-present",
            "discovery.response-types-supported.is-present", "discovery.subject-types-supported.is-present",
            "discovery.id-token-signing-alg-values-supported.is-present",
        ],
        rule: { metadata, members, _ in
            // A member that is null holds nothing to read.
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

    package static let flagsAreTrue = RuledChecks.check(
        .metadataFlags,
        "What the platform relies on is announced as supported",
        .signIn,
        why: "The platform takes what is not announced for missing, and does not register the provider.",
        reads: Documents.discovery,
        rule: { metadata, members, _ in
            members.filter { metadata[$0]?.boolValue != true }
                .map { member in
                    Finding(
                        "\(member) is not true.",
                        at: "/" + member,
                        expected: "true",
                        found: metadata[member]?.shown ?? "missing",
                        fix: "Support it, and set \(member) to true in the discovery document."
                    )
                }
        }
    )

    package static let responseTypeIsOffered = RuledChecks.check(
        .metadataResponseTypes,
        "A response type that the platform uses is offered",
        .signIn,
        why: "The platform has no other way to ask for a sign-in.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList("response_types_supported"),
        rule: { metadata, accepted, _ in
            let wanted = Set(accepted.map { ResponseType($0) })
            guard wanted.isDisjoint(with: metadata.responseTypes) else { return [] }
            return [lacks("response_types_supported", accepted, metadata.strings("response_types_supported") ?? [])]
        }
    )

    package static let algorithmIsOffered = RuledChecks.check(
        .metadataAlgorithms,
        "A signature algorithm that the platform verifies is offered",
        .signIn,
        why: "The platform can verify no ID Token of this provider.",
        reads: Documents.discovery,
        excusedBy: ["discovery.id-token-signing-alg-values-supported.include-rs256"],
        exempt: MetadataExemption.unlessList("id_token_signing_alg_values_supported"),
        rule: { metadata, accepted, _ in
            let offered = metadata.strings("id_token_signing_alg_values_supported") ?? []
            guard Set(accepted).isDisjoint(with: offered) else { return [] }
            return [lacks("id_token_signing_alg_values_supported", accepted, offered)]
        }
    )

    package static let authenticationIsOffered = RuledChecks.check(
        .metadataAuthentication,
        "A client authentication method that the platform uses is offered",
        .signIn,
        why: "The platform cannot redeem a code: its client is refused.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            let member = "token_endpoint_auth_methods_supported"
            if metadata.has(member), metadata.strings(member) == nil { return "\(member) is not a list of strings" }
            return metadata.offersCode ? nil : "only the implicit flow is offered, in which no client authenticates"
        },
        rule: { metadata, accepted, _ in
            let offered = metadata.tokenEndpointAuthMethods
            guard Set(accepted).isDisjoint(with: offered) else { return [] }
            return [lacks("token_endpoint_auth_methods_supported", accepted, offered)]
        }
    )

    package static let scopesAreOffered = RuledChecks.check(
        .metadataScopes,
        "The scopes that the platform always asks for are offered",
        .signIn,
        why: "The provider may refuse the request, or leave out what the platform needs.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList("scopes_supported"),
        rule: { metadata, scopes, _ in
            let offered = metadata.strings("scopes_supported") ?? []
            return scopes.filter { !offered.contains($0) }
                .map { scope in
                    Finding(
                        "The scope \(scope) is not listed.",
                        at: "/scopes_supported",
                        expected: scope,
                        found: offered.written,
                        fix: "Offer the scope \(scope), and list it in scopes_supported."
                    )
                }
        }
    )

    package static let excludedGrantsAreAbsent = RuledChecks.check(
        .metadataGrants,
        "No grant is offered that must not be used",
        .conformance,
        why: "What is offered is used some day, by those who know no better.",
        reads: Documents.discovery,
        rule: { metadata, excluded, _ in
            // Without the member the default holds (Discovery section 3).
            let offered = metadata.strings("grant_types_supported", default: ["authorization_code", "implicit"])
            return excluded.filter(offered.contains)
                .map { grant in
                    Finding(
                        "The grant \(grant) is offered.",
                        at: "/grant_types_supported",
                        expected: "no \(grant)",
                        found: metadata.has("grant_types_supported")
                            ? offered.written : "missing, and this is the default",
                        fix: "Switch the grant \(grant) off, and state grant_types_supported without it."
                    )
                }
        }
    )

    package static let portsAreAccepted = RuledChecks.check(
        .metadataPorts,
        "Issuer and endpoints are at ports that the platform connects to",
        .signIn,
        why: "The platform's network lets no connection to other ports out.",
        reads: Documents.discovery,
        rule: { metadata, ports, _ in
            metadata.absoluteURLs(["issuer"] + MetadataMembers.endpoints)
                .compactMap { member, url in
                    // A port of this machine is that of a rehearsal.
                    guard HostKind(url.host ?? "") != .loopback, let port = url.effectivePort,
                        !ports.contains(String(port))
                    else { return nil }
                    return Finding(
                        "\(member) is at port \(port).",
                        at: "/" + member,
                        expected: ports.joined(separator: " or "),
                        found: String(port),
                        fix: "Serve \(member) at port 443, without a port in its address."
                    )
                }
        }
    )

    package static let all: [Check] = [
        membersArePresent, flagsAreTrue, responseTypeIsOffered, algorithmIsOffered, authenticationIsOffered,
        scopesAreOffered, excludedGrantsAreAbsent, portsAreAccepted,
    ]

    private static func lacks(_ member: String, _ accepted: [String], _ offered: [String]) -> Finding {
        Finding(
            "None of what the platform can use is in \(member).",
            at: "/" + member,
            expected: accepted.joined(separator: " or "),
            found: offered.written,
            fix: "Offer \(accepted.first ?? "what the platform uses"), and list it in \(member)."
        )
    }
}
