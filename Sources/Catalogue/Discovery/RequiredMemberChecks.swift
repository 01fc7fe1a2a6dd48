import Conformance

/// Members that Discovery section 3 requires or recommends.
enum RequiredMemberChecks {
    static let authorizationEndpoint = isPresent(
        "authorization_endpoint",
        "The discovery document states the authorization endpoint",
        .must,
        .signIn,
        "REQUIRED. URL of the OP's OAuth 2.0 Authorization Endpoint",
        why: "Clients cannot start a sign-in without an authorization endpoint.",
        fix: "Add authorization_endpoint with the https URL at which users sign in."
    )

    static let tokenEndpoint = isPresent(
        "token_endpoint",
        "The discovery document states the token endpoint",
        .must,
        .signIn,
        "This is REQUIRED unless only the Implicit Flow is used",
        why: "Clients cannot exchange a code for tokens without a token endpoint.",
        fix: "Add token_endpoint with the https URL at which clients exchange codes.",
        exempt: MetadataExemption.unlessCodeIsOffered
    )

    static let jwksURI = isPresent(
        "jwks_uri",
        "The discovery document states the URL of the key set",
        .must,
        .signIn,
        "REQUIRED. URL of the OP's JWK Set",
        why: "Clients cannot verify the signature of any ID Token without keys.",
        fix: "Add jwks_uri with the https URL of the provider's JWK Set.",
        exempt: MetadataExemption.unlessDiscovery
    )

    static let responseTypes = isPresent(
        "response_types_supported",
        "The discovery document lists the response types",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the OAuth 2.0 response_type values",
        why: "Strict client libraries reject the whole document, and other clients cannot determine which flows work.",
        fix: "Add response_types_supported, for example [\"code\"]."
    )

    static let subjectTypes = isPresent(
        "subject_types_supported",
        "The discovery document lists the subject types",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the Subject Identifier types",
        why: "Strict client libraries such as AppAuth reject the whole document.",
        fix: "Add subject_types_supported: [\"public\"], or [\"pairwise\"] if each client receives a different sub.",
        exempt: MetadataExemption.unlessDiscovery
    )

    static let signingAlgorithms = isPresent(
        "id_token_signing_alg_values_supported",
        "The discovery document lists the signature algorithms of ID Tokens",
        .must,
        .signIn,
        "REQUIRED. JSON array containing a list of the JWS signing algorithms",
        why: "Strict client libraries reject the whole document, and others guess the algorithm.",
        fix: "Add id_token_signing_alg_values_supported, for example [\"RS256\"].",
        exempt: MetadataExemption.unlessDiscovery
    )

    static let userinfoEndpoint = isPresent(
        "userinfo_endpoint",
        "The discovery document states the UserInfo endpoint",
        .should,
        .signIn,
        "RECOMMENDED. URL of the OP's UserInfo Endpoint",
        why: "Platforms that use the code flow read the user's claims there, and some reject a provider without it.",
        fix: "Add userinfo_endpoint with the https URL that returns claims for an access token.",
        exempt: MetadataExemption.unlessAccessTokensAreIssued
    )

    static let scopes = isPresent(
        "scopes_supported",
        "The discovery document lists the scopes",
        .should,
        .conformance,
        "RECOMMENDED. JSON array containing a list of the OAuth 2.0",
        why: "A platform that requests only listed scopes then requests only openid, and receives no e-mail address.",
        fix: "Add scopes_supported, for example [\"openid\", \"profile\", \"email\"]."
    )

    static let claims = isPresent(
        "claims_supported",
        "The discovery document lists the claims",
        .should,
        .conformance,
        "RECOMMENDED. JSON array containing a list of the Claim Names",
        why: "Platforms that build their list of user attributes from this member have none to map.",
        fix: "Add claims_supported with the names of the claims that the provider can return."
    )

    static let all: [Check] = [
        authorizationEndpoint, tokenEndpoint, jwksURI, responseTypes, subjectTypes, signingAlgorithms, userinfoEndpoint,
        scopes, claims,
    ]

    /// The member is present and not null; other checks cover its type and value.
    private static func isPresent(
        _ member: String,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ words: String,
        why: String,
        fix: String,
        exempt: MetadataExemption.Reason? = nil
    ) -> Check {
        Check(
            CheckID("discovery.\(member.replacing("_", with: "-")).is-present"),
            title,
            requirement,
            consequence,
            Citation(.discovery, "3", words),
            why: why,
            reads: Documents.discovery,
            concerns: .ofMember(member),
            exempt: exempt,
            finding: { metadata, _ in
                if metadata.states(member) { return nil }
                let found = metadata.has(member) ? "null" : "no such member"
                return Finding("\(member) is missing", at: "/\(member)", expected: member, found: found, fix: fix)
            }
        )
    }
}
