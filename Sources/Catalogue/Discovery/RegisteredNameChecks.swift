import Conformance
import JSONTree

/// Names of flows, methods and types that the discovery document advertises.
enum RegisteredNameChecks {
    static let responseTypes = Check(
        "discovery.response-types-supported.are-registered",
        "The response types are registered ones",
        .may,
        .conformance,
        Citation(.multipleResponseTypes, "6", "OAuth Authorization Endpoint Response Types"),
        why: "Nothing is wrong with an extension, but a misspelt response type hides the flow that was meant.",
        reads: Documents.discovery,
        concerns: .ofMember("response_types_supported")
    ) { metadata, _ in
        let member = "response_types_supported"
        let unknown = (metadata.strings(member) ?? [])
            .filter { !ResponseType($0).values.isSubset(of: RegisteredNames.responseTypes) }
        return notRegistered(unknown, member)
    }

    static let canSignIn = Check(
        "discovery.response-types-supported.include-an-id-token",
        "At least one response type leads to an ID Token",
        .risk,
        .signIn,
        Citation(.core, "3", "The Authentication result is returned in an ID Token"),
        why: "With token or none alone nobody can sign in, whatever else the document says.",
        reads: Documents.discovery,
        concerns: .ofMember("response_types_supported"),
        exempt: MetadataExemption.unlessList("response_types_supported"),
        finding: { metadata, _ in
            if metadata.responseTypes.contains(where: { $0.hasCode || $0.hasIDToken }) { return nil }
            let values = metadata.strings("response_types_supported") ?? []
            return Finding(
                "no response type returns a code or an ID Token",
                at: "/response_types_supported",
                expected: "code, or a type with id_token",
                found: values.written,
                fix: "Enable the code flow at the provider, and list code in response_types_supported."
            )
        }
    )

    static let responseModes = names(
        "response_modes_supported",
        "The response modes are registered ones",
        .conformance,
        Citation(.multipleResponseTypes, "2.1", "the mechanism to be used for returning Authorization Response"),
        RegisteredNames.responseModes
    )

    static let modesFitResponses = Check(
        "discovery.response-modes-supported.fit-the-response-types",
        "The response modes include the default one of each response type",
        // The document contradicts itself; which of the two lists is wrong no sentence says.
        .risk,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "the default Response Mode for the OAuth 2.0 code Response Type is the query encoding"
        ),
        why:
            "A client that goes by the list takes the ordinary request, which names no response_mode, for unsupported.",
        reads: Documents.discovery,
        concerns: .ofMember("response_modes_supported"),
        exempt: MetadataExemption.unlessLists("response_modes_supported", "response_types_supported")
    ) { metadata, _ in
        let modes = metadata.strings("response_modes_supported") ?? []
        let types = metadata.responseTypes
        let needed = [("query", types.filter { $0 == "code" }), ("fragment", types.filter(\.isFrontChannel))]
        return needed.filter { !$0.1.isEmpty && !modes.contains($0.0) }
            .map { mode, types in
                Finding(
                    "\(mode) is not listed, and it is the default of these response types: \(types.map(\.text).listed)",
                    at: "/response_modes_supported",
                    expected: mode,
                    found: modes.written,
                    fix: "Add \(mode) to response_modes_supported, or stop listing \(types.map(\.text).listed)."
                )
            }
    }

    static let grantTypes = names(
        "grant_types_supported",
        "The grant types are registered ones",
        .conformance,
        Citation(.rfc7591, "2", "OAuth 2.0 grant type strings that the client can use"),
        RegisteredNames.grantTypes
    )

    static let grantsFitResponses = Check(
        "discovery.grant-types-supported.fit-the-response-types",
        "The grant types fit the response types",
        // The document contradicts itself; which of the two lists is wrong no sentence says.
        .risk,
        .conformance,
        Citation(.rfc7591, "2.1", "values described above are partially orthogonal"),
        why: "A client that registers by the list is refused the grant that its response type needs.",
        reads: Documents.discovery,
        concerns: .ofMember("grant_types_supported"),
        exempt: MetadataExemption.unlessLists("grant_types_supported", "response_types_supported")
    ) { metadata, _ in
        let grants = metadata.strings("grant_types_supported") ?? []
        let types = metadata.responseTypes
        let needed = [
            ("authorization_code", types.filter(\.hasCode)), ("implicit", types.filter(\.isFrontChannel)),
        ]
        return needed.filter { !$0.1.isEmpty && !grants.contains($0.0) }
            .map { grant, types in
                Finding(
                    "\(grant) is not listed, and these response types rest on it: \(types.map(\.text).listed)",
                    at: "/grant_types_supported",
                    expected: grant,
                    found: grants.written,
                    fix: "Add \(grant) to grant_types_supported, or stop listing \(types.map(\.text).listed)."
                )
            }
    }

    static let subjectTypes = names(
        "subject_types_supported",
        "The subject types are public or pairwise",
        .signIn,
        Citation(.discovery, "3", "Valid types include pairwise and public"),
        RegisteredNames.subjectTypes
    )

    static let authenticationMethods = names(
        "token_endpoint_auth_methods_supported",
        "The client authentication methods are registered ones",
        .conformance,
        Citation(.discovery, "3", "Other authentication methods MAY be defined by extensions"),
        RegisteredNames.authenticationMethods
    )

    static let claimTypes = names(
        "claim_types_supported",
        "The claim types are those that Core defines",
        .signIn,
        Citation(.discovery, "3", "Values defined by this specification are normal, aggregated, and distributed"),
        RegisteredNames.claimTypes
    )

    static let displayValues = names(
        "display_values_supported",
        "The display values are those that Core defines",
        .signIn,
        Citation(.discovery, "3", "JSON array containing a list of the display parameter values"),
        RegisteredNames.displayValues
    )

    static let all: [Check] = [
        responseTypes, canSignIn, responseModes, modesFitResponses, grantTypes, grantsFitResponses, subjectTypes,
        authenticationMethods,
        claimTypes, displayValues,
    ]

    /// A notice about names outside a registry: every one of these lists is open to extensions.
    private static func names(
        _ member: String,
        _ title: String,
        _ consequence: Consequence,
        _ citation: Citation,
        _ registered: Set<String>
    ) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).are-registered"),
            title,
            .may,
            consequence,
            citation,
            why: "Nothing is wrong with an extension, but a misspelt name hides the feature that was meant.",
            reads: Documents.discovery,
            concerns: .ofMember(member)
        ) { metadata, _ in
            notRegistered((metadata.strings(member) ?? []).filter { !registered.contains($0) }, member)
        }
    }

    private static func notRegistered(_ unknown: [String], _ member: String) -> [Finding] {
        if unknown.isEmpty { return [] }
        return [
            Finding(
                "\(member) lists \(unknown.listed), which no registry knows",
                at: "/\(member)",
                expected: "registered names",
                found: unknown.written,
                fix: "Nothing, if \(unknown.listed) is meant; else correct \(member)."
            )
        ]
    }
}
