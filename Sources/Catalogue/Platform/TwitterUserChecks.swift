import Conformance
import JSONTree

/// Checks of the user in the provider's API: a signed call of `account/verify_credentials`.
enum TwitterUserChecks {
    static let isReturned = Check(
        "platform.twitter.user.is-returned",
        "The user API returns the user for a signed call",
        .platform,
        .signIn,
        Citation(
            .identityPlatformREST,
            "accounts.signInWithIdp",
            "all the data corresponding to the user's account at the IdP"
        ),
        why: "Applications receive the user's name, photo and e-mail address only from this API.",
        reads: OAuth1Queries.user,
        supersededBy: ["platform.twitter.access-token.has-secret"],
        finding: { answer, _ in
            if answer.isSuccess, answer.object?["id_str"]?.stringValue?.isEmpty == false { return nil }
            let isObject = answer.object != nil
            return Finding(
                answer.isSuccess
                    ? "The response of the user API \(isObject ? "has no id_str" : "is not a JSON object")."
                    : "The user API returns \(answer.phrase).",
                at: answer.isSuccess && isObject ? "/id_str" : nil,
                expected: "a JSON object with id_str",
                found: answer.isSuccess
                    ? (isObject ? "no id_str" : "something else") : "HTTP status \(answer.response.status)",
                fix: "Allow the app to read profiles (developer portal, app permissions), and return the user object."
            )
        }
    )

    static let isTheUserOfTheToken = Check(
        "platform.twitter.user.is-the-person-of-the-token",
        "The user API and the token credentials name the same user",
        .platform,
        .safety,
        Citation(.identityPlatformREST, "accounts.signInWithIdp", "The user's account ID at the IdP."),
        why: "Profile and account belong to two users, so the application shows one user the account of another.",
        reads: OAuth1Queries.tokenAndUser,
        supersededBy: ["platform.twitter.user.is-returned"],
        exempt: { pair, _ in
            pair.token["user_id"] == nil || pair.user["id_str"]?.stringValue == nil ? "one of them names no user" : nil
        },
        finding: { pair, _ in
            let (id, user) = (pair.token["user_id"], pair.user["id_str"]?.stringValue)
            guard id != user else { return nil }
            return Finding(
                "The token belongs to user \(id?.quoted ?? "unknown"), but the API returns \(user?.quoted ?? "no user").",
                at: "/id_str",
                expected: id?.shown(limit: 80),
                found: user?.shown(limit: 80),
                fix: "Return the account for which the token was issued."
            )
        }
    )

    static let hasEmail = Check(
        "platform.twitter.user.has-email",
        "The user API returns the user's e-mail address",
        .may,
        .conformance,
        Citation(.firebaseTwitter, "", "AccountExistsWithDifferentCredential"),
        why:
            "Without an address the platform cannot match the user with an existing account of another sign-in method.",
        reads: OAuth1Queries.tokenAndUser,
        supersededBy: ["platform.twitter.user.is-returned"],
        finding: { pair, _ in
            guard pair.user["email"]?.stringValue?.isEmpty ?? true else { return nil }
            return Finding(
                "The user object has no e-mail address.",
                at: "/email",
                expected: "an address",
                found: pair.user["email"] == nil ? "missing" : "empty",
                fix:
                    "Switch on \"Request email from users\" in the developer portal, or have the application ask the user for it."
            )
        }
    )

    static let needsTheSecret = Check(
        "platform.twitter.user.needs-the-token-secret",
        "The user API rejects a call that is signed without the token's secret",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "Recalculating the request signature independently"),
        why: "An attacker with the application's key and a leaked token can open the user's account.",
        reads: OAuth1Queries.userWithoutSecret,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess else { return nil }
            return Finding(
                "The user API accepts a call that is signed with the API secret only.",
                at: "oauth_signature",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status)",
                fix: "Verify the signature with both the API secret and the secret of the token."
            )
        }
    )

    static let all: [Check] = [isReturned, isTheUserOfTheToken, hasEmail, needsTheSecret]
}

/// All checks of X as a named provider.
enum TwitterChecks {
    static let all: [Check] =
        TwitterConfigurationChecks.all + TwitterRequestTokenChecks.all + TwitterAuthorizationChecks.all
        + TwitterAccessTokenChecks.all + TwitterUserChecks.all
}
