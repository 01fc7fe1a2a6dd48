import Conformance

/// Checks of token credentials (RFC 5849 section 2.3).
enum TwitterAccessTokenChecks {
    static let isIssued = Check(
        "platform.twitter.access-token.is-issued",
        "The provider issues token credentials for a verification code",
        .must,
        .signIn,
        Citation(.rfc5849, "2.3", "the token credentials are included in the HTTP response body"),
        why: "The user has signed in, but the application cannot act on the user's behalf.",
        reads: OAuth1Queries.tokens,
        finding: { answer, _ in
            if answer.isIssued { return nil }
            return Finding(
                "For the token request, the provider returns \(answer.phrase).",
                at: answer.isSuccess ? "oauth_token" : nil,
                expected: "HTTP status 200 and oauth_token",
                found: answer.isSuccess ? "no oauth_token" : "HTTP status \(answer.response.status)",
                fix: "Return oauth_token for a request with temporary credentials and their verification code."
            )
        }
    )

    static let hasSecret = Check(
        "platform.twitter.access-token.has-secret",
        "Token credentials include oauth_token_secret",
        .must,
        .signIn,
        Citation(.rfc5849, "2.3", "The response contains the following REQUIRED parameters: … oauth_token_secret"),
        why: "The platform signs in with access token and secret, and cannot sign any call without the secret.",
        reads: OAuth1Queries.tokens,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in TwitterAnswers.missing("oauth_token_secret", in: answer) }
    )

    static let namesTheUser = Check(
        "platform.twitter.access-token.names-the-user",
        "Token credentials name the user",
        // X documents both; that the platform needs them is inferred.
        .risk,
        .conformance,
        Citation(.xAccessToken, "", "user_id=6253282&screen_name=twitterapi"),
        why: "X names the user with every token, and a client that relies on this cannot identify the user.",
        reads: OAuth1Queries.tokens,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in ["user_id", "screen_name"].flatMap { TwitterAnswers.missing($0, in: answer) } }
    )

    static let userIsStable = Check(
        "platform.twitter.user-id.is-stable",
        "A user has the same user_id in every session",
        .platform,
        .safety,
        Citation(.identityPlatformREST, "accounts.signInWithIdp", "The user's account ID at the IdP."),
        why: "The platform does not recognise the user, and creates a second account or opens another user's account.",
        reads: OAuth1Queries.twoTokens,
        exempt: { pair, _ in pair.0["user_id"] == nil || pair.1["user_id"] == nil ? "a session has no user_id" : nil },
        finding: { pair, _ in
            guard pair.0["user_id"] != pair.1["user_id"] else { return nil }
            return Finding(
                "The provider returns two values of user_id for the same user in two sessions.",
                at: "user_id",
                expected: pair.0["user_id"]?.shown(limit: 80),
                found: pair.1["user_id"]?.shown(limit: 80),
                fix: "Return the account's own number in user_id, and never change it.",
                exchange: pair.1.answer.exchange
            )
        }
    )

    static let wrongVerifierIsRefused = Check(
        "platform.twitter.access-token.wrong-verifier-is-refused",
        "The provider rejects a wrong verification code",
        .must,
        .safety,
        Citation(.rfc5849, "2.3", "The server MUST also verify the verification code received from the client"),
        why: "An attacker who starts a sign-in and has a victim complete it receives the victim's token.",
        reads: OAuth1Queries.wrongVerifier,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The provider issues token credentials for a bogus verification code.",
                at: "oauth_verifier",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Compare oauth_verifier with the code sent to the callback with this oauth_token; "
                    + "return HTTP status 401 on a mismatch."
            )
        }
    )

    static let workOnce = Check(
        "platform.twitter.access-token.temporary-credentials-work-once",
        "The provider issues token credentials only once for temporary credentials",
        .must,
        .safety,
        Citation(.rfc5849, "2", "The server MUST revoke the temporary credentials after being used once"),
        why: "An attacker who reads the callback URL in a log or in the browser history can obtain a token.",
        reads: OAuth1Queries.reused,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The provider issues token credentials twice for the same temporary credentials and verification code.",
                at: "oauth_verifier",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Invalidate temporary credentials as soon as they have been exchanged."
            )
        }
    )

    static let all: [Check] = [isIssued, hasSecret, namesTheUser, userIsStable, wrongVerifierIsRefused, workOnce]
}
