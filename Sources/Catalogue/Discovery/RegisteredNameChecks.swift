import Conformance

/// Names of flows, methods and types that the discovery document advertises.
enum RegisteredNameChecks {
    static let responseTypes = Check(
        "discovery.response-types-supported.are-registered",
        "The discovery document lists only registered response types",
        .may,
        .conformance,
        Citation(.multipleResponseTypes, "6", "OAuth Authorization Endpoint Response Types"),
        why: "An extension is allowed, but a misspelt response type hides the intended flow.",
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
        "The discovery document lists a response type that returns a code or an ID Token",
        .risk,
        .signIn,
        Citation(.core, "3", "The Authentication result is returned in an ID Token"),
        why: "With the response types token and none alone, users cannot sign in.",
        reads: Documents.discovery,
        concerns: .ofMember("response_types_supported"),
        exempt: MetadataExemption.unlessList("response_types_supported"),
        finding: { metadata, _ in
            if metadata.responseTypes.contains(where: { $0.hasCode || $0.hasIDToken }) { return nil }
            let values = metadata.strings("response_types_supported") ?? []
            return Finding(
                "response_types_supported lists no type that returns a code or an ID Token",
                at: "/response_types_supported",
                expected: "code, or a type with id_token",
                found: values.written,
                fix: "Enable the code flow at the provider, and list code in response_types_supported."
            )
        }
    )

    static let responseModes = names(
        "response_modes_supported",
        "The discovery document lists only registered response modes",
        .conformance,
        Citation(.multipleResponseTypes, "2.1", "the mechanism to be used for returning Authorization Response"),
        RegisteredNames.responseModes
    )

    static let modesFitResponses = Check(
        "discovery.response-modes-supported.fit-the-response-types",
        "The discovery document lists the default response mode of each response type",
        // The document contradicts itself, but no specification says which of the two lists is wrong.
        .risk,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "the default Response Mode for the OAuth 2.0 code Response Type is the query encoding"
        ),
        why: "A client that follows the list treats an ordinary request, without response_mode, as unsupported.",
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
                    "response_modes_supported does not list \(mode), the default of these response types: "
                        + types.map(\.text).listed,
                    at: "/response_modes_supported",
                    expected: mode,
                    found: modes.written,
                    fix: "Add \(mode) to response_modes_supported, or remove \(types.map(\.text).listed) from "
                        + "response_types_supported."
                )
            }
    }

    static let grantTypes = names(
        "grant_types_supported",
        "The discovery document lists only registered grant types",
        .conformance,
        Citation(.rfc7591, "2", "OAuth 2.0 grant type strings that the client can use"),
        RegisteredNames.grantTypes
    )

    static let grantsFitResponses = Check(
        "discovery.grant-types-supported.fit-the-response-types",
        "The discovery document lists the grant types that its response types need",
        // The document contradicts itself, but no specification says which of the two lists is wrong.
        .risk,
        .conformance,
        Citation(.rfc7591, "2.1", "values described above are partially orthogonal"),
        why: "A client that registers only listed grant types cannot use a response type that needs another one.",
        reads: Documents.discovery,
        concerns: .ofMember("grant_types_supported"),
        exempt: MetadataExemption.unlessLists("grant_types_supported", "response_types_supported")
    ) { metadata, _ in
        let grants = metadata.strings("grant_types_supported") ?? []
        let types = metadata.responseTypes
        let needed = [("authorization_code", types.filter(\.hasCode)), ("implicit", types.filter(\.isFrontChannel))]
        return needed.filter { !$0.1.isEmpty && !grants.contains($0.0) }
            .map { grant, types in
                Finding(
                    "grant_types_supported does not list \(grant), which these response types need: "
                        + types.map(\.text).listed,
                    at: "/grant_types_supported",
                    expected: grant,
                    found: grants.written,
                    fix: "Add \(grant) to grant_types_supported, or remove \(types.map(\.text).listed) from "
                        + "response_types_supported."
                )
            }
    }

    static let subjectTypes = names(
        "subject_types_supported",
        "The discovery document lists only the subject types public and pairwise",
        .signIn,
        Citation(.discovery, "3", "Valid types include pairwise and public"),
        RegisteredNames.subjectTypes
    )

    static let authenticationMethods = names(
        "token_endpoint_auth_methods_supported",
        "The discovery document lists only registered client authentication methods",
        .conformance,
        Citation(.discovery, "3", "Other authentication methods MAY be defined by extensions"),
        RegisteredNames.authenticationMethods
    )

    static let claimTypes = names(
        "claim_types_supported",
        "The discovery document lists only claim types that OpenID Connect Core defines",
        .signIn,
        Citation(.discovery, "3", "Values defined by this specification are normal, aggregated, and distributed"),
        RegisteredNames.claimTypes
    )

    static let displayValues = names(
        "display_values_supported",
        "The discovery document lists only display values that OpenID Connect Core defines",
        .signIn,
        Citation(.discovery, "3", "JSON array containing a list of the display parameter values"),
        RegisteredNames.displayValues
    )

    static let all: [Check] = [
        responseTypes, canSignIn, responseModes, modesFitResponses, grantTypes, grantsFitResponses, subjectTypes,
        authenticationMethods, claimTypes, displayValues,
    ]

    /// A notice about unregistered names: all these lists are open to extensions.
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
            why: "An extension is allowed, but a misspelt name hides the intended feature.",
            reads: Documents.discovery,
            concerns: .ofMember(member)
        ) { metadata, _ in notRegistered((metadata.strings(member) ?? []).filter { !registered.contains($0) }, member) }
    }

    private static func notRegistered(_ unknown: [String], _ member: String) -> [Finding] {
        if unknown.isEmpty { return [] }
        return [
            Finding(
                "\(member) lists unregistered names: \(unknown.listed)",
                at: "/\(member)",
                expected: "registered names",
                found: unknown.written,
                fix: "Replace \(unknown.listed) in \(member) with the registered name, unless it is an extension."
            )
        ]
    }
}
