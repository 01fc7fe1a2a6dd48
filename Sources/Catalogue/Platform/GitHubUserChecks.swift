package import Conformance
import JSONTree

/// What GitHub's API tells of the person's e-mail address, by which the platform tells accounts apart.
package enum GitHubUserChecks {
    package static let emailIsReachable = Check(
        "platform.github.user.email-is-reachable",
        "The person's e-mail address is told, by the user or by the list of addresses",
        .risk,
        .conformance,
        Citation(.firebaseGitHub, "", "account-exists-with-different-credential"),
        why:
            "With one account for each address, a user without one is never recognised as the person who is there already.",
        reads: Conversations.user,
        excusedBy: ["platform.user-api.has-members"],
        exempt: { user, _ in user.object == nil ? "the API told of no user, which another check reports" : nil },
        finding: { user, facts in
            if user.member("email")?.stringValue?.isEmpty == false { return nil }
            let list = Conversations.userEmails.samples(facts).first
            if let answer = list?.observation.value, answer.addresses.contains(where: { !$0.address.isEmpty }) {
                return nil
            }
            return Finding(
                "The API tells no e-mail address of the person.",
                at: "/email",
                expected: "an address, or one among user_emails_endpoint",
                found: list?.observation.value.map { "HTTP status \($0.response.status) for the list of addresses" }
                    ?? "null, and no list of addresses",
                fix: "Ask for the scope user:email."
            )
        }
    )

    package static let primaryIsVerified = Check(
        "platform.github.user.primary-email-is-verified",
        "The person's primary e-mail address is verified",
        .may,
        .conformance,
        Citation(.identityPlatformObserved, "", "needConfirmation"),
        why: "An address that is not verified is never linked by itself: the platform asks the user to confirm.",
        reads: Conversations.userEmails,
        exempt: { answer, _ in
            answer.addresses.contains(where: \.isPrimary) ? nil : "no primary address was told"
        },
        rule: { answer, _ in
            answer.addresses.filter { $0.isPrimary && !$0.isVerified }
                .map { _ in
                    Finding(
                        "The primary address is not verified.",
                        at: "/verified",
                        expected: "true",
                        found: "false or missing",
                        fix: "Verify the test user's address at GitHub."
                    )
                }
        }
    )

    package static let all: [Check] = [emailIsReachable, primaryIsVerified]
}

/// One of a person's addresses, as GitHub lists them.
private struct ListedAddress {
    var address: String
    var isPrimary: Bool
    var isVerified: Bool
}

extension AnsweredCall {
    /// The addresses of a successful answer.
    fileprivate var addresses: [ListedAddress] {
        guard (200...299).contains(response.status) else { return [] }
        return (json?.arrayValue ?? [])
            .map { element in
                ListedAddress(
                    address: element["email"]?.stringValue ?? "",
                    isPrimary: element["primary"] == true,
                    isVerified: element["verified"] == true
                )
            }
    }
}
