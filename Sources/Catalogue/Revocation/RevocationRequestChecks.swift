package import Conformance

/// How the revocation endpoint answers (RFC 7009 section 2).
package enum RevocationRequestChecks {
    package static let accessTokenIsTaken = Check(
        "revocation.access-token.is-taken",
        "The client can revoke its access token",
        .should,
        .conformance,
        Citation(.rfc7009, "2", "SHOULD support the revocation of access tokens"),
        why: "After a sign-out the token goes on opening the person's data until it runs out.",
        reads: Conversations.answer(.accessTokenLife, .revoke),
        excusedBy: ["revocation.refresh-token.is-taken"],
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The client's own access token was not revoked: \(subject.phrase).",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: advice(subject, "Support access tokens at the revocation endpoint.")
            )
        }
    )

    package static let refreshTokenIsTaken = Check(
        "revocation.refresh-token.is-taken",
        "The client can revoke its refresh token",
        .must,
        .conformance,
        Citation(.rfc7009, "2", "Implementations MUST support the revocation of refresh tokens"),
        why: "After a sign-out the refresh token still brings new access tokens.",
        reads: Conversations.answer(.revokeRefreshToken, .revoke),
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The client's own refresh token was not revoked: \(subject.phrase).",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: advice(subject, "Support refresh tokens at the revocation endpoint.")
            )
        }
    )

    package static let unknownIsTaken = Check(
        "revocation.unknown-token.has-200",
        "A token that was never issued is answered with HTTP status 200",
        .should,
        .conformance,
        Citation(.rfc7009, "2.2", "invalid tokens do not cause an error response"),
        why: "Clients report a failed sign-out though there is nothing left to revoke.",
        reads: Conversations.answer(.accessTokenLife, .revokedMadeUp),
        excusedBy: ["revocation.access-token.is-taken"],
        exempt: { subject, _ in
            ["invalid_client", "unauthorized_client"].contains(subject.error)
                ? "the client was refused before the token was looked at" : nil
        },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The revocation of a made-up token was answered with \(subject.phrase).",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: "Answer 200 when the token is unknown, expired or revoked: it is as good as revoked."
            )
        }
    )

    package static let credentialsAreRequired = Check(
        "revocation.no-credentials.is-refused",
        "A confidential client cannot revoke without its secret",
        .must,
        .safety,
        Citation(
            .rfc7009,
            "2.1",
            "The authorization server first validates the client credentials (in case of a confidential client)"
        ),
        why: "Whoever gets hold of a token can end other people's sessions, and find out which tokens are good.",
        endangers: .everybody,
        reads: Redemptions.confidential(Conversations.answer(.accessTokenLife, .revokedByNobody)),
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return unchecked("without the client's secret", subject)
        }
    )

    package static let wrongSecretIsRefused = Check(
        "revocation.wrong-secret.is-refused",
        "A confidential client cannot revoke with a wrong secret",
        .must,
        .safety,
        Citation(
            .rfc7009,
            "2.1",
            "If this validation fails, the request is refused and the client is informed of the error"
        ),
        why: "Whoever gets hold of a token can revoke it in the client's name: the secret protects nothing here.",
        endangers: .everybody,
        reads: Redemptions.confidential(Conversations.answer(.accessTokenLife, .revokedWithWrongSecret)),
        excusedBy: ["revocation.no-credentials.is-refused", "token.code.needs-the-right-secret"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return unchecked("with a wrong secret", subject)
        }
    )

    package static let all: [Check] = [
        accessTokenIsTaken, refreshTokenIsTaken, unknownIsTaken, credentialsAreRequired, wrongSecretIsRefused,
    ]

    private static func advice(_ subject: AnsweredCall, _ otherwise: String) -> String {
        subject.error == "invalid_client"
            ? "Let the client authenticate here as it does at the token endpoint, and say so in "
                + "revocation_endpoint_auth_methods_supported." : otherwise
    }

    private static func unchecked(_ how: String, _ subject: AnsweredCall) -> Finding {
        Finding(
            "A revocation request \(how) was answered with HTTP status \(subject.response.status).",
            at: "client_secret",
            expected: "HTTP status 401 and invalid_client",
            found: subject.phrase,
            fix: "Authenticate the client at the revocation endpoint before anything else."
        )
    }
}
