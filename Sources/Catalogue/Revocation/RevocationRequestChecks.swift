package import Conformance

/// Responses of the revocation endpoint (RFC 7009 section 2).
package enum RevocationRequestChecks {
    static let accessTokenIsAccepted = Check(
        "revocation.access-token.is-taken",
        "The revocation endpoint revokes the client's own access token",
        .should,
        .conformance,
        Citation(.rfc7009, "2", "SHOULD support the revocation of access tokens"),
        why: "After a sign-out, the access token can still be used to read the user's data until it expires.",
        reads: StepResults.answer(.accessTokenLife, .revoke),
        supersededBy: ["revocation.refresh-token.is-taken"],
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The revocation endpoint rejects the client's own access token: \(subject.phrase).",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: advice(subject, "Revoke the access token and return HTTP status 200.")
            )
        }
    )

    static let refreshTokenIsAccepted = Check(
        "revocation.refresh-token.is-taken",
        "The revocation endpoint revokes the client's own refresh token",
        .must,
        .conformance,
        Citation(.rfc7009, "2", "Implementations MUST support the revocation of refresh tokens"),
        why: "After a sign-out, the refresh token still yields new access tokens.",
        reads: StepResults.answer(.revokeRefreshToken, .revoke),
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The revocation endpoint rejects the client's own refresh token: \(subject.phrase).",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: advice(subject, "Revoke the refresh token and return HTTP status 200.")
            )
        }
    )

    static let unknownIsAccepted = Check(
        "revocation.unknown-token.has-200",
        "The revocation endpoint returns HTTP status 200 for a bogus token",
        .should,
        .conformance,
        Citation(.rfc7009, "2.2", "invalid tokens do not cause an error response"),
        why: "Clients report a failed sign-out although there is nothing to revoke.",
        reads: StepResults.answer(.accessTokenLife, .revokedBogus),
        supersededBy: ["revocation.access-token.is-taken"],
        exempt: { subject, _ in
            ["invalid_client", "unauthorized_client"].contains(subject.error)
                ? "the client was rejected before the token was checked" : nil
        },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The revocation endpoint returns \(subject.phrase) for a bogus token.",
                at: "token",
                expected: "HTTP status 200",
                found: subject.phrase,
                fix: "Return HTTP status 200 if the token is unknown, expired or already revoked."
            )
        }
    )

    static let credentialsAreRequired = Check(
        "revocation.no-credentials.is-refused",
        "The revocation endpoint rejects a confidential client without its secret",
        .must,
        .safety,
        Citation(
            .rfc7009,
            "2.1",
            "The authorization server first validates the client credentials (in case of a confidential client)"
        ),
        why: "An attacker with stolen tokens can end users' sessions, and find out which tokens are valid.",
        endangers: .allUsers,
        reads: IncorrectRedemptions.confidential(StepResults.answer(.accessTokenLife, .revokedWithoutClient)),
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return unchecked("without the client's secret", subject)
        }
    )

    static let wrongSecretIsRefused = Check(
        "revocation.wrong-secret.is-refused",
        "The revocation endpoint rejects a confidential client with a wrong secret",
        .must,
        .safety,
        Citation(
            .rfc7009,
            "2.1",
            "If this validation fails, the request is refused and the client is informed of the error"
        ),
        why: "An attacker with a stolen token can revoke it in the client's name without knowing the secret.",
        endangers: .allUsers,
        reads: IncorrectRedemptions.confidential(StepResults.answer(.accessTokenLife, .revokedWithWrongSecret)),
        supersededBy: ["revocation.no-credentials.is-refused", "token.code.needs-the-right-secret"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return unchecked("with a wrong secret", subject)
        }
    )

    static let otherClientRevokesNothing = Check(
        "revocation.other-client.revokes-nothing",
        "An access token still works after another client has sent it to the revocation endpoint",
        .must,
        .safety,
        Citation(.rfc7009, "2.1", "verifies whether the token was issued to the client making the revocation request"),
        why: "An attacker with a client of their own and stolen tokens can end the users' sessions at other clients.",
        endangers: .allUsers,
        reads: StepResults.answer(.accessTokenLife, .afterOtherClient),
        supersededBy: ["revocation.no-credentials.is-refused"],
        exempt: { _, facts in
            facts.answer(.accessTokenLife, .get)?.isSuccess == true
                ? nil : "UserInfo did not accept the token before, which another check reports"
        },
        finding: { subject, facts in
            guard !subject.isSuccess else { return nil }
            return Finding(
                "UserInfo rejects the access token after the client \((facts.target.otherClient?.id ?? "").quoted) revoked it.",
                at: "token",
                expected: "HTTP status 200 at UserInfo",
                found: subject.phrase,
                fix: "Compare the client of the token with the authenticated client before revoking the token."
            )
        }
    )

    package static let all: [Check] = [
        accessTokenIsAccepted, refreshTokenIsAccepted, unknownIsAccepted, credentialsAreRequired, wrongSecretIsRefused,
        otherClientRevokesNothing,
    ]

    private static func advice(_ subject: CallResult, _ otherwise: String) -> String {
        subject.error == "invalid_client"
            ? "Accept the client authentication method of the token endpoint here too, and list it in "
                + "revocation_endpoint_auth_methods_supported." : otherwise
    }

    private static func unchecked(_ how: String, _ subject: CallResult) -> Finding {
        Finding(
            "The revocation endpoint returns HTTP status \(subject.response.status) for a request \(how).",
            at: "client_secret",
            expected: "HTTP status 401 and invalid_client",
            found: subject.phrase,
            fix: "Authenticate the client at the revocation endpoint before looking up the token."
        )
    }
}
