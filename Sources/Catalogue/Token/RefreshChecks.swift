package import Conformance
import JSONTree

/// Responses to refresh tokens (RFC 6749 section 6).
package enum RefreshChecks {
    static let succeeds = Check(
        "token.refresh.succeeds",
        "The token endpoint issues an access token for a refresh token",
        .must,
        .conformance,
        Citation(.rfc6749, "6", "If valid and authorized, the authorization server issues an access token"),
        why: "Users are signed out as soon as their first access token expires.",
        reads: TokenLife.refreshed,
        supersededBy: [
            "token.refresh-token.has-legal-characters", "token.client-authentication.is-accepted",
            "token.access-token.is-present", "token.body.is-json-object",
        ],
        finding: { subject, _ in
            guard !subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a fresh refresh token.",
                at: "refresh_token",
                expected: "HTTP status 200 and an access token",
                found: subject.phrase,
                fix: subject.error == "unauthorized_client"
                    ? "Allow the refresh_token grant for this client, or do not issue refresh tokens to it."
                    : "Accept the refresh tokens issued to this client; see the provider's log for the reason."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "token.refresh.content-type-is-json",
        "The refresh response has the media type application/json",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "using the \"application/json\" media type"),
        why: "Client libraries reject a token response with another media type.",
        reads: TokenLife.refreshed,
        supersededBy: ["token.content-type.is-json"],
        exempt: { subject, _ in subject.isSuccess ? nil : "the token endpoint rejected the refresh token" },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The refresh response") }
    )

    static let isNotStored = Check(
        "token.refresh.has-no-store",
        "The refresh response has Cache-Control: no-store",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "MUST include the HTTP \"Cache-Control\" response header field"),
        why: "An intermediate cache may store the tokens, although caches rarely store responses to POST.",
        reads: TokenLife.refreshSuccess,
        supersededBy: ["token.cache-control.has-no-store"],
        finding: { subject, _ in
            TokenResponseChecks.mayBeStored(subject.0.response, "The refresh response")
        }
    )

    static let typeIsBearer = Check(
        "token.refresh.token-type-is-bearer",
        "The refresh response has token_type Bearer",
        .must,
        .conformance,
        Citation(.rfc6749, "6", "as described in Section 5.1"),
        why: "Clients reject an access token without a known token_type.",
        reads: TokenLife.refreshSuccess,
        supersededBy: ["token.token-type.is-present", "token.token-type.is-bearer"],
        finding: { subject, facts in
            TokenType(subject.1["token_type"])
                .finding(
                    facts,
                    "The refresh response has no token_type Bearer.",
                    at: "/token_type",
                    fix: "Return \"token_type\": \"Bearer\" in refresh responses too."
                )
        }
    )

    static let accessTokenIsNew = Check(
        "token.refresh.access-token-is-new",
        "The refresh response has a new access token",
        .may,
        .conformance,
        Citation(.rfc6749, "6", "the authorization server issues an access token"),
        why: "A repeated access token expires with the first one, whatever expires_in says.",
        reads: TokenLife.refreshSuccess,
        supersededBy: ["token.access-token.has-legal-characters", "token.access-token.is-varied"],
        finding: { subject, _ in
            guard subject.0.answer.accessToken?.isRepeated == true else { return nil }
            return Finding(
                "The refresh response repeats the access token that was issued before.",
                at: "/access_token",
                expected: "another access token",
                found: "the same access token",
                fix: "Issue a new access token with its own lifetime each time a refresh token is used."
            )
        }
    )

    static let accessTokenIsUsable = Check(
        "token.refresh.access-token-is-usable",
        "UserInfo accepts the access token of the refresh response",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "6",
            "if omitted is treated as equal to the scope originally granted by the resource owner"
        ),
        why: "The client fails as soon as the first access token expires.",
        reads: StepResults.answer(.refresh, .userInfo),
        supersededBy: ["userinfo.status.is-200", "token.access-token.has-legal-characters", "token.refresh.succeeds"],
        exempt: { _, facts in
            facts.answer(.refresh, .refresh)?.issuedTokens == true ? nil : "the refresh response has no access token"
        },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a refreshed access token.",
                at: "/access_token",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Issue the refreshed access token with the scopes and the audience of the first one."
            )
        }
    )

    package static let all: [Check] = [
        succeeds, contentTypeIsJSON, isNotStored, typeIsBearer, accessTokenIsNew, accessTokenIsUsable,
    ]
}
