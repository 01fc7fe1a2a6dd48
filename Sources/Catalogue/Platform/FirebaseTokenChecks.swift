package import Conformance
import JSONTree

/// What the platform checks in an ID Token, and how it refuses it at `signInWithIdp`.
package enum FirebaseTokenChecks {
    /// Seconds by which a token from the future was seen to be refused; of fewer nothing is known.
    ///
    /// `idtoken.iat.is-not-in-the-future` warns of those.
    private static let leeway = 3600.0

    package static let issIsRegistered = Check(
        "platform.firebase.id-token.iss-is-the-registered-issuer",
        "iss is the issuer that is registered at the platform",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iss: INVALID_IDP_RESPONSE"),
        why: "The platform compares the two as strings and answers INVALID_IDP_RESPONSE, naming both.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.iss.matches-issuer"]
    ) { token, facts in
        if let iss = token.claims["iss"]?.stringValue, iss.hasSameOctets(as: facts.target.issuer) { return [] }
        return [
            .claim(
                "iss",
                "The ID Token names another issuer than the one to be registered: INVALID_IDP_RESPONSE.",
                expected: facts.target.issuer.shown(),
                found: token.claims["iss"],
                fix: "Register the issuer exactly as the ID Token names it."
            )
        ]
    }

    package static let audHoldsClient = Check(
        "platform.firebase.id-token.aud-holds-client",
        "aud holds the client ID that is registered at the platform",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "aud: INVALID_IDP_RESPONSE"),
        why: "The platform answers INVALID_IDP_RESPONSE; further audiences and a missing azp do not trouble it.",
        reads: Conversations.idTokens
    ) { token, _ in
        guard !token.audiences.contains(where: { $0.hasSameOctets(as: token.asked.clientID) }) else { return [] }
        return [
            .claim(
                "aud",
                "The client ID is not in aud: INVALID_IDP_RESPONSE.",
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: "Add the client ID to aud."
            )
        ]
    }

    package static let subIsPresent = Check(
        "platform.firebase.id-token.sub-is-present",
        "sub is a string that names the user",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "sub: INVALID_IDP_RESPONSE"),
        why: "The platform makes the user's federated ID from it and answers INVALID_IDP_RESPONSE without it.",
        reads: Conversations.idTokens
    ) { token, _ in
        guard token.claims["sub"]?.stringValue?.isEmpty ?? true else { return [] }
        return [
            .claim(
                "sub",
                "The ID Token has no sub that the platform can use: INVALID_IDP_RESPONSE.",
                expected: "a string",
                found: token.claims["sub"],
                fix: "Add sub to the ID Token, as a string."
            )
        ]
    }

    package static let iatIsNotAhead = Check(
        "platform.firebase.id-token.is-not-from-the-future",
        "iat lies no hour ahead of the platform's clock",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iat an hour ahead: INVALID_IDP_RESPONSE, stale"),
        why: "The platform takes a token from the future for a stale one and answers INVALID_IDP_RESPONSE.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        rule: { token, _ in
            guard let iat = token.time("iat"), iat >= token.facts.receivedAt + leeway else { return [] }
            return [
                .claim(
                    "iat",
                    "The ID Token is dated an hour ahead, or more: INVALID_IDP_RESPONSE.",
                    expected: "at most \(Int64(token.facts.receivedAt))",
                    found: token.claims["iat"],
                    fix: "Set the provider's clock by NTP. Check this machine's clock as well: it is the measure."
                )
            ]
        }
    )

    package static let algIsKnown = Check(
        "platform.firebase.id-token.alg-is-rs256",
        "The ID Token is signed with an algorithm that the platform is known to accept",
        // Of other algorithms nothing is established, so this is a risk and no error.
        .risk,
        .signIn,
        Citation(.identityPlatformObserved, "", "alg: RS256"),
        why:
            "Every recorded sign-in used RS256; HS256 was answered with INVALID_IDP_RESPONSE, of others nothing is known.",
        reads: Conversations.idTokens,
        excusedBy: [
            "idtoken.alg.is-not-none", "idtoken.alg.is-advertised", "platform.id-token.algorithm-is-asymmetric",
        ],
        exempt: { _, facts in
            facts.profile.parameters.idTokenAlgorithms.isEmpty ? "the profile names no algorithms" : nil
        },
        rule: { token, facts in
            let known = facts.profile.parameters.idTokenAlgorithms
            guard !known.contains(token.alg ?? "") else { return [] }
            return [
                .claim(
                    "alg",
                    "The ID Token is signed with \((token.alg ?? "nothing").quoted): INVALID_IDP_RESPONSE, unless the platform "
                        + "accepts more than it was seen to.",
                    expected: known.joined(separator: ", "),
                    found: token.header["alg"],
                    fix: "Register id_token_signed_response_alg \(known.first ?? "RS256") for this client."
                )
            ]
        }
    )

    package static let nonceIsUnchanged = Check(
        "platform.firebase.id-token.nonce-is-unchanged",
        "A nonce of 64 hexadecimal characters comes back unchanged",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "nonce: MISSING_OR_INVALID_NONCE"),
        why: "The platform compares the lower-case SHA-256 of its own value and answers MISSING_OR_INVALID_NONCE.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            guard let sent = token.asked.sentParameter("nonce"), Firebase.isNonceOfThePlatform(sent) else {
                return "no nonce of 64 hexadecimal characters was sent"
            }
            return token.claims.has("nonce") ? nil : "the token has no nonce, which the platform accepts"
        },
        rule: { token, _ in
            guard let sent = token.asked.sentParameter("nonce"),
                token.claims["nonce"]?.stringValue?.hasSameOctets(as: sent) != true
            else { return [] }
            return [
                .claim(
                    "nonce",
                    "The nonce came back changed: MISSING_OR_INVALID_NONCE.",
                    expected: sent.shown(),
                    found: token.claims["nonce"],
                    fix: "Return 64-character nonces as they were sent: not shortened, not in capitals."
                )
            ]
        }
    )

    package static let keysHaveKid = Check(
        "platform.firebase.keys.have-kid",
        "Every RSA signing key has a kid",
        .risk,
        .conformance,
        Citation(.identityPlatformObserved, "", "JWK members used: kty n e kid alg use"),
        why: "The platform looks keys up by kid; that it accepts a token without one is not established.",
        reads: Documents.keySet,
        excusedBy: ["keys.kid.is-present", "idtoken.kid.is-published"]
    ) { set, _ in
        set.keys
            .filter { key in
                key.object["kty"]?.stringValue == "RSA" && key.object["use"]?.stringValue != "enc" && key.kid == nil
            }
            .map { key in
                Finding(
                    "\(key.label) has no kid.",
                    at: key.pointer + "/kid",
                    expected: "a string",
                    found: key.object["kid"]?.shown ?? "missing",
                    fix: "Give the key a kid and write it in the header of ID Tokens."
                )
            }
    }

    package static let all: [Check] = [
        issIsRegistered, audHoldsClient, subIsPresent, iatIsNotAhead, algIsKnown, nonceIsUnchanged, keysHaveKid,
    ]
}
