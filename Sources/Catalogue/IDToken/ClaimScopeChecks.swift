package import Conformance
import JSONTree

/// Which claims about the user an ID Token holds, and which of them were asked for.
package enum ClaimScopeChecks {
    package static let updatedAtIsPlausible = ClaimTypeChecks.claims.updatedAtIsPlausible(.signIn)

    package static let wereAskedFor = ClaimTypeChecks.claims.wereAskedFor(
        "The ID Token tells nothing about the user that was not asked for",
        why: "What is told to everybody who keeps tokens or logs them needs a reason."
    )

    package static let areLeftToUserInfo = Check(
        "idtoken.claims.are-left-to-userinfo",
        "The claims of scopes are at UserInfo, not in an ID Token beside an access token",
        .may,
        .conformance,
        Citation(
            .core,
            "5.4",
            "returned from the UserInfo Endpoint, as described in Section 5.3.2, when a response_type value is used that "
                + "results in an Access Token being issued"
        ),
        why:
            "The token grows, and tells the user's profile wherever it is kept; many platforms read it there all the same.",
        reads: Conversations.idTokens,
        excusedBy: mistyped,
        exempt: { token, facts in
            if let reason = StandardClaims.unlessAskedByScopes(token.asked) { return reason }
            if token.place == .handedIn { return "the conversation that the token comes from is not known" }
            if facts.metadata.value?.has("userinfo_endpoint") != true { return "the provider has no UserInfo endpoint" }
            return token.asked.responseType.hasCode || token.asked.responseType.hasToken
                ? nil : "without an access token the claims belong into the ID Token"
        },
        finding: { token, _ in
            let present = StandardClaims.texts.filter(token.claims.has)
            guard let first = present.first else { return nil }
            return .claim(
                first,
                "The ID Token holds \(present.joined(separator: ", ")), and an access token was issued.",
                expected: "these claims at UserInfo",
                found: token.claims[first],
                fix: "Nothing, if the platform reads the claims there; else return them from UserInfo only."
            )
        }
    )

    package static let ofScopesArePresent = Check(
        "idtoken.claims.of-scopes-are-present",
        "With id_token alone, the claims of the scopes are in the ID Token",
        .risk,
        .signIn,
        Citation(.core, "5.4", "when no Access Token is issued"),
        why: "There is no access token to ask UserInfo with: the application never learns who signed in.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            if token.place == .handedIn { return "the conversation that the token comes from is not known" }
            if token.asked.responseType.hasCode || token.asked.responseType.hasToken {
                return "the claims can be asked for at UserInfo"
            }
            return ["email", "profile"].contains(where: token.asked.askedScopes.contains)
                ? nil : "neither email nor profile was asked for"
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
                        "The scope \(scope) was asked for, and the ID Token has nothing of it.",
                        expected: "the claims of the scope \(scope)",
                        found: nil,
                        fix: "Return the claims of the scope \(scope) in ID Tokens of response type id_token."
                    )
                }
        }
    )

    package static let groupsAreLists = ClaimTypeChecks.claims.groupsAreLists()

    package static let all: [Check] = [
        updatedAtIsPlausible, wereAskedFor, areLeftToUserInfo, ofScopesArePresent, groupsAreLists,
    ]

    /// What is wrong with a claim says already that it is there.
    private static let mistyped: [CheckID] = [
        "idtoken.claims.have-right-types", "idtoken.claims.have-values", "idtoken.email.is-an-address",
        "idtoken.claims.were-asked-for",
    ]
}
