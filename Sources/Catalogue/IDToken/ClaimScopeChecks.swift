package import Conformance
import JSONTree

/// The claims about the user in an ID Token, compared with the requested scopes.
package enum ClaimScopeChecks {
    static let updatedAtIsPlausible = ClaimTypeChecks.claims.updatedAtIsPlausible(.signIn)

    static let wereRequested = ClaimTypeChecks.claims.wereRequested(
        "The ID Token contains only requested claims about the user",
        why: "Claims in an ID Token are visible to everyone who stores or logs it."
    )

    static let areLeftToUserInfo = Check(
        "idtoken.claims.are-left-to-userinfo",
        "If an access token is issued, the claims of scopes are returned from UserInfo, not in the ID Token",
        .may,
        .conformance,
        Citation(
            .core,
            "5.4",
            "returned from the UserInfo Endpoint, as described in Section 5.3.2, when a response_type value is used that "
                + "results in an Access Token being issued"
        ),
        why:
            "The token grows and exposes the user's profile wherever it is stored, although many platforms read the claims there.",
        reads: StepResults.idTokens,
        supersededBy: mistyped,
        exempt: { token, facts in
            if let reason = StandardClaims.unlessAskedByScopes(token.asked) { return reason }
            if token.place == .offlineInput { return "the request that led to the token is not known" }
            if facts.metadata.value?.has("userinfo_endpoint") != true { return "the provider has no UserInfo endpoint" }
            return token.asked.responseType.hasCode || token.asked.responseType.hasToken
                ? nil : "without an access token, the claims belong in the ID Token"
        },
        finding: { token, _ in
            let present = StandardClaims.texts.filter(token.claims.has)
            guard let first = present.first else { return nil }
            return .claim(
                first,
                "The ID Token contains \(present.joined(separator: ", ")) although an access token is issued.",
                expected: "\(present.joined(separator: ", ")) from UserInfo only",
                found: token.claims[first],
                fix:
                    "Return \(present.joined(separator: ", ")) only from UserInfo, unless the platform reads them from the ID Token."
            )
        }
    )

    static let ofScopesArePresent = Check(
        "idtoken.claims.of-scopes-are-present",
        "With response_type id_token, the ID Token contains the claims of the requested scopes",
        .risk,
        .signIn,
        Citation(.core, "5.4", "when no Access Token is issued"),
        why: "Without an access token for UserInfo, the application never learns who signed in.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            if token.place == .offlineInput { return "the request that led to the token is not known" }
            if token.asked.responseType.hasCode || token.asked.responseType.hasToken {
                return "the claims are available from UserInfo"
            }
            return ["email", "profile"].contains(where: token.asked.askedScopes.contains)
                ? nil : "the request had neither the scope email nor profile"
        },
        rule: { token, _ in
            let wanted = [("email", ["email"]), ("profile", StandardClaims.profile)]
            return
                wanted.filter { scope, claims in
                    token.asked.askedScopes.contains(scope) && !claims.contains(where: token.claims.has)
                }
                .map { scope, claims in
                    .claim(
                        claims.first ?? scope,
                        "The request has the scope \(scope), but the ID Token contains none of its claims.",
                        expected: "the claims of the scope \(scope)",
                        found: nil,
                        fix: "Return the claims of the scope \(scope) in the ID Token for response_type id_token."
                    )
                }
        }
    )

    static let groupsAreLists = ClaimTypeChecks.claims.groupsAreLists()

    package static let all: [Check] = [
        updatedAtIsPlausible, wereRequested, areLeftToUserInfo, ofScopesArePresent, groupsAreLists,
    ]

    /// A finding about a wrong claim already shows that the claim is present.
    private static let mistyped: [CheckID] = [
        "idtoken.claims.have-right-types", "idtoken.claims.have-values", "idtoken.email.is-an-address",
        "idtoken.claims.were-asked-for",
    ]
}
