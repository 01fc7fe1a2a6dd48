package import Conformance
import JSONTree

/// The ID Token that a refresh token brings, compared with that of the sign-in (Core section 12.2).
package enum RefreshIDTokenChecks {
    package static let issuerIsSame = same(
        "iss",
        "issuer-is-same",
        .conformance,
        "its iss Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Use one issuer for all ID Tokens."
    )

    package static let subjectIsSame = same(
        "sub",
        "subject-is-same",
        .safety,
        "its sub Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Take sub from the account that signed in, as for the first ID Token."
    )

    package static let audienceIsSame = same(
        "aud",
        "audience-is-same",
        .conformance,
        "its aud Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Return the client's identifier in aud, as in the first ID Token."
    )

    package static let authorizedPartyIsSame = same(
        "azp",
        "authorized-party-is-same",
        .conformance,
        "its azp Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Return azp in both ID Tokens or in neither."
    )

    package static let issuedAtIsItsOwn = Check(
        "token.refresh.id-token.issued-at-is-its-own",
        "iat of the ID Token that a refresh token brings is the time of the refresh",
        .must,
        .conformance,
        Citation(.core, "12.2", "its iat Claim MUST represent the time that the new ID Token is issued"),
        why: "Clients refuse the new ID Token as too old.",
        reads: TokenLife.idTokens,
        finding: { tokens, _ in
            guard let first = tokens.first.time("iat"), let second = tokens.second.time("iat") else { return nil }
            // Both may well be issued within one second; only after a while is the same time a copied one.
            let elapsed = tokens.second.facts.receivedAt - tokens.first.facts.receivedAt
            guard second < first || (second == first && elapsed >= 3) else { return nil }
            return Finding.claim(
                "iat",
                "iat of the ID Token that a refresh token brought is not the time of the refresh.",
                expected: "a time after \(Finding.dated(first))",
                found: tokens.second.claims["iat"],
                fix: "Set iat when the ID Token is made, not when the person signed in."
            )
        }
    )

    package static let authTimeIsSame = Check(
        "token.refresh.id-token.auth-time-is-same",
        "auth_time of the ID Token that a refresh token brings is that of the sign-in",
        .must,
        .conformance,
        Citation(.core, "12.2", "its value MUST represent the time of the original authentication"),
        why: "A client that asks for a recent sign-in believes that the person has just signed in again.",
        reads: TokenLife.idTokens,
        exempt: { tokens, _ in
            tokens.second.claims.has("auth_time") ? nil : "the ID Token of the refresh token has no auth_time"
        },
        finding: { tokens, _ in
            guard let first = tokens.first.claims["auth_time"], let second = tokens.second.claims["auth_time"],
                first.numberValue != second.numberValue
            else { return nil }
            return Finding.claim(
                "auth_time",
                "auth_time changed though nobody signed in.",
                expected: first.numberValue.map { Finding.dated($0) } ?? first.shown,
                found: second,
                fix: "Keep the time of the sign-in with the refresh token and return it unchanged."
            )
        }
    )

    package static let nonceIsSame = Check(
        "token.refresh.id-token.nonce-is-same",
        "The ID Token that a refresh token brings has no nonce, or that of the request",
        .must,
        .conformance,
        Citation(.core, "12.2", "if it is present, its value MUST be the same as in the ID Token issued"),
        why: "Clients that compare the nonce refuse the new ID Token.",
        reads: TokenLife.idTokens,
        excusedBy: ["idtoken.nonce.is-not-invented"],
        exempt: { tokens, _ in tokens.second.claims.has("nonce") ? nil : "it has no nonce" },
        finding: { tokens, _ in
            guard tokens.second.claims["nonce"] != tokens.first.claims["nonce"] else { return nil }
            return Finding.claim(
                "nonce",
                "The ID Token that a refresh token brought has another nonce than the first.",
                expected: "no nonce",
                found: tokens.second.claims["nonce"],
                fix: "Leave nonce out of ID Tokens that a refresh token leads to."
            )
        }
    )

    package static let nonceIsAbsent = Check(
        "token.refresh.id-token.has-no-nonce",
        "The ID Token that a refresh token brings has no nonce",
        .should,
        .conformance,
        Citation(.core, "12.2", "it SHOULD NOT have a nonce Claim"),
        why: "A nonce belongs to one request; whoever sees it twice must take the second for a replay.",
        reads: TokenLife.idTokens,
        excusedBy: ["token.refresh.id-token.nonce-is-same"],
        finding: { tokens, _ in
            guard let nonce = tokens.second.claims["nonce"] else { return nil }
            return Finding.claim(
                "nonce",
                "The ID Token that a refresh token brought has a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Leave nonce out of ID Tokens that a refresh token leads to."
            )
        }
    )

    package static let accessTokenHashIsRight = Check(
        "token.refresh.id-token.at-hash-is-correct",
        "at_hash of the ID Token that a refresh token brings belongs to the new access token",
        .must,
        .conformance,
        Citation(
            .core,
            "12.2",
            "otherwise, the same rules apply as apply when issuing an ID Token at the time of the original authentication"
        ),
        why: "Clients that compare the hash refuse the new tokens.",
        reads: TokenLife.idTokens,
        excusedBy: ["idtoken.at-hash.is-correct"],
        exempt: { tokens, _ in tokens.second.claims.has("at_hash") ? nil : "it has no at_hash" },
        finding: { tokens, _ in
            guard let expected = tokens.second.facts.expectedAccessTokenHash,
                tokens.second.claims["at_hash"]?.stringValue != expected
            else { return nil }
            return Finding.claim(
                "at_hash",
                "at_hash is not the hash of the access token that came with it.",
                expected: expected,
                found: tokens.second.claims["at_hash"],
                fix: "Compute at_hash from the new access token."
            )
        }
    )

    package static let all: [Check] = [
        issuerIsSame, subjectIsSame, audienceIsSame, authorizedPartyIsSame, issuedAtIsItsOwn, authTimeIsSame,
        nonceIsSame, nonceIsAbsent, accessTokenHashIsRight, EveryIDTokenChecks.refreshed,
    ]

    private static func same(
        _ claim: String,
        _ id: String,
        _ consequence: Consequence,
        _ words: String,
        _ fix: String
    ) -> Check {
        Check(
            CheckID("token.refresh.id-token." + id),
            "The ID Token that a refresh token brings has the \(claim) of the sign-in",
            .must,
            consequence,
            Citation(.core, "12.2", words),
            why: "Clients take it for the token of somebody else, or somebody else for the person who signed in.",
            reads: TokenLife.idTokens,
            finding: { tokens, _ in
                let (first, second) = (tokens.first.claims[claim], tokens.second.claims[claim])
                // One audience may be written as a string or as a list of one.
                let isSame =
                    claim == "aud" ? Set(tokens.first.audiences) == Set(tokens.second.audiences) : first == second
                guard !isSame else { return nil }
                return Finding.claim(
                    claim,
                    "\(claim) changed from the ID Token of the sign-in to that of the refresh token.",
                    expected: first?.shown ?? "no \(claim)",
                    found: second,
                    fix: fix
                )
            }
        )
    }
}
