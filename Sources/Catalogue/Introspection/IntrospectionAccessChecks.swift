package import Conformance
import JSONTree

/// Authorization at the introspection endpoint (RFC 7662 section 2.1).
package enum IntrospectionAccessChecks {
    static let authorizationIsRequired = Check(
        "introspection.no-credentials.is-refused",
        "The introspection endpoint discloses no token data without credentials",
        .must,
        .safety,
        Citation(.rfc7662, "2.1", "the endpoint MUST also require some form of authorization to access this endpoint"),
        why: "An attacker can try tokens until one is valid, and read which user it belongs to.",
        endangers: .allUsers,
        reads: IncorrectRedemptions.confidential(StepResults.answer(.accessTokenLife, .introspectedWithoutClient)),
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.disclosesData else { return nil }
            return reported("without credentials", subject)
        }
    )

    static let missingAuthenticationGets401 = Check(
        "introspection.no-credentials.has-401",
        "The introspection endpoint returns HTTP status 401 for a request without credentials",
        .should,
        .conformance,
        Citation(.rfc7662, "2.1", "the endpoint MUST also require some form of authorization to access this endpoint"),
        why: "A resource server without credentials treats every valid token as invalid, and signs users out.",
        reads: StepResults.answer(.accessTokenLife, .introspectedWithoutClient),
        supersededBy: ["introspection.no-credentials.is-refused"],
        exempt: { subject, _ in
            subject.disclosesData ? "the endpoint discloses token data, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "The introspection endpoint returns active false for a request without credentials, as for an invalid token.",
                expected: "HTTP status 401",
                found: subject.object?["active"].map { "active \($0.shown)" } ?? subject.phrase,
                fix: "Return HTTP status 401 for introspection requests without client authentication."
            )
        }
    )

    static let wrongSecretIsRefused = Check(
        "introspection.wrong-secret.is-refused",
        "The introspection endpoint discloses no token data for a wrong client secret",
        .must,
        .safety,
        Citation(
            .rfc7662,
            "2.3",
            "and its credentials are invalid, the authorization server responds with an HTTP 401"
        ),
        why: "An attacker can try tokens until one is valid, and read which user it belongs to.",
        endangers: .allUsers,
        reads: IncorrectRedemptions.confidential(StepResults.answer(.accessTokenLife, .introspectedWithWrongSecret)),
        supersededBy: ["introspection.no-credentials.is-refused", "token.code.needs-the-right-secret"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.disclosesData else { return nil }
            return reported("with a wrong secret", subject)
        }
    )

    static let wrongSecretHas401 = Check(
        "introspection.wrong-secret.has-401",
        "The introspection endpoint returns HTTP status 401 for a wrong client secret",
        .should,
        .conformance,
        Citation(.rfc7662, "2.3", "the authorization server responds with an HTTP 401 (Unauthorized)"),
        why: "Resource servers treat any other status as an invalid token and sign users out.",
        reads: StepResults.answer(.accessTokenLife, .introspectedWithWrongSecret),
        supersededBy: ["token.wrong-secret.has-401-after-basic", IntrospectionAnswerChecks.endpointIsThere.id],
        exempt: { subject, _ in
            subject.disclosesData ? "the endpoint accepts the wrong secret, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.response.status != 401 else { return nil }
            return Finding(
                "The introspection endpoint returns \(subject.phrase) for a wrong client secret.",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix:
                    "Return HTTP status 401 and error invalid_client at the introspection endpoint if client_secret is wrong."
            )
        }
    )

    package static let all: [Check] = [
        authorizationIsRequired, missingAuthenticationGets401, wrongSecretIsRefused, wrongSecretHas401,
    ]

    private static func reported(_ how: String, _ subject: CallResult) -> Finding {
        Finding(
            "The introspection endpoint returns HTTP status \(subject.response.status) for a request \(how).",
            at: "Authorization",
            expected: "HTTP status 401",
            found: subject.object?["active"].map { "active \($0.shown)" } ?? subject.phrase,
            fix: "Authenticate the client at the introspection endpoint before looking up the token."
        )
    }
}

extension CallResult {
    /// Whether an introspection response discloses the state of the token; `{"active": false}` is what every invalid token
    /// gets.
    fileprivate var disclosesData: Bool { isSuccess && object?["active"] != false }
}
