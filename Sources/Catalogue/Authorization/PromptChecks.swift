package import Conformance

/// `prompt=none` in a browser that nobody has signed in with.
package enum PromptChecks {
    private static let expected = [
        "login_required", "interaction_required", "account_selection_required", "consent_required",
    ]

    package static let showsNoPage = Check(
        "authorization.prompt-none.shows-no-page",
        "prompt=none is answered by a redirect, never by a page",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why: "Clients ask silently in a hidden frame; a page there is never seen, and the client waits for ever.",
        reads: Conversations.promptsNone,
        exempt: { _, facts in
            guard let page = facts.evidence.run(Scenario.unknownParameter.id)?.authorization.value?.page else {
                return nil
            }
            if page.isError { return "an ordinary request is answered with an error page as well" }
            // Where somebody signs in, the control of the run has told the two apart.
            return facts.evidence.tier == .full || page.asksForSignIn
                ? nil
                : "an ordinary request is answered with \(page.phrase), which has no form by which it could be told from an error page"
        },
        finding: { subject, _ in
            guard let page = subject.answer.page else { return nil }
            return Finding(
                "A request with prompt=none was answered with \(page.phrase).",
                at: "prompt",
                expected: "a redirect with error=login_required",
                found: page.phrase,
                fix: "Redirect to the client with login_required when prompt=none is sent and nobody is signed in."
            )
        }
    )

    package static let isRefused = Check(
        "authorization.prompt-none.is-refused-without-session",
        "prompt=none without a session ends in an error",
        .must,
        .safety,
        Citation(.core, "3.1.2.3", "MUST return an error if an End-User is not already Authenticated"),
        why: "Whoever opens the application is given a code or token, though nobody has signed in.",
        endangers: .everybody,
        reads: Conversations.promptsNone,
        passesOn: .refusal,
        exempt: { subject, _ in subject.answer.redirect == nil ? "the answer was a page" : nil },
        finding: { subject, _ in
            guard subject.isGranted else { return nil }
            return Finding(
                "A request with prompt=none was granted though nobody was signed in.",
                at: "prompt",
                expected: "error=login_required",
                found: "no error",
                fix: "Return login_required when prompt=none is sent and nobody is signed in."
            )
        }
    )

    package static let hasRightError = Check(
        "authorization.prompt-none.has-right-error",
        "prompt=none without a session gets login_required or one of its kind",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The error code will typically be login_required, interaction_required"),
        why: "Clients start an ordinary sign-in on these codes only and report a failure on all others.",
        reads: Conversations.promptsNone,
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the answer was not an error redirect"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, let error = redirect.error, !expected.contains(error) else {
                return nil
            }
            return Finding(
                "A request with prompt=none got the error \(redirect.errorText).",
                at: "error",
                expected: expected.joined(separator: ", "),
                found: error.shown(),
                fix: "Return login_required when prompt=none is sent and nobody is signed in."
            )
        }
    )

    package static let asksWhoIsThere = Check(
        "authorization.prompt.needs-no-session",
        "prompt=consent and prompt=select_account are taken where nobody is signed in",
        // Both values are sent at once, and what becomes of values that a provider does not know, no sentence says.
        .risk,
        .conformance,
        Citation(
            .core,
            "3.1.2.3",
            "The Authorization Server MUST attempt to Authenticate the End-User in the following cases: The End-User is not already Authenticated."
        ),
        why: "Whoever comes for the first time meets an error in the place of the sign-in page.",
        reads: Conversations.authorization(.promptsWithoutSession),
        exempt: { _, facts in
            facts.evidence.run(Scenario.unknownParameter.id)?.isRefused == true
                ? "an ordinary request is refused as well" : nil
        },
        finding: { subject, _ in
            // A provider that knows one account, or none that could be chosen, may say so.
            let legal = ["account_selection_required", "consent_required", "interaction_required", "login_required"]
            guard let refusal = subject.refusal, !legal.contains(subject.errorCode ?? "") else {
                return nil
            }
            let prompt = subject.asked.sentParameter("prompt") ?? "prompt"
            return Finding(
                "A request with prompt=\(prompt), with nobody signed in, was answered with \(refusal).",
                at: "prompt",
                expected: "the sign-in page",
                found: refusal,
                fix: "Let people sign in first when prompt asks for consent or an account, and ask then."
            )
        }
    )

    package static let all: [Check] = [showsNoPage, isRefused, hasRightError, asksWhoIsThere]
}
