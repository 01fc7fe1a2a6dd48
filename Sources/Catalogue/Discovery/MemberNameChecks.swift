import Conformance
import JSONTree

/// Misspelt members, and members whose values depend on others.
enum MemberNameChecks {
    static let notMisspelt = Check(
        "discovery.members.are-not-misspelt",
        "The discovery document contains no misspelt member names",
        .risk,
        .conformance,
        Citation(.discovery, "3", "Additional OpenID Provider Metadata parameters MAY also be used"),
        why: "Clients ignore a member that they do not know, and use the default of the intended member.",
        reads: Documents.discovery
    ) { metadata, _ in
        let unknown = metadata.object.members.map(\.name).filter { !MetadataMembers.known.contains($0) }
        // The provider controls the number of members, so the work is limited.
        return unknown.prefix(200)
            .compactMap { name in
                guard let meant = MetadataMembers.meant(by: name), !metadata.has(meant) else { return nil }
                return Finding(
                    "\(name.quoted) is not a registered name, and \(meant) is missing",
                    at: "/\(name.shown(limit: 80))",
                    expected: meant,
                    found: name.shown(limit: 80),
                    fix: "Rename \(name.quoted) to \(meant), if that is the intended member."
                )
            }
    }

    static let aliases = Check(
        "discovery.mtls-endpoint-aliases.are-endpoints",
        "mtls_endpoint_aliases contains only endpoints with absolute URLs",
        .must,
        .signIn,
        Citation(.rfc8705, "5", "The parameter value itself consists of one or more endpoint parameters"),
        why: "A client with a certificate uses these URLs instead of the other endpoints, and its requests fail.",
        reads: Documents.discovery,
        concerns: .ofMember("mtls_endpoint_aliases"),
        exempt: MetadataExemption.unlessStated("mtls_endpoint_aliases")
    ) { metadata, _ in
        let member = "mtls_endpoint_aliases"
        guard let aliases = metadata[member]?.objectValue else {
            let kind = metadata[member]?.kind.phrase ?? "missing"
            return [alias("\(member) is \(kind)", at: "/\(member)", expected: "a JSON object", found: kind)]
        }
        return aliases.members.filter { !isEndpoint($0.name, $0.value) }
            .map { entry in
                alias(
                    "\(entry.name.quoted) in mtls_endpoint_aliases is not an endpoint with an absolute URL",
                    at: "/\(member)/\(entry.name.shown(limit: 80))",
                    expected: "an absolute URL",
                    found: entry.value.shown
                )
            }
    }

    static let localeCase = Check(
        "discovery.locales.are-in-usual-case",
        "The discovery document writes language tags in the recommended case",
        .should,
        .conformance,
        Citation(.rfc5646, "2.1.1", "The format of subtags in the registry is RECOMMENDED"),
        why: "A client that compares language tags byte by byte does not find the language.",
        reads: Documents.discovery,
        supersededBy: ["discovery.locales.are-language-tags"]
    ) { metadata, _ in
        MetadataMembers.locales.flatMap { member in
            (metadata.strings(member) ?? [])
                .compactMap { value in
                    let usual = LanguageTag.inUsualCase(value)
                    guard !usual.hasSameBytes(as: value) else { return nil }
                    return Finding(
                        "\(member) lists \(value.quoted), which is not in the recommended case",
                        at: "/\(member)",
                        expected: usual.shown(),
                        found: value.shown(),
                        fix: "Replace \(value.quoted) with \(usual.quoted) in \(member)."
                    )
                }
        }
    }

    static let userInfoRS256 = Check(
        "discovery.userinfo-signing-alg-values-supported.include-rs256",
        "The discovery document lists RS256 for signed UserInfo responses",
        .may,
        .conformance,
        Citation(.discovery, "3", "supported by the UserInfo Endpoint to encode the Claims in a JWT"),
        why: "Every client library verifies RS256. Without it, some clients cannot use signed UserInfo responses.",
        reads: Documents.discovery,
        concerns: .ofMember("userinfo_signing_alg_values_supported"),
        supersededBy: ["discovery.signature-algorithms.are-registered"],
        exempt: { metadata, facts in
            let member = "userinfo_signing_alg_values_supported"
            if let reason = MetadataExemption.unlessList(member)(metadata, facts) { return reason }
            return metadata.strings(member) == ["none"] ? "UserInfo responses are not signed" : nil
        },
        finding: { metadata, _ in
            let values = metadata.strings("userinfo_signing_alg_values_supported") ?? []
            guard !values.contains("RS256") else { return nil }
            return Finding(
                "userinfo_signing_alg_values_supported does not list RS256",
                at: "/userinfo_signing_alg_values_supported",
                expected: "RS256 among the values",
                found: values.written,
                fix: "Support RS256 for UserInfo responses, and add it to userinfo_signing_alg_values_supported."
            )
        }
    )

    static let openRegistration = Check(
        "discovery.response-types-supported.fit-registration",
        "A provider with dynamic registration lists the response types code, id_token and id_token token",
        .may,
        .conformance,
        Citation(.discovery, "3", "Dynamic OpenID Providers MUST support the code, id_token, and the id_token token"),
        why: "Clients that register themselves may rely on these response types. Restricted registration is exempt.",
        reads: Documents.discovery,
        concerns: .ofMember("response_types_supported"),
        supersededBy: [
            "discovery.response-types-supported.include-an-id-token", "discovery.target.response-types-are-offered",
            "discovery.target.what-works-is-listed",
        ],
        exempt: { metadata, facts in
            MetadataExemption.unlessStated("registration_endpoint")(metadata, facts)
                ?? MetadataExemption.unlessList("response_types_supported")(metadata, facts)
        },
        finding: { metadata, _ in
            let needed: [ResponseType] = ["code", "id_token", "id_token token"]
            let missing = needed.filter { !metadata.responseTypes.contains($0) }.map(\.text)
            guard !missing.isEmpty else { return nil }
            return Finding(
                "registration_endpoint is stated, but response_types_supported does not list \(missing.map(\.quoted).conjoined)",
                at: "/response_types_supported",
                expected: needed.map(\.text).written,
                found: metadata.responseTypes.map(\.text).written,
                fix: "Support \(missing.map(\.quoted).conjoined), and add \(missing.count == 1 ? "it" : "them") to "
                    + "response_types_supported. "
                    + "If only some clients may register, leave registration_endpoint out."
            )
        }
    )

    static let all: [Check] = [notMisspelt, aliases, localeCase, userInfoRS256, openRegistration]

    private static func isEndpoint(_ name: String, _ value: JSON) -> Bool {
        guard name.hasSuffix("_endpoint"), let url = value.stringValue.map({ URIReference($0) }) else { return false }
        return url.isAbsolute && url.firstOddity == nil
    }

    private static func alias(_ message: String, at pointer: String, expected: String, found: String) -> Finding {
        Finding(
            message,
            at: pointer,
            expected: expected,
            found: found,
            fix: "List only endpoints with absolute URLs in mtls_endpoint_aliases, or leave the member out."
        )
    }
}
