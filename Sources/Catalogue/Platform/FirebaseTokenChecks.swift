package import Conformance
import JSONTree

/// What the platform checks in an ID Token, and how it refuses it at `signInWithIdp`.
package enum FirebaseTokenChecks {
    /// Seconds by which a token from the future was seen to be refused; of fewer nothing is known.
    ///
    /// It is an hour, less what the answer takes on its way, by which the measured time falls short.
    /// `idtoken.iat.is-not-in-the-future` warns of fewer.
    private static let leeway = 3_600.0 - 30

    package static let issIsRegistered = Check(
        "platform.firebase.id-token.iss-is-the-registered-issuer",
        "iss is the issuer that is registered at the platform",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iss: INVALID_IDP_RESPONSE"),
        why: "The platform compares the two as strings and answers INVALID_IDP_RESPONSE, naming both.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.iss.matches-issuer"],
        finding: { token, facts in
            if let iss = token.claims["iss"]?.stringValue, iss.hasSameOctets(as: facts.target.issuer) { return nil }
            return .claim(
                "iss",
                "The ID Token names another issuer than the one to be registered: INVALID_IDP_RESPONSE.",
                expected: facts.target.issuer.shown(),
                found: token.claims["iss"],
                fix: "Register the issuer exactly as the ID Token names it."
            )
        }
    )

    package static let iatIsNotAhead = Check(
        "platform.firebase.id-token.is-not-from-the-future",
        "iat lies no hour ahead of the platform's clock",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iat an hour ahead: INVALID_IDP_RESPONSE, stale"),
        why: "The platform takes a token from the future for a stale one and answers INVALID_IDP_RESPONSE.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        finding: { token, _ in
            guard let iat = token.time("iat"), iat >= token.facts.receivedAt + leeway else { return nil }
            return .claim(
                "iat",
                "The ID Token is dated an hour ahead, or more: INVALID_IDP_RESPONSE.",
                expected: "at most \(Int64(token.facts.receivedAt))",
                found: token.claims["iat"],
                fix: "Set the provider's clock by NTP. Check this machine's clock as well: it is the measure."
            )
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
        finding: { token, _ in
            guard let sent = token.asked.sentParameter("nonce"),
                token.claims["nonce"]?.stringValue?.hasSameOctets(as: sent) != true
            else { return nil }
            return .claim(
                "nonce",
                "The nonce came back changed: MISSING_OR_INVALID_NONCE.",
                expected: sent.shown(),
                found: token.claims["nonce"],
                fix: "Return 64-character nonces as they were sent: not shortened, not in capitals."
            )
        }
    )

    package static let all: [Check] = [
        issIsRegistered, iatIsNotAhead, nonceIsUnchanged,
    ]
}
