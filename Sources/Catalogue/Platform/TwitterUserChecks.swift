import Conformance
import JSONTree

/// The person, by the provider's API: a signed call of `account/verify_credentials`.
enum TwitterUserChecks {
    static let isReturned = Check(
        "platform.twitter.user.is-returned",
        "A signed call of the API says who the person is",
        .platform,
        .signIn,
        Citation(
            .identityPlatformREST,
            "accounts.signInWithIdp",
            "all the data corresponding to the user's account at the IdP"
        ),
        why: "Name, picture and e-mail of the user come from it: an application has none of them without.",
        reads: OAuth1Slots.user,
        excusedBy: ["platform.twitter.access-token.has-secret"],
        finding: { answer, _ in
            if answer.isSuccess, answer.object?["id_str"]?.stringValue?.isEmpty == false { return nil }
            let isObject = answer.object != nil
            return Finding(
                answer.isSuccess
                    ? "The answer of the user API \(isObject ? "has no id_str" : "is no JSON object")."
                    : "The user API answered with \(answer.phrase).",
                at: answer.isSuccess && isObject ? "/id_str" : nil,
                expected: "a JSON object with id_str",
                found: answer.isSuccess
                    ? (isObject ? "no id_str" : "something else")
                    : "HTTP status \(answer.response.status)",
                fix:
                    "Let the app read profiles (developer portal, app permissions), and answer with the user object."
            )
        }
    )

    static let isThePersonOfTheToken = Check(
        "platform.twitter.user.is-the-person-of-the-token",
        "API and token credentials name the same person",
        .platform,
        .safety,
        Citation(.identityPlatformREST, "accounts.signInWithIdp", "The user's account ID at the IdP."),
        why: "Profile and account would belong to two people: one would be shown as another.",
        reads: OAuth1Slots.tokenAndUser,
        excusedBy: ["platform.twitter.user.is-returned"],
        exempt: { pair, _ in
            pair.token["user_id"] == nil || pair.user["id_str"]?.stringValue == nil ? "one of them names nobody" : nil
        },
        finding: { pair, _ in
            let (id, user) = (pair.token["user_id"], pair.user["id_str"]?.stringValue)
            guard id != user else { return nil }
            return Finding(
                "The token is for user \(id?.quoted ?? "nobody"), and the API speaks of \(user?.quoted ?? "nobody").",
                at: "/id_str",
                expected: id?.shown(limit: 80),
                found: user?.shown(limit: 80),
                fix: "Answer with the account that the token was issued for."
            )
        }
    )

    static let hasEmail = Check(
        "platform.twitter.user.has-email",
        "The API tells the person's e-mail address",
        .may,
        .conformance,
        Citation(.firebaseTwitter, "", "AccountExistsWithDifferentCredential"),
        why: "Without an address the platform cannot tell that the person has an account by another way already.",
        reads: OAuth1Slots.tokenAndUser,
        excusedBy: ["platform.twitter.user.is-returned"],
        finding: { pair, _ in
            guard pair.user["email"]?.stringValue?.isEmpty ?? true else { return nil }
            return Finding(
                "The user object has no e-mail address.",
                at: "/email",
                expected: "an address",
                found: pair.user["email"] == nil ? "missing" : "empty",
                fix:
                    "Switch on \"Request email from users\" in the developer portal, or have the application ask for it."
            )
        }
    )

    static let needsTheSecret = Check(
        "platform.twitter.user.needs-the-token-secret",
        "A call signed without the token's secret is refused",
        .must,
        .safety,
        Citation(.rfc5849, "3.2", "Recalculating the request signature independently"),
        why: "A token that leaks opens the account to whoever runs the application's key.",
        reads: OAuth1Slots.userWithoutSecret,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess else { return nil }
            return Finding(
                "The user API took a call that was signed with the API secret alone.",
                at: "oauth_signature",
                expected: "HTTP status 401",
                found: "HTTP status \(answer.response.status)",
                fix: "Verify the signature with the secret of the token, too."
            )
        }
    )

    static let all: [Check] = [isReturned, isThePersonOfTheToken, hasEmail, needsTheSecret]
}

/// All that is judged of X by name.
enum TwitterChecks {
    static let all: [Check] =
        TwitterConfigurationChecks.all + TwitterRequestTokenChecks.all + TwitterAuthorizationChecks.all
        + TwitterAccessTokenChecks.all + TwitterUserChecks.all
}
