package import Conformance

/// The prompt parameter in a browser without a session.
package enum PromptChecks {
    private static let expected = [
        "login_required", "interaction_required", "account_selection_required", "consent_required",
    ]

    static let showsNoPage = Check(
        "authorization.prompt-none.shows-no-page",
        "The provider redirects a request with prompt=none and never shows a page",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why:
            "Clients send prompt=none in a hidden frame. The user never sees a page there, and the client waits forever.",
        reads: StepResults.promptsNone,
        exempt: { _, facts in
            guard let page = facts.evidence.run(Scenario.unknownParameter.id)?.authorization.value?.page else {
                return nil
            }
            if page.isError { return "an ordinary request gets an error page as well" }
            // If a user signs in, the baseline request of the run has distinguished the two.
            return facts.evidence.tier == .full || page.requestsSignIn
                ? nil : "an ordinary request gets \(page.phrase), which has no sign-in form and may be an error page"
        },
        finding: { subject, _ in
            guard let page = subject.answer.page else { return nil }
            return Finding(
                "The response to a request with prompt=none is \(page.phrase).",
                at: "prompt",
                expected: "a redirect with error=login_required",
                found: page.phrase,
                fix:
                    "Redirect to the client with login_required when the request has prompt=none and no user is signed in."
            )
        }
    )

    static let isRefused = Check(
        "authorization.prompt-none.is-refused-without-session",
        "The provider returns an error for prompt=none without a session",
        .must,
        .safety,
        Citation(.core, "3.1.2.3", "MUST return an error if an End-User is not already Authenticated"),
        why: "A page receives a code or token although no user has signed in.",
        endangers: .allUsers,
        reads: StepResults.promptsNone,
        passesOn: .refusal,
        exempt: { subject, _ in subject.answer.redirect == nil ? "the response was a page" : nil },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "The provider grants a request with prompt=none although no user is signed in.",
                at: "prompt",
                expected: "error=login_required",
                found: "no error",
                fix: "Return login_required when the request has prompt=none and no user is signed in."
            )
        }
    )

    static let hasRightError = Check(
        "authorization.prompt-none.has-right-error",
        "The provider returns login_required or a related error for prompt=none without a session",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The error code will typically be login_required, interaction_required"),
        why: "Clients start an interactive sign-in on these error codes only and report a failure on all others.",
        reads: StepResults.promptsNone,
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the response was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error, !expected.contains(error) else {
                return nil
            }
            // "an invalid_request error MAY be returned if it is not" (id_token_hint, Core section 3.1.2.1).
            if error == "invalid_request", subject.asked.sentParameter("id_token_hint") == nil { return nil }
            return Finding(
                "The provider returns the error \(redirect.errorText) for a request with prompt=none.",
                at: "error",
                expected: expected.joined(separator: ", "),
                found: error.shown(),
                fix: "Return login_required when the request has prompt=none and no user is signed in."
            )
        }
    )

    static let asksWhoIsThere = Check(
        "authorization.prompt.needs-no-session",
        "The provider accepts prompt=consent and prompt=select_account without a session",
        // Both values are sent at once, and no specification says how a provider treats values that it does not know.
        .risk,
        .conformance,
        Citation(
            .core,
            "3.1.2.3",
            "The Authorization Server MUST attempt to Authenticate the End-User in the following cases: The End-User is not already Authenticated."
        ),
        why: "A user who is not signed in yet sees an error instead of the sign-in page.",
        reads: StepResults.authorization(.promptsWithoutSession),
        exempt: { _, facts in
            facts.evidence.run(Scenario.unknownParameter.id)?.isRefused == true
                ? "an ordinary request is rejected as well" : nil
        },
        finding: { subject, _ in
            // A provider with one account, or with none to choose, may return these errors.
            let legal = ["account_selection_required", "consent_required", "interaction_required", "login_required"]
            guard let refusal = subject.refusal, !legal.contains(subject.errorCode ?? "") else { return nil }
            let prompt = subject.asked.sentParameter("prompt") ?? "prompt"
            return Finding(
                "The provider rejects a request with prompt=\(prompt) without a session: \(refusal).",
                at: "prompt",
                expected: "the sign-in page",
                found: refusal,
                fix: "Let the user sign in first, and then show the page that prompt requests."
            )
        }
    )

    package static let all: [Check] = [showsNoPage, isRefused, hasRightError, asksWhoIsThere]
}
