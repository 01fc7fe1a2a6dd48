package import Conformance

/// Whether an attacker could guess tokens.
package enum TokenGuessingChecks {
    static let accessTokenIsVaried = Check(
        "token.access-token.is-varied",
        "The access token does not look like a counter or a short number",
        .risk,
        .safety,
        citation,
        why:
            "An attacker who guesses an access token can read the user's profile and all other data that the token protects.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.answer.accessToken?.variety == nil ? "the run recorded no access token with its randomness" : nil
        },
        rule: { subject, _ in guessable("access_token", subject.0.answer.accessToken) }
    )

    static let refreshTokenIsVaried = Check(
        "token.refresh-token.is-varied",
        "The refresh token does not look like a counter or a short number",
        .risk,
        .safety,
        citation,
        why: "Refresh tokens are valid for months: an attacker who guesses one stays signed in as the user.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.refresh-token.is-long-enough"],
        exempt: { subject, _ in
            subject.0.answer.refreshToken?.variety == nil
                ? "the run recorded no refresh token with its randomness" : nil
        },
        rule: { subject, _ in guessable("refresh_token", subject.0.answer.refreshToken) }
    )

    static let refreshTokenIsLong = Check(
        "token.refresh-token.is-long-enough",
        "The refresh token is at least 16 characters long",
        .risk,
        .safety,
        citation,
        why: "Refresh tokens are valid for months: an attacker who guesses a short one stays signed in as the user.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.answer.refreshToken == nil ? "the response has no refresh token, which is optional" : nil
        },
        finding: { subject, _ in
            guard let facts = subject.0.answer.refreshToken, (1..<16).contains(facts.length) else { return nil }
            return Finding(
                "The refresh token has only \(facts.length) characters.",
                at: "/refresh_token",
                expected: "16 characters or more",
                found: "\(facts.length) characters",
                fix:
                    "Issue refresh tokens with at least 128 bits from a cryptographically secure random number generator."
            )
        }
    )

    package static let all: [Check] = [accessTokenIsVaried, refreshTokenIsLong, refreshTokenIsVaried]

    private static let citation = Citation(
        .rfc6749,
        "10.10",
        "The probability of an attacker guessing generated tokens"
    )

    private static func guessable(_ name: String, _ facts: SecretFacts?) -> [Finding] {
        guard let bits = facts?.variety, bits < leastVariety else { return [] }
        return [
            Finding(
                "The value of \(name) looks guessable: its characters have only about \(bits) bits of entropy.",
                at: "/" + name,
                expected: "\(leastVariety) bits or more; a random token of 128 bits has over 80",
                found: "\(bits) bits",
                fix: "Issue tokens with at least 128 bits from a cryptographically secure random number generator."
            )
        ]
    }
}
