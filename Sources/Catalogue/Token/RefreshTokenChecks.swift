package import Conformance
import JSONTree

/// Refresh tokens that must open nothing, and what refresh tokens are like.
package enum RefreshTokenChecks {
    package static let madeUpIsRefused = Check(
        "token.refresh.made-up-is-refused",
        "A refresh token that was never issued yields no tokens",
        .must,
        .safety,
        Citation(.rfc6749, "6", "validate the refresh token"),
        why: "Anybody could go on with the session of somebody.",
        endangers: .everybody,
        reads: Conversations.answer(.refresh, .madeUp),
        excusedBy: ["token.made-up-code.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.gaveTokens else { return nil }
            return Finding(
                "A made-up refresh token was answered with \(subject.phrase).",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Refuse refresh tokens that were not issued."
            )
        }
    )

    package static let madeUpIsInvalidGrant = Check(
        "token.refresh.made-up-has-invalid-grant",
        "A refresh token that was never issued gets the error invalid_grant",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "5.2",
            "authorization code, resource owner credentials) or refresh token is invalid, expired, revoked"
        ),
        why: "Clients begin a new sign-in on invalid_grant and report a failure on anything else.",
        reads: Conversations.answer(.refresh, .madeUp),
        excusedBy: [
            "token.refresh.made-up-is-refused", "token.error.has-error-member", "token.made-up-code.has-invalid-grant",
            "token.refresh.succeeds",
        ],
        exempt: { subject, _ in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            return subject.error == nil ? "this error has no error member, which another check reports" : nil
        },
        finding: { subject, _ in
            guard !subject.gaveTokens, subject.error != "invalid_grant" else { return nil }
            return Finding(
                "A made-up refresh token was answered with \(subject.phrase).",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_grant for refresh tokens that are unknown, expired or revoked."
            )
        }
    )

    package static let widerScopeIsRefused = Check(
        "token.refresh.wider-scope-is-refused",
        "A refresh token gives no scope that was not granted",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "6",
            "The requested scope MUST NOT include any scope not originally granted by the resource owner"
        ),
        why: "Whoever holds a refresh token takes more than anybody has allowed.",
        reads: Conversations.answer(.refresh, .wider),
        passesOn: .refusal,
        exempt: { subject, _ in
            guard subject.gaveTokens, subject.scopes == nil else { return nil }
            return "tokens came without a scope, so what they are good for cannot be told"
        },
        finding: { subject, facts in
            guard subject.gaveTokens, let given = subject.scopes, let granted = grantedScopes(facts) else { return nil }
            let gained = given.filter { !granted.contains($0) }
            guard !gained.isEmpty else { return nil }
            return Finding(
                "A refresh token brought an access token with more scopes than were granted.",
                at: "scope",
                expected: granted.joined(separator: " "),
                found: given.joined(separator: " ").shown(),
                fix: "Refuse with invalid_scope, or give no more than the scopes of the refresh token."
            )
        }
    )

    package static let isBoundToClient = Check(
        "token.refresh.other-client-is-refused",
        "A refresh token opens nothing for another client",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "10.4",
            "The authorization server MUST maintain the binding between a refresh token and the client to whom it was issued."
        ),
        why: "Whoever runs another application at the provider can go on with the sessions of this one.",
        reads: Conversations.answer(.refresh, .otherClient),
        excusedBy: ["token.made-up-code.is-refused", "token.refresh.made-up-is-refused"],
        passesOn: .refusal,
        exempt: { subject, _ in
            subject.clientRefusal == nil ? nil : "the other client was refused before the refresh token was looked at"
        },
        finding: { subject, _ in
            guard subject.gaveTokens else { return nil }
            return Finding(
                "A refresh token brought tokens for a client that it had not been issued to.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Keep the client with every refresh token and compare it with the one that authenticates."
            )
        }
    )

    package static let publicOnesRotate = Check(
        "token.refresh.rotates-for-public-clients",
        "A public client gets a new refresh token for the one that it used",
        // Core does not ask for it: profiles of public clients, and that of RFC 9700, make it an error.
        .risk,
        .safety,
        Citation(
            .rfc9700,
            "2.2.2",
            "Refresh tokens for public clients MUST be sender-constrained or use refresh token rotation"
        ),
        why: "A thief uses a refresh token from a browser or a phone for as long as the session, and nobody notices.",
        reads: TokenLife.refreshSuccess,
        unless: { facts in
            isConfidential(facts) ? "the client authenticates, which a thief of the refresh token cannot do" : nil
        },
        finding: { subject, _ in
            let next = subject.0.answer.refreshToken
            guard next == nil || next?.isRepeated == true else { return nil }
            return Finding(
                "A public client's refresh token was used and not replaced.",
                at: "/refresh_token",
                expected: "another refresh token",
                found: next == nil ? "none" : "the same one",
                fix: "Switch refresh token rotation on for public clients."
            )
        }
    )

    package static let replacedIsRefused = Check(
        "token.refresh.replaced-is-refused",
        "A refresh token that was replaced by another is refused",
        .risk,
        .safety,
        Citation(.rfc9700, "4.14.2", "The previous refresh token is invalidated"),
        why: "A thief still opens the session with a refresh token that was rotated, so rotation protects nobody.",
        reads: Conversations.answer(.refresh, .replaced),
        excusedBy: [
            "token.made-up-code.is-refused", "token.refresh.made-up-is-refused",
            "token.refresh.other-client-is-refused",
        ],
        // Rotation is what public clients have in the place of credentials (section 2.2.2).
        passesOn: .refusal,
        unless: { facts in
            isConfidential(facts) ? "the client authenticates, which a thief of the refresh token cannot do" : nil
        },
        finding: { subject, _ in
            guard subject.gaveTokens else { return nil }
            return Finding(
                "A refresh token that had been replaced brought tokens once more.",
                at: "refresh_token",
                expected: "HTTP status 400 and invalid_grant",
                found: subject.phrase,
                fix: "Refuse a refresh token after its successor was issued, and revoke the successor with it; "
                    + "make a period of grace as short as you can."
            )
        }
    )

    package static let all: [Check] = [
        madeUpIsRefused, madeUpIsInvalidGrant, widerScopeIsRefused, isBoundToClient,
        publicOnesRotate,
        replacedIsRefused,
    ]

    /// Whether the client that redeems codes has a secret or a key of its own.
    @Sendable private static func isConfidential(_ facts: Facts) -> Bool {
        facts.target.flows.first(where: \.hasCode).flatMap(facts.target.client)?.isConfidential == true
    }

    /// What the code's token response granted, or what was asked for when it does not say (RFC 6749 section 5.1).
    private static func grantedScopes(_ facts: Facts) -> [String]? {
        let answer = Conversations.answer(.refresh).samples(facts).first?.observation.value
        return answer?.scopes ?? answer?.asked.askedScopes
    }
}

extension AnsweredCall {
    /// The words of the `scope` member; `nil` when there is none.
    fileprivate var scopes: [String]? {
        object?["scope"]?.stringValue.map { $0.split(separator: " ").map(String.init) }
    }
}
