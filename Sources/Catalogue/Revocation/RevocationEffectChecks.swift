package import Conformance

/// What a revocation that was answered with success does.
package enum RevocationEffectChecks {
    private static let notRevoked = "the token was not revoked, which another check reports"

    package static let accessTokenIsDead = Check(
        "revocation.access-token.opens-nothing-afterwards",
        "An access token that was revoked opens UserInfo no more",
        // "Implementations MUST support the revocation of refresh tokens and SHOULD support the revocation of access
        // tokens" (section 2): one that is read without asking its issuer lives on until it expires.
        .should,
        .safety,
        Citation(.rfc7009, "2.1", "the token cannot be used again after the revocation"),
        why: "After a sign-out that was reported as done, whoever has the token still reads the person's data.",
        reads: Conversations.answer(.accessTokenLife, .userInfo),
        excusedBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        exempt: { _, facts in
            facts.answer(.accessTokenLife, .revoke)?.response.status == 200 ? nil : notRevoked
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo took an access token right after its revocation was confirmed.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Look revoked tokens up at UserInfo, or answer unsupported_token_type for access tokens."
            )
        }
    )

    package static let refreshTokenIsDead = Check(
        "revocation.refresh-token.opens-nothing-afterwards",
        "A refresh token that was revoked brings no tokens",
        .must,
        .safety,
        Citation(.rfc7009, "2.1", "the token cannot be used again after the revocation"),
        why: "After a sign-out that was reported as done, whoever has the refresh token goes on with the session.",
        reads: Conversations.answer(.revokeRefreshToken, .refresh),
        excusedBy: ["token.made-up-code.is-refused", "token.refresh.made-up-is-refused"],
        passesOn: .refusal,
        exempt: { _, facts in
            facts.answer(.revokeRefreshToken, .revoke)?.response.status == 200 ? nil : notRevoked
        },
        finding: { subject, _ in
            guard subject.gaveTokens else { return nil }
            return Finding(
                "A refresh token brought tokens right after its revocation was confirmed.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Delete the refresh token in the same step that confirms its revocation."
            )
        }
    )

    package static let accessTokenFalls = Check(
        "revocation.refresh-token.ends-access-tokens",
        "The access tokens of a grant end with its refresh token",
        .should,
        .safety,
        Citation(
            .rfc7009,
            "2.1",
            "SHOULD also invalidate all access tokens based on the same authorization grant"
        ),
        why: "After a sign-out whoever has the access token goes on reading the person's data until it runs out.",
        reads: Conversations.answer(.revokeRefreshToken, .userInfo),
        excusedBy: [
            "revocation.refresh-token.opens-nothing-afterwards", "revocation.access-token.opens-nothing-afterwards",
            "revocation.access-token.is-taken", "token.refresh-token.has-legal-characters",
            "userinfo.no-token.is-refused", "userinfo.bad-token.is-refused",
        ],
        passesOn: .refusal,
        exempt: { _, facts in
            facts.answer(.revokeRefreshToken, .revoke)?.response.status == 200 ? nil : notRevoked
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo took an access token whose refresh token had been revoked.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Revoke the access tokens of a grant together with its refresh token."
            )
        }
    )

    package static let all: [Check] = [accessTokenIsDead, refreshTokenIsDead, accessTokenFalls]
}
