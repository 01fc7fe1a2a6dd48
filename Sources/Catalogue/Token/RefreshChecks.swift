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

    static let succeedsAgain = Check(
        "token.refresh.succeeds-again",
        "The token endpoint issues an access token at the second refresh too",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "6",
            "in which case the client MUST discard the old refresh token and replace it with the new refresh token"
        ),
        why: "Users are signed out when their second access token expires.",
        reads: StepResults.answer(.refresh, .refreshAgain),
        supersededBy: ["token.refresh.succeeds", "token.refresh.members-are-valid"],
        exempt: { _, facts in
            facts.answer(.refresh, .refresh)?.issuedTokens == true ? nil : "the first refresh issued no tokens"
        },
        finding: { subject, facts in
            guard !subject.issuedTokens else { return nil }
            let isReplaced = facts.answer(.refresh, .refresh)?.answer.refreshToken != nil
            return Finding(
                "The token endpoint returns \(subject.phrase) for \(isReplaced ? "the refresh token that replaced" : "a second use of") the first one.",
                at: "refresh_token",
                expected: "HTTP status 200 and an access token",
                found: subject.phrase,
                fix: isReplaced
                    ? "Store the refresh token that each refresh response returns, and accept it at the next refresh."
                    : "Keep a refresh token valid until a response replaces it, or return a new one with each refresh."
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
        finding: { subject, _ in TokenResponseChecks.mayBeStored(subject.0.response, "The refresh response") }
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
        Citation(.rfc6749, "6", "if omitted is treated as equal to the scope originally granted by the resource owner"),
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

    static let membersAreValid = Check(
        "token.refresh.members-are-valid",
        "The refresh response has the status and member types of a token response",
        .must,
        .conformance,
        Citation(.rfc6749, "6", "as described in Section 5.1"),
        why: "A typed client that accepts the first response rejects this one, and its user is signed out.",
        reads: TokenLife.refreshSuccess,
        supersededBy: [
            "token.success.status-is-200", "token.expires-in.is-a-number", "token.expires-in.is-readable",
            "token.expires-in.is-not-negative", "token.scope.is-legal", "token.refresh-token.is-a-text",
        ],
        rule: { subject, _ in
            var findings: [Finding] = []
            func expect(_ isRight: Bool, _ member: String, _ expected: String, _ fix: String) {
                guard !isRight else { return }
                let found = member == "status" ? "HTTP status \(subject.0.response.status)" : subject.1[member]?.shown
                findings.append(
                    Finding(
                        "\(member) of the refresh response is not \(expected).",
                        at: member,
                        expected: expected,
                        found: found ?? "missing",
                        fix: fix
                    )
                )
            }
            expect(subject.0.response.status == 200, "status", "HTTP status 200", "Return HTTP status 200.")
            for member in ["scope", "refresh_token"] where subject.1.has(member) {
                let text = subject.1[member]?.stringValue
                let isRight = member == "scope" ? text != nil : text?.isEmpty == false
                expect(isRight, member, "a non-empty string", "Return \(member) as a string, or omit it.")
            }
            if subject.1.has("expires_in") {
                let isRight = subject.1["expires_in"]?.numberValue.map { $0 >= 0 } ?? false
                let fix = "Write the lifetime as a number of seconds, as in \"expires_in\": 3600."
                expect(isRight, "expires_in", "a non-negative number", fix)
            }
            return findings
        }
    )

    static let userIsSame = Check(
        "token.refresh.userinfo-has-the-same-sub",
        "UserInfo returns the sub of the ID Token for a refreshed access token",
        .must,
        .safety,
        Citation(.core, "5.3.2", "MUST be verified to exactly match the sub Claim in the ID Token"),
        why: "The client rejects the response, or shows the data of another user.",
        reads: StepResults.answer(.refresh, .userInfo),
        supersededBy: [
            "userinfo.sub.is-present", "userinfo.sub.matches-id-token", "userinfo.sub.is-the-same-by-one-scope",
        ],
        exempt: { subject, facts in
            let isRefreshed = facts.answer(.refresh, .refresh)?.issuedTokens == true
            if !isRefreshed { return "the refresh response has no access token" }
            if subject.response.status != 200 { return "UserInfo returned no claims for the refreshed access token" }
            if subject.object == nil { return "the UserInfo response is not a JSON object" }
            return UserInfoQueries.tokenSubject(subject.asked, facts) == nil ? "there is no ID Token with a sub" : nil
        },
        finding: { subject, facts in
            guard let object = subject.object, let expected = UserInfoQueries.tokenSubject(subject.asked, facts),
                object["sub"]?.stringValue?.hasSameBytes(as: expected) != true
            else { return nil }
            return .claim(
                "sub",
                object["sub"] == nil
                    ? "UserInfo has no sub for a refreshed access token."
                    : "sub at UserInfo differs from sub in the ID Token for a refreshed access token.",
                expected: expected.shown(),
                found: object["sub"],
                fix: "Return the sub of the user who signed in, whichever grant issued the access token."
            )
        }
    )

    package static let all: [Check] = [
        membersAreValid, userIsSame, succeeds, succeedsAgain, contentTypeIsJSON, isNotStored, typeIsBearer,
        accessTokenIsNew, accessTokenIsUsable,
    ]
}
