package import Conformance
import JSONTree

/// The platform's own checks of an ID Token, with the errors that `signInWithIdp` returns.
package enum FirebaseTokenChecks {
    /// Seconds ahead at which the platform was observed to reject a token; smaller values were not observed.
    ///
    /// The value is an hour, less an allowance for the time that the response takes.
    /// `idtoken.iat.is-not-in-the-future` warns about smaller values.
    private static let leeway = 3_600.0 - 30

    static let issIsRegistered = Check(
        "platform.firebase.id-token.iss-is-the-registered-issuer",
        "iss is identical to the issuer that is registered with the platform",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iss: INVALID_IDP_RESPONSE"),
        why: "The platform compares the two as strings, and returns INVALID_IDP_RESPONSE with both values.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.iss.matches-issuer"],
        finding: { token, facts in
            if let iss = token.claims["iss"]?.stringValue, iss.hasSameBytes(as: facts.target.issuer) { return nil }
            return .claim(
                "iss",
                "iss of the ID Token differs from the issuer to register; the platform returns INVALID_IDP_RESPONSE.",
                expected: facts.target.issuer.shown(),
                found: token.claims["iss"],
                fix: "Register the issuer exactly as in iss of the ID Token."
            )
        }
    )

    static let iatIsNotAhead = Check(
        "platform.firebase.id-token.is-not-from-the-future",
        "iat is less than an hour ahead of the platform's clock",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "iat an hour ahead: INVALID_IDP_RESPONSE, stale"),
        why: "The platform treats a token from the future as stale, and returns INVALID_IDP_RESPONSE.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number, which another check reports" : nil },
        finding: { token, _ in
            guard let iat = token.time("iat"), iat >= token.facts.receivedAt + leeway else { return nil }
            return .claim(
                "iat",
                "iat is about an hour ahead, or more; the platform returns INVALID_IDP_RESPONSE.",
                expected: "at most \(Finding.dated(token.facts.receivedAt))",
                found: token.claims["iat"],
                fix:
                    "Synchronise the provider's clock with NTP. Check this machine's clock as well: the run compares iat with it."
            )
        }
    )

    static let nonceIsUnchanged = Check(
        "platform.firebase.id-token.nonce-is-unchanged",
        "The provider returns a nonce of 64 hexadecimal characters unchanged",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "nonce: MISSING_OR_INVALID_NONCE"),
        why:
            "The platform compares the nonce with the lower-case SHA-256 of its own value, and returns MISSING_OR_INVALID_NONCE.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            guard let sent = token.asked.sentParameter("nonce"), Firebase.isNonceOfThePlatform(sent) else {
                return "the request had no nonce of 64 hexadecimal characters"
            }
            return token.claims.has("nonce") ? nil : "the token has no nonce, which the platform accepts"
        },
        finding: { token, _ in
            guard let sent = token.asked.sentParameter("nonce"),
                token.claims["nonce"]?.stringValue?.hasSameBytes(as: sent) != true
            else { return nil }
            return .claim(
                "nonce",
                "The provider returns a changed nonce; the platform returns MISSING_OR_INVALID_NONCE.",
                expected: sent.shown(),
                found: token.claims["nonce"],
                fix: "Return a nonce of 64 characters exactly as it was sent: neither shortened nor in capitals."
            )
        }
    )

    package static let all: [Check] = [issIsRegistered, iatIsNotAhead, nonceIsUnchanged]
}
