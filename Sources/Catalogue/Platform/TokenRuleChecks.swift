package import Conformance
import JSONTree

/// What relying platforms demand of ID Tokens and of the user's claims beyond the specifications.
package enum TokenRuleChecks {
    package static let algorithmIsAccepted = RuledChecks.check(
        .tokenAlgorithms,
        "The ID Token is signed with an algorithm that the platform verifies",
        .signIn,
        why: "The platform cannot verify the ID Token, and refuses it.",
        reads: Conversations.idTokens,
        excusedBy: [
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

    package static let algorithmIsAsymmetric = RuledChecks.check(
        .tokenIsAsymmetric,
        "The ID Token is signed with a key of the key set, not with the client secret",
        .signIn,
        why: "Whoever verifies with the published keys alone cannot verify it, and refuses it.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised"],
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

    package static let hasKid = RuledChecks.check(
        .tokenKid,
        "The header of the ID Token names the key by its kid",
        .signIn,
        why: "The platform looks the key up by the token's kid, and verifies no token without one.",
        reads: Conversations.idTokens,
        // A key without a kid has none that the header could name.
        excusedBy: ["idtoken.alg.is-not-none", "idtoken.kid.is-present", "platform.keys.have-kid"],
        exempt: { token, _ in token.isSymmetric ? "the token is signed with the client secret" : nil },
        rule: { token, _, _ in
            guard (token.kid ?? "").isEmpty else { return [] }
            return [
                .claim(
                    "kid",
                    "The header of the ID Token has no kid.",
                    expected: "the kid of the signing key",
                    found: token.header["kid"],
                    fix: "Write the signing key's kid in the header of ID Tokens, also where the key set holds one key."
                )
            ]
        }
    )

    package static let claimsArePresent = RuledChecks.check(
        .tokenClaims,
        "The ID Token has the claims that the platform reads",
        .signIn,
        why: "The platform refuses the ID Token.",
        reads: Conversations.idTokens,
        excusedBy: [
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
                        fix: "Map \(name) into the ID Token of this client."
                    )
                }
        }
    )

    package static let claimsAreTexts = RuledChecks.check(
        .textClaims,
        "Claims that the platform reads as texts, or lists of texts, are such",
        .signIn,
        why: "The platform cannot read the claim, and refuses the ID Token for it.",
        reads: Conversations.idTokens,
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
                    "\(name) is neither a text nor a list of texts.",
                    expected: "a text or a list of texts",
                    found: token.claims[name],
                    fix: "Map \(name) into the ID Token of this client as a list of texts."
                )
            }
        }
    )

    package static let audienceIsAccepted = RuledChecks.check(
        .tokenAudiences,
        "The ID Token is meant for an audience that the platform accepts",
        .signIn,
        why: "The platform refuses a token that is meant for others.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.aud.is-present"],
        rule: { token, accepted, _ in
            guard Set(accepted).isDisjoint(with: token.audiences) else { return [] }
            return [
                .claim(
                    "aud",
                    "aud holds none of the audiences that the platform accepts.",
                    expected: accepted.joined(separator: " or "),
                    found: token.claims["aud"],
                    fix: "Register a client \(accepted.first.map { $0.quoted } ?? ""), or let aud hold it."
                )
            ]
        }
    )

    package static let isShortEnough = RuledChecks.check(
        .tokenLength,
        "The ID Token is no longer than the platform reads",
        .signIn,
        why: "The platform refuses the token before it looks into it.",
        reads: Conversations.idTokens,
        rule: { token, limit, _ in
            let length = token.lengthWithoutSignature
            guard length > limit else { return [] }
            return [
                Finding(
                    "The ID Token has more than \(limit) characters without its signature.",
                    expected: "at most \(limit)",
                    found: "more than \(length)",
                    fix: "Leave long claims, such as groups, to the UserInfo endpoint."
                )
            ]
        }
    )

    package static let subjectIsShortEnough = RuledChecks.check(
        .subjectLength,
        "sub is no longer than the platform keeps",
        .signIn,
        why: "The platform refuses the user.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.sub.is-short-enough"],
        rule: { token, limit, _ in
            guard let count = token.claims["sub"]?.stringValue?.utf8.count, count > limit else { return [] }
            return [
                Finding(
                    "sub has \(count) octets.",
                    at: "/sub",
                    expected: "at most \(limit)",
                    found: String(count),
                    fix: "Let the provider issue shorter subject identifiers, or map another claim."
                )
            ]
        }
    )

    package static let emailIsVerified = RuledChecks.check(
        .emailVerified,
        "The e-mail address is said to be verified",
        .signIn,
        why: "The platform makes no account from an address that nobody has verified.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.email-verified.is-a-boolean"],
        exempt: unlessEmail,
        rule: { token, _, _ in token.claims["email_verified"]?.boolValue == true ? [] : [unverified(token.claims)] }
    )

    package static let emailIsNotUnverified = RuledChecks.check(
        .emailNotUnverified,
        "The e-mail address is not said to be unverified",
        .signIn,
        why: "The platform refuses a token whose address is said to be unverified; it may say nothing of it.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.email-verified.is-a-boolean"],
        exempt: unlessEmail,
        rule: { token, _, _ in
            guard let value = token.claims["email_verified"], value.boolValue != true else { return [] }
            return [unverified(token.claims)]
        }
    )

    package static let issueTimeIsNear = RuledChecks.check(
        .issueTime,
        "The ID Token is as fresh as the platform wants it",
        .signIn,
        why: "The platform takes the token for a stale one, or for one from the future, and refuses it.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        rule: { token, limit, _ in
            guard let iat = token.time("iat"), abs(iat - token.facts.receivedAt) > Double(limit) else { return [] }
            return [
                .claim(
                    "iat",
                    "iat is more than \(limit) seconds away from the moment of receipt.",
                    expected: "\(Int64(token.facts.receivedAt)), give or take \(limit)",
                    found: token.claims["iat"],
                    fix: "Set the provider's clock by NTP, and issue a new ID Token for each sign-in."
                )
            ]
        }
    )

    package static let lifetimeIsShortEnough = RuledChecks.check(
        .tokenLifetime,
        "The ID Token lives no longer than the platform takes",
        .signIn,
        why: "The platform refuses a token that is valid for longer, however fresh it is.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.exp.is-present", "idtoken.iat.is-present"],
        exempt: { token, _ in
            token.time("exp") == nil || token.time("iat") == nil
                ? "exp or iat is no number, which another check reports" : nil
        },
        rule: { token, limit, _ in
            guard let exp = token.time("exp"), let iat = token.time("iat"), exp - iat > Double(limit) else { return [] }
            return [
                .claim(
                    "exp",
                    "The ID Token is valid for more than \(limit) seconds.",
                    expected: "at most \(limit) seconds after iat",
                    found: token.claims["exp"],
                    fix: "Shorten the lifetime of ID Tokens of this client."
                )
            ]
        }
    )

    package static let userClaimsArePresent = RuledChecks.check(
        .userClaims,
        "The claims that the platform needs of a user come with the ID Token or from UserInfo",
        .signIn,
        why: "The platform cannot make an account for the user.",
        reads: Conversations.idTokens,
        rule: { token, names, facts in
            let body = token.asked.userInfo.value?.body.octets
            let userInfo = body.flatMap { try? JSONDocument.parse($0).root.objectValue }
            return
                names.filter { name in
                    [token.claims, userInfo].allSatisfy { $0?[name]?.isNull ?? true }
                }
                .map { name in
                    .claim(
                        name,
                        "Neither the ID Token nor UserInfo has \(name).",
                        expected: "present",
                        found: nil,
                        fix: "Ask for the scope of \(name), and let the provider return it to this client."
                    )
                }
        }
    )

    package static let userEmailIsVerified = RuledChecks.check(
        .userEmailVerified,
        "The e-mail address is said to be verified, by the ID Token or by UserInfo",
        .signIn,
        why: "The platform makes no account from an address that nobody has verified.",
        reads: FirebaseSlots.told,
        excusedBy: ["idtoken.email-verified.is-a-boolean", "userinfo.email-verified.is-a-boolean"],
        exempt: { told, _ in
            told.claims.has("email") ? nil : "neither ID Token nor UserInfo has an email"
        },
        rule: { told, _, _ in
            told.claims["email_verified"]?.boolValue == true ? [] : [unverified(told.claims)]
        }
    )

    package static let all: [Check] = [
        algorithmIsAccepted, algorithmIsAsymmetric, userEmailIsVerified, claimsArePresent, claimsAreTexts,
        audienceIsAccepted,
        isShortEnough, subjectIsShortEnough,
        emailIsVerified, emailIsNotUnverified, issueTimeIsNear, lifetimeIsShortEnough, hasKid, userClaimsArePresent,
    ]

    private static let unlessEmail: @Sendable (IDToken, Facts) -> String? = { token, _ in
        token.claims.has("email") ? nil : "the ID Token has no email"
    }

    private static func unverified(_ claims: JSONObject) -> Finding {
        .claim(
            "email_verified",
            "email_verified is not true.",
            expected: "true",
            found: claims["email_verified"],
            fix: "Let users verify their addresses, and say so with email_verified: true."
        )
    }
}
