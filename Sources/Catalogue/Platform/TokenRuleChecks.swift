package import Conformance
import JSONTree

/// Platform rules about ID Tokens beyond the specifications.
package enum TokenRuleChecks {
    static let algorithmIsAccepted = RuledChecks.check(
        .tokenAlgorithms,
        "The ID Token is signed with an algorithm that the platform verifies",
        .signIn,
        why: "The platform cannot verify the ID Token, and rejects it.",
        reads: StepResults.idTokens,
        supersededBy: [
            "idtoken.alg.is-not-none", "idtoken.alg.is-advertised", "platform.id-token.algorithm-is-asymmetric",
        ],
        rule: { token, accepted, _ in
            guard !accepted.contains(token.alg ?? "") else { return [] }
            return [
                .claim(
                    "alg",
                    "The ID Token is signed with \((token.alg ?? "nothing").quoted).",
                    expected: accepted.joined(separator: ", "),
                    found: token.header["alg"],
                    fix: "Register id_token_signed_response_alg \(accepted.first ?? "RS256") for this client."
                )
            ]
        }
    )

    static let algorithmIsAsymmetric = RuledChecks.check(
        .tokenIsAsymmetric,
        "The ID Token is signed with a key of the key set, not with the client secret",
        .signIn,
        why: "A platform that verifies with the published keys only cannot verify the ID Token, and rejects it.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised"],
        rule: { token, _, _ in
            // RFC 7518 section 3.1: these three are keyed with the client secret (Core section 10.1).
            guard let alg = token.alg, ["HS256", "HS384", "HS512"].contains(alg) else { return [] }
            return [
                .claim(
                    "alg",
                    "The ID Token is signed with \(alg.quoted), keyed with the client secret.",
                    expected: "an algorithm with a public key",
                    found: token.header["alg"],
                    fix: "Register id_token_signed_response_alg RS256 for this client."
                )
            ]
        }
    )

    static let hasKid = RuledChecks.check(
        .tokenKid,
        "The header of the ID Token names the key by its kid",
        .signIn,
        why: "The platform looks up the key by the token's kid, and cannot verify a token without one.",
        reads: StepResults.idTokens,
        // The header cannot name a key that has no kid.
        supersededBy: ["idtoken.alg.is-not-none", "idtoken.kid.is-present", "platform.keys.have-kid"],
        exempt: { token, _ in token.isSymmetric ? "the token is signed with the client secret" : nil },
        rule: { token, _, _ in
            // Another check reports a kid that is no string, which some platforms accept.
            guard token.kid?.isEmpty ?? !token.header.has("kid") else { return [] }
            return [
                .claim(
                    "kid",
                    "The header of the ID Token has no kid.",
                    expected: "the kid of the signing key",
                    found: token.header["kid"],
                    fix:
                        "Set the signing key's kid in the header of ID Tokens, even if the key set contains only one key."
                )
            ]
        }
    )

    static let claimsArePresent = RuledChecks.check(
        .tokenClaims,
        "The ID Token has the claims that the platform reads",
        .signIn,
        why: "The platform rejects an ID Token without these claims.",
        reads: StepResults.idTokens,
        supersededBy: [
            "idtoken.iss.matches-issuer", "idtoken.sub.is-present", "idtoken.aud.is-present", "idtoken.exp.is-present",
            "idtoken.iat.is-present",
        ],
        rule: { token, names, _ in
            names.filter { token.claims[$0]?.isNull ?? true }
                .map { name in
                    .claim(
                        name,
                        "The ID Token has no \(name).",
                        expected: "present",
                        found: token.claims[name],
                        fix: "Add \(name) to the ID Token of this client."
                    )
                }
        }
    )

    static let claimsAreTexts = RuledChecks.check(
        .textClaims,
        "Claims that the platform reads as strings are strings or lists of strings",
        .signIn,
        why: "The platform cannot read the claim, and rejects the ID Token.",
        reads: StepResults.idTokens,
        exempt: { token, facts in
            let names = facts.profile.parameters[.textClaims] ?? []
            return names.contains { token.claims[$0].map { !$0.isNull } ?? false }
                ? nil : "the ID Token has none of these claims"
        },
        rule: { token, names, _ in
            names.filter { name in
                guard let value = token.claims[name], !value.isNull else { return false }
                return value.stringValue == nil && value.strings == nil
            }
            .map { name in
                .claim(
                    name,
                    "\(name) is neither a string nor a list of strings.",
                    expected: "a string or a list of strings",
                    found: token.claims[name],
                    fix: "Return \(name) as a list of strings in the ID Token of this client."
                )
            }
        }
    )

    static let authenticationMethodIsAccepted = RuledChecks.check(
        .authenticationMethods,
        "The ID Token's amr has one authentication method, which the platform accepts",
        .signIn,
        why: "The platform accepts the authentication only if amr names one method that it knows.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.amr.is-a-list-of-strings"],
        rule: { token, accepted, _ in
            let methods = token.claims["amr"]?.strings ?? []
            guard methods.count != 1 || !accepted.contains(methods[0]) else { return [] }
            return [
                .claim(
                    "amr",
                    methods.count > 1 ? "amr has several methods." : "amr has no method that the platform accepts.",
                    expected: "one of " + accepted.joined(separator: ", "),
                    found: token.claims["amr"],
                    fix:
                        "Return amr as a list with one of \(accepted.joined(separator: ", ")) in ID Tokens for this client."
                )
            ]
        }
    )

    static let audienceIsAccepted = RuledChecks.check(
        .tokenAudiences,
        "The ID Token has an audience that the platform accepts",
        .signIn,
        why: "The platform rejects a token that is intended for other audiences.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.aud.is-present"],
        rule: { token, accepted, _ in
            guard Set(accepted).isDisjoint(with: token.audiences) else { return [] }
            return [
                .claim(
                    "aud",
                    "aud contains none of the audiences that the platform accepts.",
                    expected: accepted.joined(separator: " or "),
                    found: token.claims["aud"],
                    fix:
                        "Register a client with the ID \(accepted.first.map { $0.quoted } ?? ""), or add that value to aud."
                )
            ]
        }
    )

    static let isShortEnough = RuledChecks.check(
        .tokenLength,
        "The ID Token is no longer than the platform accepts",
        .signIn,
        why: "The platform rejects the token before it parses it.",
        reads: StepResults.idTokens,
        rule: { token, limit, _ in
            let length = token.lengthWithoutSignature
            guard length > limit else { return [] }
            return [
                Finding(
                    "The ID Token has more than \(counted(limit, "character")) without its signature.",
                    expected: "at most \(counted(limit, "character"))",
                    found: "more than \(counted(length, "character"))",
                    fix: "Move long claims, such as groups, to the UserInfo endpoint."
                )
            ]
        }
    )

    static let subjectIsShortEnough = RuledChecks.check(
        .subjectLength,
        "sub is no longer than the platform accepts",
        .signIn,
        why: "The platform rejects the user.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.sub.is-short-enough"],
        rule: { token, limit, _ in
            guard let count = token.claims["sub"]?.stringValue?.utf8.count, count > limit else { return [] }
            return [
                Finding(
                    "sub has \(count) bytes.",
                    at: "/sub",
                    expected: "at most \(counted(limit, "byte"))",
                    found: counted(count, "byte"),
                    fix: "Issue shorter values of sub at the provider, or map another claim on the platform."
                )
            ]
        }
    )

    static let emailIsVerified = RuledChecks.check(
        .emailVerified,
        "The ID Token has email_verified true",
        .signIn,
        why: "The platform does not create an account for an unverified address.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.email-verified.is-a-boolean"],
        exempt: unlessEmail,
        rule: { token, _, _ in token.claims["email_verified"]?.boolValue == true ? [] : [unverified(token.claims)] }
    )

    static let emailIsNotUnverified = RuledChecks.check(
        .emailNotUnverified,
        "The ID Token has email_verified true or no such claim",
        .signIn,
        why: "The platform rejects a token with an unverified address, but accepts one without email_verified.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.email-verified.is-a-boolean"],
        exempt: unlessEmail,
        rule: { token, _, _ in
            guard let value = token.claims["email_verified"], value.boolValue != true else { return [] }
            return [unverified(token.claims)]
        }
    )

    static let issueTimeIsNear = RuledChecks.check(
        .issueTime,
        "iat is within the platform's tolerance",
        .signIn,
        why: "The platform treats the token as stale, or as issued in the future, and rejects it.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number, which another check reports" : nil },
        rule: { token, limit, _ in
            guard let iat = token.time("iat"), abs(iat - token.facts.receivedAt) > Double(limit) else { return [] }
            return [
                .claim(
                    "iat",
                    "iat differs from the time of receipt by more than \(limit) seconds.",
                    expected: "\(Int64(token.facts.receivedAt)), plus or minus \(limit) seconds",
                    found: token.claims["iat"],
                    fix: "Synchronise the provider's clock with NTP, and issue a new ID Token for each sign-in."
                )
            ]
        }
    )

    static let timesAreCurrent = RuledChecks.check(
        .clockDifference,
        "exp and nbf are within the clock difference that the platform tolerates",
        .signIn,
        why: "The platform treats the token as expired, or as not yet valid, and rejects it.",
        reads: ProviderTime.tokens,
        supersededBy: ["idtoken.exp.is-in-the-future", "idtoken.nbf.is-not-in-the-future"],
        rule: { token, leeway, _ in
            let received = token.facts.receivedAt
            let late = [
                ("exp", token.time("exp").map { received - $0 }, "past"),
                ("nbf", token.time("nbf").map { $0 - received }, "in the future"),
            ]
            return late.compactMap { name, seconds, direction in
                guard let seconds, seconds > Double(leeway) else { return nil }
                return .claim(
                    name,
                    "\(name) is more than \(leeway) seconds \(direction).",
                    expected: "at most \(leeway) seconds \(direction)",
                    found: token.claims[name],
                    fix: "Synchronise the provider's clock with NTP, and issue tokens that are valid at once."
                )
            }
        }
    )

    static let mediaTypeIsNotExcluded = RuledChecks.check(
        .tokenMediaTypes,
        "The token response has no media type that the platform parses as something other than JSON",
        .signIn,
        why: "The platform finds no tokens in the response, and the sign-in fails.",
        reads: StepResults.tokenResponses,
        supersededBy: ["token.content-type.is-json"],
        exempt: { subject, _ in subject.isSuccess ? nil : "the token endpoint returned no tokens" },
        rule: { subject, excluded, _ in
            guard let type = subject.response.mediaType, excluded.contains(type) else { return [] }
            return [
                Finding(
                    "The token response has the media type \(type.shown()).",
                    at: "Content-Type",
                    expected: "none of \(excluded.joined(separator: ", "))",
                    found: type.shown(),
                    fix: excluded.contains("application/json")
                        ? "Send a JSON media type that the platform does not exclude."
                        : "Send Content-Type: application/json."
                )
            ]
        }
    )

    static let lifetimeIsShortEnough = RuledChecks.check(
        .tokenLifetime,
        "The ID Token is valid for no longer than the platform accepts",
        .signIn,
        why: "The platform rejects a token that is valid for longer, even if it is new.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.exp.is-present", "idtoken.iat.is-present"],
        exempt: { token, _ in
            token.time("exp") == nil || token.time("iat") == nil
                ? "exp or iat is not a number, which another check reports" : nil
        },
        rule: { token, limit, _ in
            guard let exp = token.time("exp"), let iat = token.time("iat"), exp - iat > Double(limit) else { return [] }
            return [
                .claim(
                    "exp",
                    "The ID Token is valid for more than \(limit) seconds.",
                    expected: "at most \(limit) seconds after iat",
                    found: token.claims["exp"],
                    fix: "Shorten the lifetime of ID Tokens for this client."
                )
            ]
        }
    )

    package static let all: [Check] = [
        algorithmIsAccepted, algorithmIsAsymmetric, claimsArePresent, claimsAreTexts, audienceIsAccepted,
        authenticationMethodIsAccepted, isShortEnough, subjectIsShortEnough, emailIsVerified, emailIsNotUnverified,
        issueTimeIsNear, timesAreCurrent, mediaTypeIsNotExcluded, lifetimeIsShortEnough, hasKid,
    ]

    private static let unlessEmail: @Sendable (IDToken, Facts) -> String? = { token, _ in
        token.claims.has("email") ? nil : "the ID Token has no email"
    }

    static func unverified(_ claims: JSONObject) -> Finding {
        .claim(
            "email_verified",
            "email_verified is not true.",
            expected: "true",
            found: claims["email_verified"],
            fix: "Have users verify their addresses, and return email_verified true for verified ones."
        )
    }
}
