package import Conformance
import JSONTree

/// What a refresh token brings (RFC 6749 section 6).
package enum RefreshChecks {
    package static let succeeds = Check(
        "token.refresh.succeeds",
        "A refresh token brings a new access token",
        .must,
        .conformance,
        Citation(.rfc6749, "6", "If valid and authorized, the authorization server issues an access token"),
        why: "People are signed out as soon as their first access token has run out.",
        reads: TokenLife.refreshed,
        excusedBy: [
            "token.refresh-token.has-legal-characters", "token.client-authentication.is-accepted",
            "token.access-token.is-present", "token.body.is-json-object",
        ],
        finding: { subject, _ in
            guard !subject.gaveTokens else { return nil }
            return Finding(
                "A refresh token that had just been issued was answered with \(subject.phrase).",
                at: "refresh_token",
                expected: "HTTP status 200 and an access token",
                found: subject.phrase,
                fix: subject.error == "unauthorized_client"
                    ? "Allow the refresh_token grant for this client, or issue no refresh tokens to it."
                    : "Accept the refresh tokens that were issued to this client; see the provider's log."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "token.refresh.content-type-is-json",
        "The answer to a refresh token is marked as application/json",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "using the \"application/json\" media type"),
        why: "Client libraries refuse to read tokens from an answer of another media type.",
        reads: TokenLife.refreshed,
        excusedBy: ["token.content-type.is-json"],
        exempt: { subject, _ in subject.isSuccess ? nil : "the refresh token was refused" },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The answer to a refresh token") }
    )

    package static let isNotStored = Check(
        "token.refresh.has-no-store",
        "The answer to a refresh token says Cache-Control: no-store",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "MUST include the HTTP \"Cache-Control\" response header field"),
        why: "Nothing forbids a cache on the way to keep the tokens, though answers to POST are seldom kept.",
        reads: TokenLife.refreshSuccess,
        excusedBy: ["token.cache-control.has-no-store"],
        finding: { subject, _ in
            TokenResponseChecks.mayBeStored(subject.0.response, "The answer to a refresh token")
        }
    )

    package static let typeIsBearer = Check(
        "token.refresh.token-type-is-bearer",
        "The answer to a refresh token says token_type Bearer",
        .must,
        .conformance,
        Citation(.rfc6749, "6", "as described in Section 5.1"),
        why: "Clients refuse an access token whose type they are not told.",
        reads: TokenLife.refreshSuccess,
        excusedBy: ["token.token-type.is-present", "token.token-type.is-bearer"],
        finding: { subject, _ in
            TokenType(subject.1["token_type"])
                .finding(
                    "The answer to a refresh token does not say that the access token is a Bearer token.",
                    at: "/token_type",
                    fix: "Return \"token_type\": \"Bearer\" with a refreshed access token too."
                )
        }
    )

    package static let accessTokenIsNew = Check(
        "token.refresh.access-token-is-new",
        "The access token that a refresh token brings is a new one",
        .may,
        .conformance,
        Citation(.rfc6749, "6", "the authorization server issues an access token"),
        why: "The same token again ends when the first would have ended, whatever expires_in says.",
        reads: TokenLife.refreshSuccess,
        excusedBy: ["token.access-token.has-legal-characters", "token.access-token.is-varied"],
        finding: { subject, _ in
            guard subject.0.answer.accessToken?.isRepeated == true else { return nil }
            return Finding(
                "The refresh token brought the access token that had been issued before.",
                at: "/access_token",
                expected: "another access token",
                found: "the same one",
                fix: "Issue an access token with a lifetime of its own for every refresh token that is used."
            )
        }
    )

    package static let accessTokenIsUsable = Check(
        "token.refresh.access-token-is-usable",
        "The access token that a refresh token brings opens UserInfo",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "6",
            "if omitted is treated as equal to the scope originally granted by the resource owner"
        ),
        why: "The application fails as soon as the first access token has run out.",
        reads: Conversations.answer(.refresh, .userInfo),
        excusedBy: ["userinfo.status.is-200", "token.access-token.has-legal-characters", "token.refresh.succeeds"],
        exempt: { _, facts in
            facts.answer(.refresh, .refresh)?.gaveTokens == true ? nil : "the refresh token brought no access token"
        },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo answered with HTTP status \(subject.response.status) to a refreshed access token.",
                at: "/access_token",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Give a refreshed access token the scopes and the audience of the first."
            )
        }
    )

    package static let all: [Check] = [
        succeeds, contentTypeIsJSON, isNotStored, typeIsBearer, accessTokenIsNew, accessTokenIsUsable,
    ]
}
