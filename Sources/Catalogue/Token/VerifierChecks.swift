package import Conformance

/// Proof Key for Code Exchange at the token endpoint (RFC 7636).
package enum VerifierChecks {
    /// OpenID Connect Core does not require PKCE; a provider that advertises it must enforce it.
    @Sendable private static func unlessPromised(_ facts: Facts) -> String? {
        if let why = facts.whyProfileAvoidsPKCE { return why }
        return facts.advertisesPKCE || facts.metadata.value == nil ? nil : "the discovery document does not list S256"
    }

    @Sendable private static func unlessPlainIsOffered(_ facts: Facts) -> String? {
        if let why = facts.whyProfileAvoidsPKCE { return why }
        return facts.offersPlainPKCE == false ? "the discovery document does not list plain" : nil
    }

    /// Empty if no code was requested with a code_challenge.
    private static func withPKCE(_ query: Query<CallResult>) -> Query<CallResult> {
        Query(
            query.name,
            needs: query.needs,
            features: query.features,
            whenEmpty:
                "the client sends no PKCE (client.pkce: false), or the provider rejected the authorization request"
        ) { facts in Scenario.Condition.pkce.whyUnmet(facts.target) == nil ? query.samples(facts) : [] }
    }

    private static let enforcement = Citation(
        .rfc9700,
        "2.1.1",
        "the authorization server MUST enforce the correct usage of code_verifier at the token endpoint"
    )

    static let wrongIsRefused = Check(
        "token.code-verifier.wrong-is-refused",
        "The token endpoint rejects a code with a wrong code_verifier",
        .must,
        .safety,
        Citation(.rfc7636, "4.6", "If the values are not equal, an error response indicating \"invalid_grant\""),
        why: "An attacker who intercepts a code can redeem it.",
        reads: withPKCE(IncorrectRedemptions.query(.wrongVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens although code_verifier does not match code_challenge.",
                at: "code_verifier",
                fix: "Store code_challenge with the code, and compare it with the SHA-256 of code_verifier."
            )
        }
    )

    static let missingIsRefused = Check(
        "token.code-verifier.missing-is-refused",
        "The token endpoint rejects a code requested with code_challenge if code_verifier is missing",
        .must,
        .safety,
        enforcement,
        why: "An attacker who intercepts a code can simply omit code_verifier.",
        reads: withPKCE(IncorrectRedemptions.query(.missingVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens without code_verifier.",
                at: "code_verifier",
                fix: "Reject a token request without code_verifier if the authorization request had a code_challenge."
            )
        }
    )

    static let emptyIsRefused = Check(
        "token.code-verifier.empty-is-refused",
        "The token endpoint rejects a code requested with code_challenge if code_verifier is empty",
        .must,
        .safety,
        enforcement,
        why: "An attacker who intercepts a code redeems it with an empty code_verifier.",
        reads: withPKCE(IncorrectRedemptions.query(.emptyVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id, missingIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens for an empty code_verifier.",
                at: "code_verifier",
                fix: "Treat an empty code_verifier as a missing one, and reject the request."
            )
        }
    )

    static let missingIsRefusedForUnknownMethod = Check(
        "token.code-verifier.missing-is-refused-for-unknown-method",
        "The token endpoint rejects a code requested with an unknown code_challenge_method if code_verifier is missing",
        .must,
        .safety,
        enforcement,
        why:
            "An attacker who intercepts a code can redeem it if the provider ignores a code_challenge with an unknown method.",
        reads: withPKCE(
            IncorrectRedemptions.ifAuthorized(.refusals, .unknownChallengeMethod, StepID.unknownChallengeMethod.token)
        ),
        supersededBy: [IncorrectRedemptions.anyCode, missingIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens without code_verifier for a code requested with an unknown method.",
                at: "code_challenge_method",
                expected: "error invalid_request from the authorization endpoint",
                fix:
                    "Return invalid_request from the authorization endpoint for every unsupported code_challenge_method."
            )
        }
    )

    static let challengeIsRefused = Check(
        "token.code-verifier.challenge-is-refused",
        "The token endpoint rejects the code_challenge as code_verifier if the method is S256",
        .must,
        .safety,
        Citation(.rfc7636, "4.6", "If the values are not equal, an error response indicating \"invalid_grant\""),
        why: "The code_challenge is in the browser's history: an attacker who reads it there can redeem the code.",
        reads: withPKCE(IncorrectRedemptions.query(.challengeAsVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens for a code_verifier that equals code_challenge, although the method is S256.",
                at: "code_verifier",
                fix:
                    "Store code_challenge_method with the code; for S256, compare code_challenge with the SHA-256 of code_verifier."
            )
        }
    )

    static let needsChallenge = Check(
        "token.code-verifier.needs-a-challenge",
        "The token endpoint rejects a code_verifier if the authorization request had no code_challenge",
        // The Best Current Practice requires it; OpenID Connect and RFC 7636 are silent.
        .risk,
        .safety,
        Citation(
            .rfc9700,
            "2.1.1",
            "a token request containing a code_verifier parameter is accepted only if a code_challenge parameter was present"
        ),
        why: "An attacker who starts a request without code_challenge can inject the code into another user's sign-in.",
        reads: withPKCE(IncorrectRedemptions.ifAuthorized(.strippedChallenge)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens for a code_verifier although the authorization request had no code_challenge.",
                at: "code_verifier",
                fix:
                    "Return invalid_grant if the token request has a code_verifier but the code was requested without code_challenge."
            )
        }
    )

    static let plainIsRefused = Check(
        "token.code-verifier.plain-is-refused",
        "The provider rejects code_challenge_method=plain if it does not list plain",
        .risk,
        .safety,
        Citation(.rfc7636, "4.4.1", "If the server supporting PKCE does not support the requested transformation"),
        why: "With plain, an attacker who reads the authorization request can redeem the code.",
        reads: withPKCE(IncorrectRedemptions.ifAuthorized(.plainChallenge)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: { facts in
            facts.offersPlainPKCE == true
                ? "the discovery document lists plain, which another check reports" : unlessPromised(facts)
        },
        rule: { subject, _ in
            subject.tokens(
                "The provider accepts code_challenge_method=plain although it does not list plain.",
                at: "code_challenge_method",
                expected: "error invalid_request from the authorization endpoint",
                fix:
                    "Reject code_challenge_method=plain, and requests with code_challenge but no code_challenge_method."
            )
        }
    )

    static let plainRequestIsAccepted = AcceptedRequests.check(
        "authorization.code-challenge.plain-is-accepted-where-offered",
        "The authorization endpoint accepts code_challenge_method=plain if the provider lists plain",
        // Inferred from the member's definition.
        .must,
        .conformance,
        Citation(.rfc8414, "2", "PKCE code challenge methods supported by this authorization server"),
        why: "Users cannot sign in to clients that choose plain because the provider lists it.",
        reads: StepResults.authorization(.plainChallenge),
        what: "code_challenge_method=plain",
        at: "code_challenge_method",
        fix: "Remove plain from code_challenge_methods_supported, or support it.",
        unless: unlessPlainIsOffered
    )

    static let plainIsAccepted = Check(
        "token.code-verifier.plain-is-accepted-where-offered",
        "The token endpoint accepts a code requested with code_challenge_method=plain if the provider lists plain",
        .must,
        .conformance,
        Citation(
            .rfc7636,
            "4.6",
            "If the \"code_challenge_method\" from Section 4.3 was \"plain\", they are compared directly"
        ),
        why: "Clients that choose plain because the provider lists it cannot redeem a code.",
        reads: withPKCE(IncorrectRedemptions.ifAuthorized(.plainChallenge)),
        supersededBy: [IncorrectRedemptions.anyCode],
        unless: unlessPlainIsOffered,
        exempt: { _, facts in
            facts.hasWorked(.responseType("code"))
                ? nil : "the code flow did not succeed either, which another check reports"
        },
        finding: { subject, _ in
            guard !subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint rejects a code requested with code_challenge_method=plain: \(subject.phrase).",
                at: "code_verifier",
                expected: "tokens, because code_verifier equals code_challenge",
                found: subject.phrase,
                fix:
                    "Remove plain from code_challenge_methods_supported, or compare code_verifier with code_challenge directly."
            )
        }
    )

    static let shortIsRefused = Check(
        "token.code-verifier.short-is-refused",
        "The token endpoint rejects a code_verifier with fewer than 43 characters",
        // The length is a requirement for clients; the provider need not enforce it.
        .may,
        .conformance,
        Citation(.rfc7636, "4.1", "with a minimum length of 43 characters and a maximum length of 128 characters"),
        why: "The developer of a client does not notice that its short code_verifier can be guessed.",
        reads: withPKCE(IncorrectRedemptions.ifAuthorized(.shortVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint accepts a code_verifier of 15 characters.",
                at: "code_verifier",
                fix: "Reject a code_verifier that does not consist of 43 to 128 unreserved characters."
            )
        }
    )

    static let isHeeded = Check(
        "token.code-verifier.is-heeded",
        "The token endpoint verifies code_verifier even if the provider does not advertise PKCE",
        // Core does not require PKCE, and the provider does not advertise it.
        .risk,
        .safety,
        Citation(.rfc9700, "2.1.1", "Authorization servers MUST support PKCE"),
        why: "An attacker who intercepts a code can redeem it although the client sends a code_challenge.",
        reads: withPKCE(IncorrectRedemptions.query(.wrongVerifier)),
        supersededBy: [IncorrectRedemptions.anyCode],
        unless: { facts in
            if let why = facts.whyProfileAvoidsPKCE { return why }
            return facts.advertisesPKCE ? "the discovery document lists S256, so other checks apply" : nil
        },
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint issues tokens for a wrong code_verifier: it ignores code_challenge.",
                at: "code_verifier",
                fix: "Support PKCE with S256, and list S256 in code_challenge_methods_supported."
            )
        }
    )

    package static let all: [Check] = [
        wrongIsRefused, missingIsRefused, emptyIsRefused, missingIsRefusedForUnknownMethod, challengeIsRefused,
        needsChallenge, plainIsRefused, Check(plainRequestIsAccepted, in: .authorization), plainIsAccepted,
        shortIsRefused, isHeeded,
    ]
}
