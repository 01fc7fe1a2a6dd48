package import Conformance
import JSONTree

/// Refresh tokens that must be rejected, and their rotation.
package enum RefreshTokenChecks {
    static let bogusIsRefused = Check(
        "token.refresh.made-up-is-refused",
        "The token endpoint rejects a bogus refresh token",
        .must,
        .safety,
        Citation(.rfc6749, "6", "validate the refresh token"),
        why: "An attacker can continue the session of any user.",
        endangers: .allUsers,
        reads: StepResults.answer(.refresh, .bogus),
        supersededBy: ["token.made-up-code.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues tokens for a bogus refresh token: \(subject.phrase).",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Return HTTP status 400 and error invalid_grant for every refresh token that was not issued."
            )
        }
    )

    static let bogusIsInvalidGrant = Check(
        "token.refresh.made-up-has-invalid-grant",
        "The token endpoint returns invalid_grant for a bogus refresh token",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "5.2",
            "authorization code, resource owner credentials) or refresh token is invalid, expired, revoked"
        ),
        why: "Clients start a new sign-in on invalid_grant and report a failure on any other error.",
        reads: StepResults.answer(.refresh, .bogus),
        supersededBy: [
            "token.refresh.made-up-is-refused", "token.error.has-error-member", "token.made-up-code.has-invalid-grant",
            "token.refresh.succeeds",
        ],
        exempt: { subject, _ in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            return subject.error == nil ? "the response has no error member, which another check reports" : nil
        },
        finding: { subject, _ in
            guard !subject.issuedTokens, subject.error != "invalid_grant" else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a bogus refresh token.",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_grant for refresh tokens that are unknown, expired or revoked."
            )
        }
    )

    static let widerScopeIsRefused = Check(
        "token.refresh.wider-scope-is-refused",
        "The token endpoint does not grant additional scopes for a refresh token",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "6",
            "The requested scope MUST NOT include any scope not originally granted by the resource owner"
        ),
        why: "An attacker with a leaked refresh token gets more access than the user granted.",
        reads: StepResults.answer(.refresh, .wider),
        passesOn: .refusal,
        exempt: { subject, _ in
            guard subject.issuedTokens, subject.scopes == nil else { return nil }
            return "the token response has no scope, so the granted scope is unknown"
        },
        finding: { subject, facts in
            guard subject.issuedTokens, let given = subject.scopes, let granted = grantedScopes(facts) else {
                return nil
            }
            let gained = given.filter { !granted.contains($0) }
            guard !gained.isEmpty else { return nil }
            return Finding(
                "The token endpoint issues an access token for a refresh token with more scopes than were granted.",
                at: "scope",
                expected: granted.joined(separator: " "),
                found: given.joined(separator: " ").shown(),
                fix: "Return invalid_scope, or limit the access token to the scopes of the refresh token."
            )
        }
    )

    static let isBoundToClient = Check(
        "token.refresh.other-client-is-refused",
        "The token endpoint rejects a refresh token that was issued to another client",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "10.4",
            "The authorization server MUST maintain the binding between a refresh token and the client to whom it was issued."
        ),
        why: "The operator of another client can continue this client's sessions with stolen refresh tokens.",
        reads: StepResults.answer(.refresh, .otherClient),
        supersededBy: ["token.made-up-code.is-refused", "token.refresh.made-up-is-refused"],
        passesOn: .refusal,
        exempt: { subject, _ in
            subject.clientRefusal == nil ? nil : "the other client was rejected before the refresh token was checked"
        },
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues tokens to a client for another client's refresh token.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Store client_id with every refresh token, and return invalid_grant to every other client."
            )
        }
    )

    static let needsAuthentication = Check(
        "token.refresh.needs-client-authentication",
        "The token endpoint rejects a confidential client's refresh token without the client's credentials",
        .must,
        .safety,
        Citation(.rfc6749, "6", "require client authentication for confidential clients"),
        why: "An attacker with a stolen refresh token can continue the session without the client's credentials.",
        reads: IncorrectRedemptions.confidential(unauthenticated),
        supersededBy: [
            "token.made-up-code.is-refused", "token.refresh.made-up-is-refused", "token.code.needs-the-right-secret",
            "token.code.needs-client-authentication",
        ],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues tokens for a refresh token, although the client's credentials are wrong or missing.",
                expected: "HTTP status 401 and error invalid_client",
                found: subject.phrase,
                fix: "Verify the client's credentials for every grant type, before the refresh token is read."
            )
        }
    )

    private static let unauthenticated: Query<CallResult> = {
        let steps = [
            ("wrong credentials", StepResults.answer(.refresh, .wrongSecret)),
            ("no credentials", StepResults.answer(.refresh, .identifierOnly)),
        ]
        return Query("refresh requests without the client's credentials", needs: steps[0].1.needs) { facts in
            steps.flatMap { label, query in
                query.samples(facts).map { Sample($0.observation, label: label, exchange: $0.exchange) }
            }
        }
    }()

    static let publicOnesRotate = Check(
        "token.refresh.rotates-for-public-clients",
        "The token endpoint replaces the refresh token of a public client when it is used",
        // Core does not require it; profiles of public clients and that of RFC 9700 make it an error.
        .risk,
        .safety,
        Citation(
            .rfc9700,
            "2.2.2",
            "Refresh tokens for public clients MUST be sender-constrained or use refresh token rotation"
        ),
        why:
            "An attacker can use a refresh token stolen from a browser or phone for the whole session without detection.",
        reads: TokenLife.refreshSuccess,
        unless: { facts in
            isConfidential(facts)
                ? "the client authenticates, which an attacker with a stolen refresh token cannot do" : nil
        },
        finding: { subject, _ in
            let next = subject.0.answer.refreshToken
            guard next == nil || next?.isRepeated == true else { return nil }
            return Finding(
                "The token endpoint does not replace a public client's refresh token when it is used.",
                at: "/refresh_token",
                expected: "another refresh token",
                found: next == nil ? "none" : "the same one",
                fix:
                    "Enable refresh token rotation for public clients: return a new refresh_token in every refresh response."
            )
        }
    )

    static let replacedIsRefused = Check(
        "token.refresh.replaced-is-refused",
        "The token endpoint rejects a refresh token that was already replaced",
        .risk,
        .safety,
        Citation(.rfc9700, "4.14.2", "The previous refresh token is invalidated"),
        why: "An attacker can continue the session with a stolen refresh token even after it was replaced.",
        reads: StepResults.answer(.refresh, .replaced),
        supersededBy: [
            "token.made-up-code.is-refused", "token.refresh.made-up-is-refused",
            "token.refresh.other-client-is-refused",
        ],
        // Public clients have rotation in place of credentials (section 2.2.2).
        passesOn: .refusal,
        unless: { facts in
            isConfidential(facts)
                ? "the client authenticates, which an attacker with a stolen refresh token cannot do" : nil
        },
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues tokens for a refresh token that was already replaced.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix:
                    "Reject a refresh token after its successor was issued, and revoke the successor if the old token is reused. "
                    + "Keep any grace period as short as possible."
            )
        }
    )

    package static let all: [Check] = [
        bogusIsRefused, bogusIsInvalidGrant, widerScopeIsRefused, isBoundToClient, needsAuthentication,
        publicOnesRotate, replacedIsRefused,
    ]

    /// Whether the client that redeems codes has a secret or a key of its own.
    @Sendable private static func isConfidential(_ facts: Facts) -> Bool {
        facts.target.flows.first(where: \.hasCode).flatMap(facts.target.client)?.isConfidential == true
    }

    /// The scopes granted in the token response; the requested scopes if it has none (RFC 6749 section 5.1).
    private static func grantedScopes(_ facts: Facts) -> [String]? {
        let answer = StepResults.answer(.refresh).samples(facts).first?.observation.value
        return answer?.scopes ?? answer?.asked.askedScopes
    }
}

extension CallResult {
    /// The words of the `scope` member; `nil` when there is none.
    fileprivate var scopes: [String]? {
        object?["scope"]?.stringValue.map { $0.split(separator: " ").map(String.init) }
    }
}
