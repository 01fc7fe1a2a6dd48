package import Conformance

/// The code and the access token of an authorization response, with the parameters that describe them.
package enum ArtefactChecks {
    static let codeIsLong = Check(
        "authorization.code.is-long-enough",
        "The code is at least 16 characters long",
        .risk,
        .safety,
        Citation(.rfc6749, "10.10", "The probability of an attacker guessing generated tokens"),
        why: "An attacker who guesses a short code while it is valid signs in as another user.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("code") ? nil : "the response has no code" },
        finding: { subject, _ in
            guard let code = subject.1.parameters.first(where: { $0.name == "code" }) else { return nil }
            let length = code.length ?? code.value.count
            guard (1..<16).contains(length) else { return nil }
            return Finding(
                "The code has only \(length) characters.",
                at: "code",
                expected: "16 characters or more",
                found: "\(length) characters",
                fix: "Issue codes with at least 128 bits from a cryptographic random generator."
            )
        }
    )

    static let codeIsVaried = Check(
        "authorization.code.is-varied",
        "The code does not look like a counter or a short number",
        .risk,
        .safety,
        Citation(.rfc6749, "10.10", "The probability of an attacker guessing generated tokens"),
        why: "An attacker can guess a code that repeats a few characters, even a long one.",
        reads: StepResults.successes,
        supersededBy: ["authorization.code.is-long-enough"],
        exempt: { subject, _ in subject.1.has("code") ? nil : "the response has no code" },
        finding: { subject, _ in
            let code = subject.1.parameters.first { $0.name == "code" }
            guard let bits = code?.variety, bits < leastVariety else { return nil }
            return Finding(
                "The characters of the code have only about \(bits) bits of entropy.",
                at: "code",
                expected: "\(leastVariety) bits or more; a random code of 128 bits has over 80",
                found: "\(bits) bits",
                fix: "Issue codes with at least 128 bits from a cryptographic random generator."
            )
        }
    )

    static let codeHasNoSpaces = Check(
        "authorization.code.has-no-spaces",
        "The code contains no spaces",
        .must,
        .signIn,
        Citation(.rfc6749, "4.1.2", "using the \"application/x-www-form-urlencoded\" format, per Appendix B"),
        why: "The client reads an unencoded + as a space, and the token endpoint rejects the changed code.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("code") ? nil : "the response has no code" },
        finding: { subject, _ in
            guard subject.1.parameters.contains(where: { $0.name == "code" && $0.hasSpace == true }) else { return nil }
            // A code may contain a space (RFC 6749, A.11): then the token endpoint accepts it.
            if subject.0.asked.token.value?.accessToken != nil { return nil }
            return Finding(
                "The code contains a space because a + in it is not percent-encoded.",
                at: "code",
                expected: "%2B for each + of the code",
                found: "+, which clients read as a space",
                fix: "Percent-encode the code in the redirect, or issue codes in base64url."
            )
        }
    )

    static let tokenTypeIsBearer = Check(
        "authorization.token-type.is-bearer",
        "The authorization endpoint returns token_type=Bearer with an access token",
        .must,
        .conformance,
        Citation(.core, "3.2.2.5", "The value MUST be Bearer or another token_type value"),
        why: "A client must not use an access token whose type it does not know.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("access_token") ? nil : "the response has no access token" },
        finding: { subject, facts in
            let type = TokenType(subject.1.first("token_type"))
            return type.finding(
                facts,
                "The authorization endpoint returns an access token "
                    + (type.text.map { "with token_type \($0.quoted)." } ?? "without token_type."),
                at: "token_type",
                fix: "Return token_type=Bearer with the access token."
            )
        }
    )

    static let expiresInIsANumber = Check(
        "authorization.expires-in.is-a-number",
        "expires_in is a whole number of seconds",
        .must,
        .conformance,
        Citation(.rfc6749, "A.14", "expires-in = 1*DIGIT"),
        why: "A client that cannot read the lifetime discards the token or keeps using an expired one.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("expires_in") ? nil : "the response has no expires_in" },
        rule: { subject, _ in
            subject.1.values("expires_in").filter { !$0.containsOnlyDigits }
                .map { value in
                    Finding(
                        "expires_in is not a whole number of seconds.",
                        at: "expires_in",
                        expected: "digits only",
                        found: value.shown(),
                        fix: "Return the lifetime in seconds, as in expires_in=3600."
                    )
                }
        }
    )

    static let expiresInAccompaniesToken = Check(
        "authorization.expires-in.accompanies-access-token",
        "The authorization endpoint returns expires_in and token_type only with an access token",
        .may,
        .conformance,
        Citation(.core, "3.2.2.5", "Expiration time of the Access Token in seconds since the response was generated."),
        why: "A client can mistake the lifetime for that of the ID Token.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.has("access_token") ? "the response has an access token" : nil },
        rule: { subject, _ in
            ["expires_in", "token_type"].filter(subject.1.has)
                .map { name in
                    Finding(
                        "The response has \(name) but no access token.",
                        at: name,
                        expected: "no \(name)",
                        found: subject.1.first(name)?.shown(),
                        fix: "Remove \(name) from responses whose response_type does not include token."
                    )
                }
        }
    )

    package static let all: [Check] = [
        codeHasNoSpaces, codeIsLong, codeIsVaried, tokenTypeIsBearer, expiresInIsANumber, expiresInAccompaniesToken,
    ]
}
