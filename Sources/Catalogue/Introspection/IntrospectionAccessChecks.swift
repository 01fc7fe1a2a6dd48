package import Conformance
import JSONTree

/// Who is told what tokens are worth (RFC 7662 section 2.1).
package enum IntrospectionAccessChecks {
    package static let authorizationIsRequired = Check(
        "introspection.no-credentials.is-refused",
        "Nobody is told of tokens without some form of authorization",
        .must,
        .safety,
        Citation(.rfc7662, "2.1", "the endpoint MUST also require some form of authorization to access this endpoint"),
        why: "Anybody can try tokens until one is good, and read whose it is.",
        endangers: .everybody,
        reads: Redemptions.confidential(Conversations.answer(.accessTokenLife, .introspectedByNobody)),
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.tells else { return nil }
            return told("without credentials", subject)
        }
    )

    package static let nobodyGets401 = Check(
        "introspection.no-credentials.has-401",
        "Who introspects without credentials is told so with HTTP status 401",
        .should,
        .conformance,
        Citation(.rfc7662, "2.1", "the endpoint MUST also require some form of authorization to access this endpoint"),
        why:
            "A resource server that forgot its credentials takes every good token for a bad one, and signs people out.",
        reads: Conversations.answer(.accessTokenLife, .introspectedByNobody),
        excusedBy: ["introspection.no-credentials.is-refused"],
        exempt: { subject, _ in subject.tells ? "it is told what the token is worth, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "An introspection request without credentials got the answer that every bad token gets.",
                expected: "401",
                found: subject.object?["active"].map { "active \($0.shown)" } ?? subject.phrase,
                fix: "Answer 401 to whoever does not authenticate at the introspection endpoint."
            )
        }
    )

    package static let wrongSecretIsRefused = Check(
        "introspection.wrong-secret.is-refused",
        "Nobody is told of tokens with a wrong secret",
        .must,
        .safety,
        Citation(
            .rfc7662,
            "2.3",
            "and its credentials are invalid, the authorization server responds with an HTTP 401"
        ),
        why: "Anybody can try tokens until one is good, and read whose it is.",
        endangers: .everybody,
        reads: Redemptions.confidential(Conversations.answer(.accessTokenLife, .introspectedWithWrongSecret)),
        excusedBy: ["introspection.no-credentials.is-refused", "token.code.needs-the-right-secret"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.tells else { return nil }
            return told("with a wrong secret", subject)
        }
    )

    package static let wrongSecretHas401 = Check(
        "introspection.wrong-secret.has-401",
        "A wrong secret at the introspection endpoint has HTTP status 401",
        .should,
        .conformance,
        Citation(.rfc7662, "2.3", "the authorization server responds with an HTTP 401 (Unauthorized)"),
        why: "Resource servers take any other status for a bad token and sign people out.",
        reads: Conversations.answer(.accessTokenLife, .introspectedWithWrongSecret),
        excusedBy: ["token.wrong-secret.has-401-after-basic", IntrospectionAnswerChecks.endpointIsThere.id],
        exempt: { subject, _ in
            subject.tells ? "the wrong secret was taken, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.response.status != 401 else { return nil }
            return Finding(
                "A wrong secret at the introspection endpoint was answered with \(subject.phrase).",
                expected: "401",
                found: String(subject.response.status),
                fix: "Answer invalid_client with HTTP status 401."
            )
        }
    )

    package static let all: [Check] = [
        authorizationIsRequired, nobodyGets401, wrongSecretIsRefused, wrongSecretHas401,
    ]

    private static func told(_ how: String, _ subject: AnsweredCall) -> Finding {
        Finding(
            "An introspection request \(how) was answered with HTTP status \(subject.response.status).",
            at: "Authorization",
            expected: "HTTP status 401",
            found: subject.object?["active"].map { "active \($0.shown)" } ?? subject.phrase,
            fix: "Authenticate whoever asks at the introspection endpoint before the token is looked at."
        )
    }
}

extension AnsweredCall {
    /// Whether an introspection response tells what the token is worth; `{"active": false}` is told of every token that is
    /// none.
    fileprivate var tells: Bool { isSuccess && object?["active"] != false }
}
