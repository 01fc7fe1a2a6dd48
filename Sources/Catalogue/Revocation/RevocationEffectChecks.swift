package import Conformance

/// The effect of a successful revocation.
package enum RevocationEffectChecks {
    private static let notRevoked = "the token was not revoked, which another check reports"

    static let accessTokenIsDead = Check(
        "revocation.access-token.opens-nothing-afterwards",
        "UserInfo rejects a revoked access token",
        // "Implementations MUST support the revocation of refresh tokens and SHOULD support the revocation of access
        // tokens" (section 2): a self-contained token stays valid until it expires.
        .should,
        .safety,
        Citation(.rfc7009, "2.1", "the token cannot be used again after the revocation"),
        why: "After a successful sign-out, an attacker with a stolen access token can still read the user's data.",
        reads: StepResults.answer(.accessTokenLife, .userInfo),
        supersededBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        exempt: { _, facts in facts.answer(.accessTokenLife, .revoke)?.outcome == .granted ? nil : notRevoked },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo accepts an access token right after its revocation succeeded.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix:
                    "Reject revoked tokens at UserInfo, or return unsupported_token_type when a client revokes an access token."
            )
        }
    )

    static let refreshTokenIsDead = Check(
        "revocation.refresh-token.opens-nothing-afterwards",
        "The token endpoint rejects a revoked refresh token",
        .must,
        .safety,
        Citation(.rfc7009, "2.1", "the token cannot be used again after the revocation"),
        why: "After a successful sign-out, an attacker with a stolen refresh token can continue the session.",
        reads: StepResults.answer(.revokeRefreshToken, .refresh),
        supersededBy: ["token.made-up-code.is-refused", "token.refresh.made-up-is-refused"],
        passesOn: .refusal,
        exempt: { _, facts in facts.answer(.revokeRefreshToken, .revoke)?.outcome == .granted ? nil : notRevoked },
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues tokens for a refresh token right after its revocation succeeded.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Delete the refresh token before returning HTTP status 200 for its revocation."
            )
        }
    )

    static let accessTokenFalls = Check(
        "revocation.refresh-token.ends-access-tokens",
        "UserInfo rejects an access token whose refresh token was revoked",
        .should,
        .safety,
        Citation(.rfc7009, "2.1", "SHOULD also invalidate all access tokens based on the same authorization grant"),
        why:
            "After a sign-out, an attacker with a stolen access token can read the user's data until the token expires.",
        reads: StepResults.answer(.revokeRefreshToken, .userInfo),
        supersededBy: [
            "revocation.refresh-token.opens-nothing-afterwards", "revocation.access-token.opens-nothing-afterwards",
            "revocation.access-token.is-taken", "token.refresh-token.has-legal-characters",
            "userinfo.no-token.is-refused", "userinfo.bad-token.is-refused",
        ],
        passesOn: .refusal,
        exempt: { _, facts in facts.answer(.revokeRefreshToken, .revoke)?.outcome == .granted ? nil : notRevoked },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo accepts an access token whose refresh token was revoked.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Revoke all access tokens of a grant together with its refresh token."
            )
        }
    )

    package static let all: [Check] = [accessTokenIsDead, refreshTokenIsDead, accessTokenFalls]
}
