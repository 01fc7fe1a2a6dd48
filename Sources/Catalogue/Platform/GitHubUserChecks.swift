package import Conformance
import JSONTree

/// Checks of the user's e-mail address in GitHub's API, by which the platform distinguishes accounts.
package enum GitHubUserChecks {
    static let emailIsReachable = Check(
        "platform.github.user.email-is-reachable",
        "GitHub's API returns the user's e-mail address, in the user object or in the list of addresses",
        .risk,
        .conformance,
        Citation(.firebaseGitHub, "", "account-exists-with-different-credential"),
        why:
            "If the platform allows one account per address, it cannot match a user without an address to an existing account.",
        reads: StepResults.user,
        supersededBy: ["platform.user-api.has-members"],
        exempt: { user, _ in user.object == nil ? "the API returned no user, which another check reports" : nil },
        finding: { user, facts in
            if user.member("email")?.stringValue?.isEmpty == false { return nil }
            let list = StepResults.userEmails.samples(facts).first
            if let answer = list?.observation.value, answer.addresses.contains(where: { !$0.address.isEmpty }) {
                return nil
            }
            return Finding(
                "GitHub's API returns no e-mail address of the user.",
                at: "/email",
                expected: "an address here, or in the response of user_emails_endpoint",
                found: list?.observation.value.map { "HTTP status \($0.response.status) for the list of addresses" }
                    ?? "null, and no list of addresses",
                fix: "Request the scope user:email."
            )
        }
    )

    static let primaryIsVerified = Check(
        "platform.github.user.primary-email-is-verified",
        "The user's primary e-mail address is verified",
        .may,
        .conformance,
        Citation(.identityPlatformObserved, "", "needConfirmation"),
        why: "The platform does not link an unverified address automatically, and asks the user to confirm it.",
        reads: StepResults.userEmails,
        exempt: { answer, _ in
            answer.addresses.contains(where: \.isPrimary) ? nil : "the API returned no primary address"
        },
        rule: { answer, _ in
            answer.addresses.filter { $0.isPrimary && !$0.isVerified }
                .map { _ in
                    Finding(
                        "The user's primary e-mail address is not verified.",
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

/// One of a user's addresses, as GitHub lists them.
private struct ListedAddress {
    var address: String
    var isPrimary: Bool
    var isVerified: Bool
}

extension CallResult {
    /// The addresses in a successful response.
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
