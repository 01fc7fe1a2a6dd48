import Conformance

/// Checks of temporary credentials (RFC 5849 section 2.1) and of requests that a server must reject (section 3.2).
enum TwitterRequestTokenChecks {
    static let isIssued = Check(
        "platform.twitter.request-token.is-issued",
        "The provider issues temporary credentials for a signed request",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "respond back to the client with a set of temporary credentials"),
        why: "No sign-in can start without temporary credentials.",
        reads: OAuth1Queries.temporary,
        finding: { answer, _ in
            if answer.isIssued { return nil }
            return Finding(
                "For the temporary credentials request, the provider returns \(answer.phrase).",
                at: answer.isSuccess ? "oauth_token" : nil,
                expected: "HTTP status 200 and oauth_token",
                found: answer.isSuccess ? "no oauth_token" : "HTTP status \(answer.response.status)",
                fix:
                    "Compare API key, API secret and callback URL with the developer portal, and synchronise this machine's "
                    + "clock."
            )
        }
    )

    static let hasSecret = Check(
        "platform.twitter.request-token.has-secret",
        "Temporary credentials include oauth_token_secret",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "The response contains the following REQUIRED parameters: … oauth_token_secret"),
        why: "The client signs the token request with this secret; the provider rejects the request without it.",
        reads: OAuth1Queries.temporary,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in TwitterAnswers.missing("oauth_token_secret", in: answer) }
    )

    static let callbackIsConfirmed = Check(
        "platform.twitter.request-token.callback-is-confirmed",
        "The provider confirms the callback",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "oauth_callback_confirmed MUST be present and set to \"true\""),
        why: "Clients treat the response as one of the vulnerable protocol before its revision, and stop.",
        reads: OAuth1Queries.temporary,
        exempt: TwitterAnswers.unlessIssued,
        finding: { answer, _ in
            let value = answer["oauth_callback_confirmed"]
            guard value != "true" else { return nil }
            return Finding(
                value.map { "oauth_callback_confirmed is \($0.quoted)." } ?? "oauth_callback_confirmed is missing.",
                at: "oauth_callback_confirmed",
                expected: "true",
                found: value?.shown() ?? "missing",
                fix: "Return oauth_callback_confirmed=true after storing the callback of the request."
            )
        }
    )

    static let badSignatureIsRefused = Check(
        "platform.twitter.request-token.bad-signature-is-refused",
        "The provider rejects a request with a wrong signature",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "Recalculating the request signature independently"),
        why: "An attacker who knows the public API key can act as the application.",
        reads: OAuth1Queries.badlySigned,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The provider issues temporary credentials for a request with the signature of another request.",
                at: "oauth_signature",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix:
                    "Compute the signature of every request from its base string and both secrets, and compare it with "
                    + "oauth_signature."
            )
        }
    )

    static let badSignatureAnswers401 = Check(
        "platform.twitter.request-token.bad-signature-answers-401",
        "The provider returns status 401 for a wrong signature",
        .should,
        .conformance,
        Citation(.rfc5849, "3.2", "SHOULD return a 401 (Unauthorized) status code … an invalid signature"),
        why: "Libraries distinguish wrong keys from malformed requests by the status only.",
        reads: OAuth1Queries.badlySigned,
        supersededBy: ["platform.twitter.request-token.bad-signature-is-refused"],
        exempt: { answer, _ in answer.isSuccess ? "the provider did not reject the request" : nil },
        finding: { answer, _ in
            guard answer.response.status != 401 else { return nil }
            return Finding(
                "For a wrong signature, the provider returns HTTP status \(answer.response.status).",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status)",
                fix: "Return 401 Unauthorized for a request that cannot be authenticated."
            )
        }
    )

    static let replayIsRefused = Check(
        "platform.twitter.request-token.replay-is-refused",
        "The provider accepts a signed request only once",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "ensuring that the combination of nonce/timestamp/token … has not been used before"),
        why: "An attacker who has seen a request can send it again with its signature.",
        reads: OAuth1Queries.replayed,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The provider issues temporary credentials again for the same request with the same nonce and timestamp.",
                at: "oauth_nonce",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix:
                    "Store nonce, timestamp, token and client of each request while its timestamp is valid, and reject "
                    + "repetitions."
            )
        }
    )

    static let foreignCallbackIsRefused = Check(
        "platform.twitter.request-token.foreign-callback-is-refused",
        "The provider rejects an unregistered callback",
        .risk,
        .safety,
        Citation(.experience, "", "Callback URL not approved for this client application"),
        why: "An attacker with a stolen API key can have verification codes sent to the attacker's own page.",
        reads: OAuth1Queries.foreignCallback,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The provider issues temporary credentials for a request with a callback at another host.",
                at: "oauth_callback",
                expected: "a rejection",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Register the callback URL of the app in the developer portal, and accept no other."
            )
        }
    )

    static let answersAreFormEncoded = Check(
        "platform.twitter.answers.are-form-encoded",
        "The provider returns credentials as application/x-www-form-urlencoded",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "using the \"application/x-www-form-urlencoded\" content type"),
        why: "A library that parses the body by its media type does not find the credentials.",
        reads: OAuth1Queries.credentials,
        finding: { answer, _ in
            let type = answer.response.mediaType
            guard type != "application/x-www-form-urlencoded" else { return nil }
            return Finding(
                "The provider returns credentials as \(type.map(\.quoted) ?? "a body without a media type").",
                at: "Content-Type",
                expected: "application/x-www-form-urlencoded",
                found: type?.shown() ?? "missing",
                fix: "Send Content-Type: application/x-www-form-urlencoded with credentials."
            )
        }
    )

    static let all: [Check] = [
        isIssued, hasSecret, callbackIsConfirmed, badSignatureIsRefused, badSignatureAnswers401, replayIsRefused,
        foreignCallbackIsRefused, answersAreFormEncoded,
    ]
}
