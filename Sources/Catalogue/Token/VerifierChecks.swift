package import Conformance

/// Proof Key for Code Exchange at the token endpoint (RFC 7636).
package enum VerifierChecks {
    /// OpenID Connect Core does not ask for PKCE; who states it must do it.
    @Sendable private static func unlessPromised(_ facts: Facts) -> String? {
        if let why = facts.whyProfileAvoidsPKCE { return why }
        return facts.advertisesPKCE || facts.metadata.value == nil
            ? nil : "the discovery document does not promise PKCE with S256"
    }

    @Sendable private static func unlessPlainIsOffered(_ facts: Facts) -> String? {
        if let why = facts.whyProfileAvoidsPKCE { return why }
        return facts.offersPlainPKCE == false ? "the discovery document does not offer plain" : nil
    }

    /// Nothing is to be judged where no code had a challenge that a verifier could belong to.
    private static func withPKCE(_ slot: Slot<AnsweredCall>) -> Slot<AnsweredCall> {
        Slot(
            slot.name,
            needs: slot.needs,
            features: slot.features,
            whenEmpty: "the client sends no PKCE (client.pkce: false), or the provider refused the request for a code"
        ) { facts in
            Scenario.Condition.pkce.whyUnmet(facts.target) == nil ? slot.samples(facts) : []
        }
    }

    private static let enforcement = Citation(
        .rfc9700,
        "2.1.1",
        "the authorization server MUST enforce the correct usage of code_verifier at the token endpoint"
    )

    package static let wrongIsRefused = Check(
        "token.code-verifier.wrong-is-refused",
        "A code is refused with a wrong code_verifier",
        .must,
        .safety,
        Citation(.rfc7636, "4.6", "If the values are not equal, an error response indicating \"invalid_grant\""),
        why: "PKCE protects nobody: whoever intercepts a code can redeem it.",
        reads: withPKCE(Redemptions.slot(.wrongVerifier)),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens though the code_verifier did not belong to the code_challenge.",
                at: "code_verifier",
                fix: "Keep the code_challenge with the code, and compare it with the SHA-256 of the code_verifier."
            )
        }
    )

    package static let missingIsRefused = Check(
        "token.code-verifier.missing-is-refused",
        "A code that was asked for with a code_challenge is refused without a code_verifier",
        .must,
        .safety,
        enforcement,
        why: "Whoever intercepts a code just leaves the verifier out.",
        reads: withPKCE(Redemptions.slot(.missingVerifier)),
        excusedBy: [Redemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens without the code_verifier.",
                at: "code_verifier",
                fix: "Refuse a token request without code_verifier when the code was asked for with a code_challenge."
            )
        }
    )

    package static let missingIsRefusedForUnknownMethod = Check(
        "token.code-verifier.missing-is-refused-for-unknown-method",
        "A code that was asked for with an unknown code_challenge_method is refused without a code_verifier",
        .must,
        .safety,
        enforcement,
        why:
            "An attacker who intercepts a code can redeem it if the provider ignores a challenge with an unknown method.",
        reads: withPKCE(
            Redemptions.ifAuthorized(.refusals, .unknownChallengeMethod, StepID.unknownChallengeMethod.token)
        ),
        excusedBy: [Redemptions.anyCode, missingIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens without a code_verifier for a code that was asked for with an unknown "
                    + "code_challenge_method.",
                at: "code_challenge_method",
                expected: "error invalid_request from the authorization endpoint",
                fix: "Answer invalid_request to every code_challenge_method that is not supported."
            )
        }
    )

    package static let challengeIsRefused = Check(
        "token.code-verifier.challenge-is-refused",
        "The code_challenge itself is no code_verifier when S256 was asked for",
        .must,
        .safety,
        Citation(.rfc7636, "4.6", "If the values are not equal, an error response indicating \"invalid_grant\""),
        why: "The challenge stands in the browser's history: whoever reads it there can redeem the code.",
        reads: withPKCE(Redemptions.slot(.challengeAsVerifier)),
        excusedBy: [Redemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens for the code_challenge in the place of the code_verifier.",
                at: "code_verifier",
                fix:
                    "Keep the code_challenge_method with the code, and never compare as plain what was asked for as S256."
            )
        }
    )

    package static let needsChallenge = Check(
        "token.code-verifier.needs-a-challenge",
        "A code_verifier is refused when there was no code_challenge",
        // The Best Current Practice demands it; OpenID Connect and RFC 7636 are silent.
        .risk,
        .safety,
        Citation(
            .rfc9700,
            "2.1.1",
            "a token request containing a code_verifier parameter is accepted only if a code_challenge parameter was present"
        ),
        why: "An attacker strips the challenge from the request, and neither client nor provider notices.",
        reads: withPKCE(Redemptions.ifAuthorized(.strippedChallenge)),
        excusedBy: [Redemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens for a code_verifier though there had been no code_challenge.",
                at: "code_verifier",
                fix: "Answer invalid_grant to a code_verifier when the code was asked for without code_challenge."
            )
        }
    )

    package static let plainIsRefused = Check(
        "token.code-verifier.plain-is-refused",
        "A code_challenge with the method plain is refused where plain is not offered",
        .risk,
        .safety,
        Citation(.rfc7636, "4.4.1", "If the server supporting PKCE does not support the requested transformation"),
        why: "With plain, whoever reads the authorization request can redeem the code.",
        reads: withPKCE(Redemptions.ifAuthorized(.plainChallenge)),
        excusedBy: [Redemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: { facts in
            facts.offersPlainPKCE == true
                ? "the discovery document offers plain, which another check reports" : unlessPromised(facts)
        },
        rule: { subject, _ in
            subject.tokens(
                "The provider took code_challenge_method=plain, which it does not offer.",
                at: "code_challenge_method",
                expected: "error invalid_request from the authorization endpoint",
                fix: "Refuse code_challenge_method=plain, and requests with a code_challenge but without the method."
            )
        }
    )

    package static let plainRequestIsAccepted = AcceptedRequests.check(
        "authorization.code-challenge.plain-is-accepted-where-offered",
        "A request with code_challenge_method=plain is granted where plain is offered",
        // Inferred: the member promises it.
        .must,
        .conformance,
        Citation(.rfc8414, "2", "PKCE code challenge methods supported by this authorization server"),
        why: "Clients that choose plain, because the provider lists it, can sign nobody in.",
        reads: Conversations.authorization(.plainChallenge),
        what: "code_challenge_method=plain",
        at: "code_challenge_method",
        fix: "Take plain out of code_challenge_methods_supported, or support it.",
        unless: unlessPlainIsOffered
    )

    package static let plainIsAccepted = Check(
        "token.code-verifier.plain-is-accepted-where-offered",
        "A code that was asked for with code_challenge_method=plain is redeemed where plain is offered",
        .must,
        .conformance,
        Citation(
            .rfc7636,
            "4.6",
            "If the \"code_challenge_method\" from Section 4.3 was \"plain\", they are compared directly"
        ),
        why: "Clients that choose plain, because the provider lists it, cannot redeem a code.",
        reads: withPKCE(Redemptions.ifAuthorized(.plainChallenge)),
        excusedBy: [Redemptions.anyCode],
        unless: unlessPlainIsOffered,
        exempt: { _, facts in
            facts.hasWorked(.responseType("code"))
                ? nil : "no code was redeemed in the flow with S256 either, which another check reports"
        },
        finding: { subject, _ in
            guard !subject.gaveTokens else { return nil }
            return Finding(
                "A code that was asked for with code_challenge_method=plain was refused with \(subject.phrase).",
                at: "code_verifier",
                expected: "tokens, because code_verifier is the code_challenge",
                found: subject.phrase,
                fix: "Take plain out of code_challenge_methods_supported, or compare the two directly."
            )
        }
    )

    package static let shortIsRefused = Check(
        "token.code-verifier.short-is-refused",
        "A code_verifier with fewer than 43 characters is refused",
        // The length is a rule for clients; nothing obliges the provider to enforce it.
        .may,
        .conformance,
        Citation(.rfc7636, "4.1", "with a minimum length of 43 characters and a maximum length of 128 characters"),
        why: "A client that draws a short verifier is never told that it can be guessed.",
        reads: withPKCE(Redemptions.ifAuthorized(.shortVerifier)),
        excusedBy: [Redemptions.anyCode, wrongIsRefused.id],
        passesOn: .refusal,
        unless: unlessPromised,
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint took a code_verifier of fifteen characters.",
                at: "code_verifier",
                fix: "Refuse a code_verifier that does not have 43 to 128 unreserved characters."
            )
        }
    )

    package static let isHeeded = Check(
        "token.code-verifier.is-heeded",
        "A provider that does not state PKCE heeds it all the same",
        // Core does not ask for PKCE, and nothing was promised.
        .risk,
        .safety,
        Citation(.rfc9700, "2.1.1", "Authorization servers MUST support PKCE"),
        why: "Whoever intercepts a code can redeem it, though the client has sent a challenge to prevent that.",
        reads: withPKCE(Redemptions.slot(.wrongVerifier)),
        excusedBy: [Redemptions.anyCode],
        unless: { facts in
            if let why = facts.whyProfileAvoidsPKCE { return why }
            return facts.advertisesPKCE ? "the discovery document promises PKCE, so its rules are judged" : nil
        },
        rule: { subject, _ in
            subject.tokens(
                "The token endpoint gave tokens for a wrong code_verifier: code_challenge is not looked at.",
                at: "code_verifier",
                fix: "Support PKCE with S256, and state it in code_challenge_methods_supported."
            )
        }
    )

    package static let all: [Check] = [
        wrongIsRefused, missingIsRefused, missingIsRefusedForUnknownMethod, challengeIsRefused, needsChallenge,
        plainIsRefused, Check(plainRequestIsAccepted, in: .authorization), plainIsAccepted, shortIsRefused, isHeeded,
    ]
}
