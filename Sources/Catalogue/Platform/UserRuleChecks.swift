package import Conformance
import JSONTree

/// Platform rules about the claims of the user, in the ID Token and from UserInfo.
package enum UserRuleChecks {
    static let userClaimsArePresent = RuledChecks.check(
        .userClaims,
        "The ID Token or the UserInfo response contains the claims that the platform needs",
        .signIn,
        why: "The platform cannot create an account for the user.",
        reads: StepResults.idTokens.narrowed("the user's claims") { sample, facts in
            // A claim may be in a UserInfo response that did not arrive.
            guard case .observed(let token) = sample.observation, case .absent(let why) = token.asked.userInfo,
                facts.metadata.value?.object.has("userinfo_endpoint") == true,
                !missing(facts.profile.parameters[.userClaims] ?? [], token).isEmpty
            else { return sample }
            return Sample(.absent("no UserInfo response: \(why)"), label: sample.label, exchange: sample.exchange)
        },
        rule: { token, names, _ in
            missing(names, token)
                .map { name in
                    .claim(
                        name,
                        "Neither the ID Token nor the UserInfo response has \(name).",
                        expected: "present",
                        found: nil,
                        fix: "Request the scope for \(name), and return \(name) to this client at the provider."
                    )
                }
        }
    )

    /// The claims that are neither in the ID Token nor in the UserInfo response.
    private static func missing(_ names: [String], _ token: IDToken) -> [String] {
        let body = token.asked.userInfo.value?.body.bytes
        let userInfo = body.flatMap { try? JSONDocument.parse($0).root.objectValue }
        return names.filter { name in [token.claims, userInfo].allSatisfy { $0?[name]?.isNull ?? true } }
    }

    static let userEmailIsVerified = RuledChecks.check(
        .userEmailVerified,
        "The ID Token or the UserInfo response has email_verified true",
        .signIn,
        why: "The platform does not create an account for an unverified address.",
        reads: FirebaseQueries.reported,
        supersededBy: ["idtoken.email-verified.is-a-boolean", "userinfo.email-verified.is-a-boolean"],
        exempt: { reported, _ in
            reported.claims.has("email") ? nil : "neither the ID Token nor the UserInfo response has an email"
        },
        rule: { reported, _, _ in
            reported.claims["email_verified"]?.boolValue == true ? [] : [TokenRuleChecks.unverified(reported.claims)]
        }
    )

    static let userInfoClaimsArePresent = RuledChecks.check(
        .userInfoClaims,
        "The UserInfo response contains the claims that the platform reads from it",
        .signIn,
        why:
            "The platform reads the user from UserInfo, not from the ID Token, and rejects a user without these claims.",
        reads: UserInfoQueries.claims,
        supersededBy: ["userinfo.sub.is-present"],
        rule: { answer, names, _ in
            names.filter { answer.1[$0]?.isNull ?? true }
                .map { name in
                    .claim(
                        name,
                        "The UserInfo response has no \(name).",
                        expected: "present",
                        found: answer.1[name],
                        fix: "Request the scope for \(name), and return \(name) from UserInfo to this client."
                    )
                }
        }
    )

    static let userInfoFits = RuledChecks.check(
        .userInfoBytes,
        "UserInfo and access token together are no larger than the platform accepts",
        .signIn,
        why:
            "The platform keeps both in cookies, and rejects a user for whom they are too large, such as one with many groups.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            token.asked.userInfo.value?.body.bytes == nil || token.asked.token.value?.accessToken == nil
                ? "the run has no UserInfo response with its access token" : nil
        },
        rule: { token, limit, _ in
            guard let body = token.asked.userInfo.value?.body.bytes?.count,
                let length = token.asked.token.value?.accessToken?.length, body + length > limit
            else { return [] }
            return [
                Finding(
                    "UserInfo and access token have more than \(limit) bytes together.",
                    expected: "at most \(limit) bytes",
                    found: "\(body) and \(length) bytes",
                    fix:
                        "Return fewer claims, such as only the groups that this client needs, and a shorter access token.",
                    exchange: token.asked.userInfo.value?.exchange
                )
            ]
        }
    )

    static let nameIsAccepted = RuledChecks.check(
        .userName,
        "preferred_username is a user name that the platform accepts",
        .signIn,
        why: "The platform makes the user name from preferred_username, and rejects the user or requests another name.",
        reads: FirebaseQueries.reported,
        exempt: { reported, _ in
            (reported.claims["preferred_username"]?.stringValue ?? "").isEmpty
                ? "neither the ID Token nor the UserInfo response has a preferred_username" : nil
        },
        rule: { reported, pattern, _ in
            guard let name = reported.claims["preferred_username"]?.stringValue, !pattern.matches(name) else {
                return []
            }
            return [
                .claim(
                    "preferred_username",
                    "The platform does not accept preferred_username as a user name.",
                    expected: "a match of \(pattern.text)",
                    found: reported.claims["preferred_username"],
                    fix: "Return a preferred_username that the platform accepts, or map another claim to its user name."
                )
            ]
        }
    )

    package static let all: [Check] = [
        userClaimsArePresent, userInfoClaimsArePresent, userEmailIsVerified, userInfoFits, nameIsAccepted,
    ]
}
