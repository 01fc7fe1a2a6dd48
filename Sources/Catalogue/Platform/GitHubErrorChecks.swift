package import Conformance

/// Errors of GitHub's token endpoint, which have status 200: only the member `error` distinguishes them from success.
package enum GitHubErrorChecks {
    static let wrongCodeIsRefused = refused(
        "platform.github.wrong-code.is-refused",
        "The token endpoint rejects a bogus code with the member error",
        .wrongCode,
        Citation(.rfc6749, "4.1.3", "verify that the authorization code is valid"),
        why: "A rejection with status 200 and no error looks like a success, so an attacker can sign in as any user.",
        fix: "Reject codes that were not issued, with error=bad_verification_code."
    )

    static let wrongCodeIsNamed = named(
        "platform.github.wrong-code.has-bad-verification-code",
        "The token endpoint returns bad_verification_code for a bogus code",
        .wrongCode,
        "bad_verification_code",
        supersededBy: ["platform.github.wrong-code.is-refused"]
    )

    static let wrongSecretIsRefused = refused(
        "platform.github.wrong-secret.is-refused",
        "The token endpoint returns the member error for a wrong client secret",
        .wrongSecret,
        Citation(
            .rfc6749,
            "4.1.3",
            "ensure that the authorization code was issued to the authenticated confidential client"
        ),
        why: "An attacker who intercepts a code can redeem it; a rejection without error looks like a success.",
        fix:
            "Compare client_secret with the stored secret, and return error=incorrect_client_credentials on a mismatch.",
        supersededBy: ["token.code.needs-the-right-secret", "platform.github.wrong-code.is-refused"]
    )

    static let wrongSecretIsNamed = named(
        "platform.github.wrong-secret.has-incorrect-client-credentials",
        "The token endpoint returns incorrect_client_credentials for a wrong client secret",
        .wrongSecret,
        "incorrect_client_credentials",
        supersededBy: ["platform.github.wrong-secret.is-refused", "token.code.needs-the-right-secret"]
    )

    package static let all: [Check] = [wrongCodeIsRefused, wrongCodeIsNamed, wrongSecretIsRefused, wrongSecretIsNamed]

    /// A check that the provider rejects a request that could open an account.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ step: StepID,
        _ citation: Citation,
        why: String,
        fix: String,
        supersededBy supersedes: [CheckID] = []
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .safety,
            citation,
            why: why,
            reads: IncorrectRedemptions.query(.tokenRefusals, step),
            supersededBy: supersedes,
            passesOn: .refusal,
            finding: { subject, _ in
                let isSuccess = subject.response.isSuccess
                guard subject.reported("access_token") != nil || (isSuccess && subject.reported("error") == nil) else {
                    return nil
                }
                return Finding(
                    "For a request that it must reject, the token endpoint returns \(subject.reportedOutcome).",
                    at: "error",
                    expected: "the member error, with status 200 or 400",
                    found: subject.reportedOutcome,
                    fix: fix
                )
            }
        )
    }

    /// A check of the error's name; under another name the request is still rejected.
    private static func named(
        _ id: CheckID,
        _ title: String,
        _ step: StepID,
        _ name: String,
        supersededBy supersedes: [CheckID]
    ) -> Check {
        Check(
            id,
            title,
            .may,
            .conformance,
            Citation(.gitHubOAuthErrors, "", name),
            why: "Clients written for GitHub recognise the error by this name, because the status does not show it.",
            reads: IncorrectRedemptions.query(.tokenRefusals, step),
            supersededBy: supersedes,
            exempt: { subject, _ in subject.reported("error") == nil ? "the response contains no error" : nil },
            finding: { subject, _ in
                guard subject.reported("error") != name else { return nil }
                return Finding(
                    "The token endpoint returns an error that GitHub does not document.",
                    at: "error",
                    expected: name,
                    found: subject.reported("error")?.shown(),
                    fix: "In the client, treat every response with error as a rejection."
                )
            }
        )
    }
}
