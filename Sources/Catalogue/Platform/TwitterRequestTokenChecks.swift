import Conformance

/// Temporary credentials (RFC 5849 section 2.1), and what a server must refuse (section 3.2).
enum TwitterRequestTokenChecks {
    static let isIssued = Check(
        "platform.twitter.request-token.is-issued",
        "A signed request brings temporary credentials",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "respond back to the client with a set of temporary credentials"),
        why: "No sign-in can begin without them.",
        reads: OAuth1Slots.temporary,
        finding: { answer, _ in
            if answer.isIssued { return nil }
            return Finding(
                "The request for temporary credentials was answered with \(answer.phrase).",
                at: answer.isSuccess ? "oauth_token" : nil,
                expected: "HTTP status 200 and oauth_token",
                found: answer.isSuccess ? "no oauth_token" : "HTTP status \(answer.response.status)",
                fix:
                    "Compare API key, API secret and callback URL with the developer portal, and this machine's clock "
                    + "with the true time."
            )
        }
    )

    static let hasSecret = Check(
        "platform.twitter.request-token.has-secret",
        "Temporary credentials come with their secret",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "The response contains the following REQUIRED parameters: … oauth_token_secret"),
        why: "The request for token credentials is signed with it, and is refused without.",
        reads: OAuth1Slots.temporary,
        exempt: TwitterAnswers.unlessIssued,
        rule: { answer, _ in TwitterAnswers.missing("oauth_token_secret", in: answer) }
    )

    static let callbackIsConfirmed = Check(
        "platform.twitter.request-token.callback-is-confirmed",
        "The callback is confirmed",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "oauth_callback_confirmed MUST be present and set to \"true\""),
        why:
            "Clients take the answer for one of the protocol before its revision, which an attacker could use, and stop.",
        reads: OAuth1Slots.temporary,
        exempt: TwitterAnswers.unlessIssued,
        finding: { answer, _ in
            let value = answer["oauth_callback_confirmed"]
            guard value != "true" else { return nil }
            return Finding(
                value.map { "oauth_callback_confirmed is \($0.quoted)." } ?? "oauth_callback_confirmed is missing.",
                at: "oauth_callback_confirmed",
                expected: "true",
                found: value?.shown() ?? "missing",
                fix: "Answer with oauth_callback_confirmed=true once the callback of the request is stored."
            )
        }
    )

    static let badSignatureIsRefused = Check(
        "platform.twitter.request-token.bad-signature-is-refused",
        "A request with a wrong signature is refused",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "Recalculating the request signature independently"),
        why: "Whoever knows the public API key can act as the application.",
        reads: OAuth1Slots.badlySigned,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "A request whose signature is another request's brought temporary credentials.",
                at: "oauth_signature",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix:
                    "Compute the signature of every request anew from the base string and both secrets, and compare."
            )
        }
    )

    static let badSignatureAnswers401 = Check(
        "platform.twitter.request-token.bad-signature-answers-401",
        "A wrong signature is answered with 401",
        .should,
        .conformance,
        Citation(.rfc5849, "3.2", "SHOULD return a 401 (Unauthorized) status code … an invalid signature"),
        why: "Libraries tell wrong keys from broken requests by the status alone.",
        reads: OAuth1Slots.badlySigned,
        excusedBy: ["platform.twitter.request-token.bad-signature-is-refused"],
        exempt: { answer, _ in answer.isSuccess ? "the request was not refused" : nil },
        finding: { answer, _ in
            guard answer.response.status != 401 else { return nil }
            return Finding(
                "A wrong signature was answered with HTTP status \(answer.response.status).",
                expected: "401",
                found: String(answer.response.status),
                fix: "Answer a request that cannot be authenticated with 401 Unauthorized."
            )
        }
    )

    static let replayIsRefused = Check(
        "platform.twitter.request-token.replay-is-refused",
        "A request is taken once",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "ensuring that the combination of nonce/timestamp/token … has not been used before"),
        why: "Whoever has seen a request can send it again, signature and all.",
        reads: OAuth1Slots.replayed,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "The same request with the same nonce and timestamp brought temporary credentials a second time.",
                at: "oauth_nonce",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix:
                    "Remember nonce, timestamp, token and client of each request for as long as its timestamp is taken."
            )
        }
    )

    static let foreignCallbackIsRefused = Check(
        "platform.twitter.request-token.foreign-callback-is-refused",
        "A callback that is not registered is refused",
        .risk,
        .safety,
        Citation(.experience, "", "Callback URL not approved for this client application"),
        why: "With a stolen API key anybody could have verification codes sent to a page of their own.",
        reads: OAuth1Slots.foreignCallback,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isIssued else { return nil }
            return Finding(
                "A request with a callback at another host brought temporary credentials.",
                at: "oauth_callback",
                expected: "a refusal",
                found: "HTTP status \(answer.response.status) and oauth_token",
                fix: "Register the callback URL of the app in the developer portal, and take no other."
            )
        }
    )

    static let answersAreFormEncoded = Check(
        "platform.twitter.answers.are-form-encoded",
        "Credentials come as application/x-www-form-urlencoded",
        .must,
        .signIn,
        Citation(.rfc5849, "2.1", "using the \"application/x-www-form-urlencoded\" content type"),
        why: "A library that goes by the media type does not find the credentials in the body.",
        reads: OAuth1Slots.credentials,
        finding: { answer, _ in
            let type = answer.response.mediaType
            guard type != "application/x-www-form-urlencoded" else { return nil }
            return Finding(
                "The credentials came as \(type.map(\.quoted) ?? "a body without a media type").",
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
