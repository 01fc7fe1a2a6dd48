package import Conformance

/// Platform rules about a provider's own API, `user_api_endpoint`.
package enum UserAPIRuleChecks {
    static let hasMembers = RuledChecks.check(
        .userAPIMembers,
        "The provider's API returns the user who signed in",
        .signIn,
        why: "The platform calls the API after every sign-in, and cannot create an account without the user's data.",
        reads: StepResults.user,
        rule: { user, members, _ in
            guard user.object != nil else {
                return [
                    Finding(
                        "The provider's API does not return a user.",
                        expected: "HTTP status 200 and a JSON object",
                        found: "HTTP status \(user.response.status)",
                        fix:
                            "Allow access tokens with the configured scopes to call the API, or correct user_api_endpoint."
                    )
                ]
            }
            return members.filter { user.member($0) == nil }
                .map { member in
                    Finding(
                        "The response of the provider's API has no \(member).",
                        at: "/" + member.replacing(".", with: "/"),
                        expected: "present",
                        found: "missing or null",
                        fix: "Correct user_api_endpoint, or request the scope that grants access to \(member)."
                    )
                }
        }
    )

    static let subjectIsStable = RuledChecks.check(
        .userAPISubject,
        "The provider's API returns the same identifier for a user in every session",
        .safety,
        why:
            "The platform treats a changed identifier as another user, who finds an empty account or another user's account.",
        reads: StepResults.userTwice,
        exempt: { users, facts in
            let path = facts.profile.parameters[.userAPISubject] ?? ""
            return users.first.member(path) == nil || users.second.member(path) == nil
                ? "a response has no \(path), which another check reports" : nil
        },
        rule: { users, path, _ in
            guard users.first.member(path) != users.second.member(path) else { return [] }
            return [
                Finding(
                    "The provider's API returns another \(path) for the same user in a second session.",
                    at: "/" + path.replacing(".", with: "/"),
                    expected: users.first.member(path)?.shown,
                    found: users.second.member(path)?.shown,
                    fix: "Return one identifier per user that never changes."
                )
            ]
        }
    )

    package static let all: [Check] = [hasMembers, subjectIsStable]
}
