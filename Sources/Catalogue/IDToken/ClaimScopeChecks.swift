package import Conformance
import JSONTree

/// Which claims about the user an ID Token holds, and which of them were asked for.
package enum ClaimScopeChecks {
    package static let updatedAtIsPlausible = Check(
        "idtoken.updated-at.is-plausible",
        "updated_at is a moment between 1990 and now",
        .risk,
        .signIn,
        Citation(.core, "5.1", "the number of seconds from 1970-01-01T00:00:00Z as measured in UTC"),
        why: "Applications that keep a profile until it changes never read it again, or always.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.updated-at.is-a-number"],
        exempt: { token, _ in token.claims.has("updated_at") ? nil : "the token has no updated_at" },
        rule: { token, facts in StandardClaims.implausibleUpdatedAt(token.claims, facts) }
    )

    package static let wereAskedFor = Check(
        "idtoken.claims.were-asked-for",
        "The ID Token tells nothing about the user that was not asked for",
        .may,
        .conformance,
        Citation(.core, "5.4", "to specify what access privileges are being requested"),
        why: "What is told to everybody who keeps tokens or logs them needs a reason.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.claims.have-right-types"],
        exempt: { token, _ in StandardClaims.unlessAskedByScopes(token.asked) },
        rule: { token, _ in StandardClaims.unasked(token.claims, token.asked) }
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
        rule: { token, _ in
            let present = StandardClaims.texts.filter(token.claims.has)
            guard let first = present.first else { return [] }
            return [
                .claim(
                    first,
                    "The ID Token holds \(present.joined(separator: ", ")), and an access token was issued.",
                    expected: "these claims at UserInfo",
                    found: token.claims[first],
                    fix: "Nothing, if the platform reads the claims there; else return them from UserInfo only."
                )
            ]
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

    package static let groupsAreLists = Check(
        "idtoken.groups.are-lists",
        "groups and roles are lists",
        .risk,
        .conformance,
        Citation(.experience, "", "groups as one string instead of a list"),
        why: "An application looks for its group in a list, and finds nobody a member.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            StandardClaims.groups.contains(where: token.claims.has) ? nil : "the token names neither groups nor roles"
        },
        rule: { token, _ in StandardClaims.looseGroups(token.claims) }
    )

    package static let all: [Check] = [
        updatedAtIsPlausible, wereAskedFor, areLeftToUserInfo, ofScopesArePresent, groupsAreLists,
    ]

    /// What is wrong with a claim says already that it is there.
    private static let mistyped: [CheckID] = [
        "idtoken.claims.have-right-types", "idtoken.claims.have-values", "idtoken.email.is-an-address",
        "idtoken.claims.were-asked-for",
    ]
}
