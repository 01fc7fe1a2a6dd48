package import Conformance

/// Refusals of GitHub's token endpoint, which come with status 200: the member `error` tells them from success.
package enum GitHubErrorChecks {
    package static let wrongCodeIsRefused = refused(
        "platform.github.wrong-code.is-refused",
        "A code that was never issued is refused with the member error",
        .wrongCode,
        Citation(.rfc6749, "4.1.3", "verify that the authorization code is valid"),
        why: "Anybody could sign in as somebody; and a refusal without error looks like a success with status 200.",
        fix: "Refuse codes that were not issued, with error=bad_verification_code."
    )

    package static let wrongCodeIsNamed = named(
        "platform.github.wrong-code.has-bad-verification-code",
        "A code that was never issued gets the error bad_verification_code",
        .wrongCode,
        "bad_verification_code",
        excusedBy: ["platform.github.wrong-code.is-refused"]
    )

    package static let wrongSecretIsRefused = refused(
        "platform.github.wrong-secret.is-refused",
        "A wrong client secret is refused with the member error",
        .wrongSecret,
        Citation(
            .rfc6749,
            "4.1.3",
            "ensure that the authorization code was issued to the authenticated confidential client"
        ),
        why: "Whoever intercepts a code could redeem it; and a refusal without error looks like a success.",
        fix: "Refuse a client whose secret is wrong, with error=incorrect_client_credentials.",
        excusedBy: ["token.code.needs-the-right-secret", "platform.github.wrong-code.is-refused"]
    )

    package static let wrongSecretIsNamed = named(
        "platform.github.wrong-secret.has-incorrect-client-credentials",
        "A wrong client secret gets the error incorrect_client_credentials",
        .wrongSecret,
        "incorrect_client_credentials",
        excusedBy: ["platform.github.wrong-secret.is-refused", "token.code.needs-the-right-secret"]
    )

    package static let all: [Check] = [wrongCodeIsRefused, wrongCodeIsNamed, wrongSecretIsRefused, wrongSecretIsNamed]

    /// What should have been refused opens an account.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ step: StepID,
        _ citation: Citation,
        why: String,
        fix: String,
        excusedBy excuses: [CheckID] = []
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .safety,
            citation,
            why: why,
            reads: Redemptions.slot(.tokenRefusals, step),
            excusedBy: excuses,
            passesOn: .refusal,
            finding: { subject, _ in
                let isSuccess = (200...299).contains(subject.response.status)
                guard subject.told("access_token") != nil || (isSuccess && subject.told("error") == nil) else {
                    return nil
                }
                return Finding(
                    "The request was answered with \(subject.toldOutcome).",
                    at: "error",
                    expected: "the member error, with status 200 or 400",
                    found: subject.toldOutcome,
                    fix: fix
                )
            }
        )
    }

    /// By another name the request is refused all the same.
    private static func named(
        _ id: CheckID,
        _ title: String,
        _ step: StepID,
        _ name: String,
        excusedBy excuses: [CheckID]
    ) -> Check {
        Check(
            id,
            title,
            .may,
            .conformance,
            Citation(.gitHubOAuthErrors, "", name),
            why: "Clients made for GitHub tell what went wrong by this name, and by the status nothing.",
            reads: Redemptions.slot(.tokenRefusals, step),
            excusedBy: excuses,
            exempt: { subject, _ in subject.told("error") == nil ? "the answer names no error" : nil },
            finding: { subject, _ in
                guard subject.told("error") != name else { return nil }
                return Finding(
                    "The error has another name than GitHub's.",
                    at: "error",
                    expected: name,
                    found: subject.told("error")?.shown(),
                    fix: "Read any value of error as a refusal."
                )
            }
        )
    }
}
