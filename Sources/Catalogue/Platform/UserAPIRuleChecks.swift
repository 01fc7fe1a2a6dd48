package import Conformance
import JSONTree

/// What relying platforms read of a provider's own API, `user_api_endpoint`.
package enum UserAPIRuleChecks {
    package static let hasMembers = RuledChecks.check(
        .userAPIMembers,
        "The provider's API tells who signed in",
        .signIn,
        why: "The platform asks the API after every sign-in; without its answer there is nobody to make an account of.",
        reads: Conversations.user,
        rule: { user, members, _ in
            guard user.object != nil else {
                return [
                    Finding(
                        "The API did not answer with a user.",
                        expected: "HTTP status 200 and a JSON object",
                        found: "HTTP status \(user.response.status)",
                        fix: "Let the access token of the configured scopes open the API, or correct user_api_endpoint."
                    )
                ]
            }
            return members.filter { user.member($0) == nil }
                .map { member in
                    Finding(
                        "The API's answer has no \(member).",
                        at: "/" + member.replacing(".", with: "/"),
                        expected: "present",
                        found: "missing or null",
                        fix: "Correct user_api_endpoint, or ask for the scope that opens \(member)."
                    )
                }
        }
    )

    package static let subjectIsStable = RuledChecks.check(
        .userAPISubject,
        "The same person has the same identifier in every session",
        .safety,
        why: "A changed identifier is another user: the person finds an empty account, or somebody else's.",
        reads: Conversations.userTwice,
        exempt: { users, facts in
            let path = facts.profile.parameters[.userAPISubject] ?? ""
            return users.first.member(path) == nil || users.second.member(path) == nil
                ? "an answer has no \(path), which another check reports" : nil
        },
        rule: { users, path, _ in
            guard users.first.member(path) != users.second.member(path) else { return [] }
            return [
                Finding(
                    "The same person had another \(path) in a second session.",
                    at: "/" + path.replacing(".", with: "/"),
                    expected: users.first.member(path)?.shown,
                    found: users.second.member(path)?.shown,
                    fix: "Tell each person by one identifier that never changes."
                )
            ]
        }
    )

    package static let all: [Check] = [hasMembers, subjectIsStable]
}
