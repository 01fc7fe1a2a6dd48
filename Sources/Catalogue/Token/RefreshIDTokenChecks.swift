package import Conformance
import JSONTree

/// The ID Token of the refresh response, compared with that of the sign-in (Core section 12.2).
package enum RefreshIDTokenChecks {
    static let isAText = Check(
        "token.refresh.id-token.is-a-text",
        "id_token in the refresh response, if present, is a non-empty string",
        .must,
        .conformance,
        Citation(.core, "3.1.3.3", "id_token ID Token value associated with the authenticated session."),
        why: "Clients that find the member parse its value, fail, and end the user's session.",
        reads: TokenLife.refreshSuccess,
        exempt: { subject, _ in
            subject.1.has("id_token") ? nil : "the refresh response has no ID Token, which is optional"
        },
        finding: { subject, _ in
            let value = subject.1["id_token"]
            guard value?.stringValue?.isEmpty != false else { return nil }
            return Finding(
                "id_token in the refresh response is no ID Token.",
                at: "/id_token",
                expected: "an ID Token, or no such member",
                found: value?.serialized().shown(limit: 60),
                fix: "Omit id_token from a refresh response without an ID Token."
            )
        }
    )

    static let issuerIsSame = same(
        "iss",
        "issuer-is-same",
        .conformance,
        "its iss Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Set iss to the same issuer in all ID Tokens."
    )

    static let subjectIsSame = same(
        "sub",
        "subject-is-same",
        .safety,
        "its sub Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Set sub to the account that signed in, as in the first ID Token."
    )

    static let audienceIsSame = same(
        "aud",
        "audience-is-same",
        .conformance,
        "its aud Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Set aud to the client ID, as in the first ID Token."
    )

    static let authorizedPartyIsSame = same(
        "azp",
        "authorized-party-is-same",
        .conformance,
        "its azp Claim Value MUST be the same as in the ID Token issued when the original authentication occurred",
        "Return the same azp in both ID Tokens, or omit it from both."
    )

    static let issuedAtIsItsOwn = Check(
        "token.refresh.id-token.issued-at-is-its-own",
        "iat in the ID Token of the refresh response is the time of the refresh",
        .must,
        .conformance,
        Citation(.core, "12.2", "its iat Claim MUST represent the time that the new ID Token is issued"),
        why: "Clients reject the new ID Token as too old.",
        reads: TokenLife.idTokens,
        finding: { tokens, _ in
            guard let first = tokens.first.time("iat"), let second = tokens.second.time("iat") else { return nil }
            // Both may be issued within the same second; after 3 seconds an equal time is a copy.
            let elapsed = tokens.second.facts.receivedAt - tokens.first.facts.receivedAt
            guard second < first || (second == first && elapsed >= 3) else { return nil }
            return Finding.claim(
                "iat",
                "iat in the ID Token of the refresh response is not the time of the refresh.",
                expected: "a time after \(Finding.dated(first))",
                found: tokens.second.claims["iat"],
                fix: "Set iat to the time when the ID Token is issued, not to the time of the sign-in."
            )
        }
    )

    static let authTimeIsSame = Check(
        "token.refresh.id-token.auth-time-is-same",
        "auth_time in the ID Token of the refresh response is the time of the sign-in",
        .must,
        .conformance,
        Citation(.core, "12.2", "its value MUST represent the time of the original authentication"),
        why: "A client that requires a recent sign-in assumes that the user has just signed in again.",
        reads: TokenLife.idTokens,
        exempt: { tokens, _ in
            tokens.second.claims.has("auth_time") ? nil : "the ID Token of the refresh response has no auth_time"
        },
        finding: { tokens, _ in
            guard let first = tokens.first.claims["auth_time"], let second = tokens.second.claims["auth_time"],
                first.numberValue != second.numberValue
            else { return nil }
            return Finding.claim(
                "auth_time",
                "auth_time changed in the refresh response although the user did not sign in again.",
                expected: first.numberValue.map { Finding.dated($0) } ?? first.shown,
                found: second,
                fix: "Store the time of the sign-in with the refresh token, and return it unchanged as auth_time."
            )
        }
    )

    static let nonceIsSame = Check(
        "token.refresh.id-token.nonce-is-same",
        "The ID Token of the refresh response has the nonce of the sign-in, or none",
        .must,
        .conformance,
        Citation(.core, "12.2", "if it is present, its value MUST be the same as in the ID Token issued"),
        why: "Clients that compare the nonce reject the new ID Token.",
        reads: TokenLife.idTokens,
        supersededBy: ["idtoken.nonce.is-not-invented", "idtoken.nonce.is-of-its-own-request"],
        exempt: { tokens, _ in
            tokens.second.claims.has("nonce") ? nil : "the ID Token of the refresh response has no nonce"
        },
        finding: { tokens, _ in
            guard tokens.second.claims["nonce"] != tokens.first.claims["nonce"] else { return nil }
            return Finding.claim(
                "nonce",
                "The nonce in the ID Token of the refresh response differs from the first nonce.",
                expected: "no nonce",
                found: tokens.second.claims["nonce"],
                fix: "Omit nonce from ID Tokens in refresh responses."
            )
        }
    )

    static let nonceIsAbsent = Check(
        "token.refresh.id-token.has-no-nonce",
        "The ID Token of the refresh response has no nonce",
        .should,
        .conformance,
        Citation(.core, "12.2", "it SHOULD NOT have a nonce Claim"),
        why: "A nonce belongs to one request: a client that sees it twice must assume a replay.",
        reads: TokenLife.idTokens,
        supersededBy: ["token.refresh.id-token.nonce-is-same"],
        finding: { tokens, _ in
            guard let nonce = tokens.second.claims["nonce"] else { return nil }
            return Finding.claim(
                "nonce",
                "The ID Token of the refresh response has a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Omit nonce from ID Tokens in refresh responses."
            )
        }
    )

    static let accessTokenHashIsRight = Check(
        "token.refresh.id-token.at-hash-is-correct",
        "at_hash in the ID Token of the refresh response matches the new access token",
        .must,
        .conformance,
        Citation(
            .core,
            "12.2",
            "otherwise, the same rules apply as apply when issuing an ID Token at the time of the original authentication"
        ),
        why: "Clients that compare the hash reject the new tokens.",
        reads: TokenLife.idTokens,
        supersededBy: ["idtoken.at-hash.is-correct"],
        exempt: { tokens, _ in
            tokens.second.claims.has("at_hash") ? nil : "the ID Token of the refresh response has no at_hash"
        },
        finding: { tokens, _ in
            guard let expected = tokens.second.facts.expectedAccessTokenHash,
                tokens.second.claims["at_hash"]?.stringValue != expected
            else { return nil }
            return Finding.claim(
                "at_hash",
                "at_hash in the ID Token of the refresh response does not match the new access token.",
                expected: expected,
                found: tokens.second.claims["at_hash"],
                fix: "Compute at_hash from the access token in the same response."
            )
        }
    )

    static let groupsAreKept = Check(
        "token.refresh.id-token.groups-are-kept",
        "The ID Token of the refresh response has the groups and roles of that of the sign-in",
        // Core section 12.2 leaves open which other claims it has.
        .risk,
        .conformance,
        Citation(.experience, "", "groups are missing after a refresh"),
        why: "An application that reads each new ID Token takes the user's permissions away at the first refresh.",
        reads: TokenLife.idTokens
    ) { tokens, _ in
        StandardClaims.groups
            .filter { tokens.first.claims[$0].map { !$0.isNull } == true && !tokens.second.claims.has($0) }
            .map { name in
                .claim(
                    name,
                    "\(name) is in the ID Token of the sign-in and not in that of the refresh response.",
                    expected: "\(name), as at the sign-in",
                    found: tokens.second.claims[name],
                    fix: "Add \(name) to every ID Token, or to none: applications then read it from UserInfo."
                )
            }
    }

    package static let all: [Check] = [
        isAText, issuerIsSame, subjectIsSame, audienceIsSame, authorizedPartyIsSame, issuedAtIsItsOwn, authTimeIsSame,
        nonceIsSame, nonceIsAbsent, groupsAreKept, accessTokenHashIsRight, EveryIDTokenChecks.refreshed,
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
            "The ID Token of the refresh response has the same \(claim) as that of the sign-in",
            .must,
            consequence,
            Citation(.core, "12.2", words),
            why: "Clients reject the new ID Token, or attribute the session to another user.",
            reads: TokenLife.idTokens,
            finding: { tokens, _ in
                let (first, second) = (tokens.first.claims[claim], tokens.second.claims[claim])
                // One audience may be written as a string or as a list of one.
                let isSame =
                    claim == "aud" ? Set(tokens.first.audiences) == Set(tokens.second.audiences) : first == second
                guard !isSame else { return nil }
                return Finding.claim(
                    claim,
                    "\(claim) differs between the ID Token of the sign-in and that of the refresh response.",
                    expected: first?.shown ?? "no \(claim)",
                    found: second,
                    fix: fix
                )
            }
        )
    }
}
