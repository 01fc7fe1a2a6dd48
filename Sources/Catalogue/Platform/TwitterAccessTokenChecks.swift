import Conformance

/// Token credentials (RFC 5849 section 2.3).
enum TwitterAccessTokenChecks {
    static let isIssued = Check(
        "platform.twitter.access-token.is-issued",
        "The verification code brings token credentials",
        .must,
        .signIn,
        Citation(.rfc5849, "2.3", "the token credentials are included in the HTTP response body"),
        why: "The person has signed in, and the application still cannot act for them.",
        reads: OAuth1Slots.tokens,
        finding: { answer, _ in
            if answer.isIssued { return nil }
            return Finding(
                "The token request was answered with \(answer.phrase).",
                at: answer.isSuccess ? "oauth_token" : nil,
                expected: "HTTP status 200 and oauth_token",
                found: answer.isSuccess ? "no oauth_token" : "HTTP status \(answer.response.status)",
                fix: "Answer a request that names temporary credentials and their verification code with a token."
            )
        }
    )

    static let hasSecret = Check(
        "platform.twitter.access-token.has-secret",
        "Token credentials come with their secret",
        .must,
        .signIn,
        Citation(.rfc5849, "2.3", "The response contains the following REQUIRED parameters: … oauth_token_secret"),
        why: "The platform signs in with access token and secret; without the secret no call can be signed.",
        reads: OAuth1Slots.tokens,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in TwitterAnswers.missing("oauth_token_secret", in: answer) }
    )

    static let namesTheUser = Check(
        "platform.twitter.access-token.names-the-user",
        "Token credentials name the user",
        // X documents both; that the platform could not do without them is inferred.
        .risk,
        .conformance,
        Citation(.xAccessToken, "", "user_id=6253282&screen_name=twitterapi"),
        why: "X tells with every token whose it is: a client that relies on it has no user to show or to keep.",
        reads: OAuth1Slots.tokens,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in ["user_id", "screen_name"].flatMap { TwitterAnswers.missing($0, in: answer) } }
    )

    static let userIsStable = Check(
        "platform.twitter.user-id.is-stable",
        "A person has the same user_id in every session",
        .platform,
        .safety,
        Citation(.identityPlatformREST, "accounts.signInWithIdp", "The user's account ID at the IdP."),
        why: "The platform does not know the person again: it makes a second account, or opens somebody else's.",
        reads: OAuth1Slots.twoTokens,
        exempt: { pair, _ in
            pair.0["user_id"] == nil || pair.1["user_id"] == nil ? "a session has no user_id" : nil
        },
        finding: { pair, _ in
            guard pair.0["user_id"] != pair.1["user_id"] else { return nil }
            return Finding(
                "The same person had two identifiers in two sessions.",
                at: "user_id",
                expected: pair.0["user_id"]?.shown(limit: 80),
                found: pair.1["user_id"]?.shown(limit: 80),
                fix: "Return the account's own number, which never changes.",
                exchange: pair.1.answer.exchange
            )
        }
    )

    static let wrongVerifierIsRefused = Check(
        "platform.twitter.access-token.wrong-verifier-is-refused",
        "A wrong verification code is refused",
        .must,
        .safety,
        Citation(.rfc5849, "2.3", "The server MUST also verify the verification code received from the client"),
        why: "An attacker who begins a sign-in and has a victim end it gets the victim's token.",
        reads: OAuth1Slots.wrongVerifier,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "A made-up verification code brought token credentials.",
                at: "oauth_verifier",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Compare oauth_verifier with the code that was sent to the callback of these credentials."
            )
        }
    )

    static let workOnce = Check(
        "platform.twitter.access-token.temporary-credentials-work-once",
        "Temporary credentials bring token credentials once",
        .must,
        .safety,
        Citation(.rfc5849, "2", "The server MUST revoke the temporary credentials after being used once"),
        why: "Whoever reads the callback's address in a log or a history can have a token of their own.",
        reads: OAuth1Slots.reused,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The same temporary credentials and verification code brought token credentials twice.",
                at: "oauth_verifier",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Forget temporary credentials as soon as they have been exchanged."
            )
        }
    )

    static let all: [Check] = [isIssued, hasSecret, namesTheUser, userIsStable, wrongVerifierIsRefused, workOnce]
}
