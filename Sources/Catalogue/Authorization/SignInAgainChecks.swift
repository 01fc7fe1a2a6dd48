package import Conformance

/// Requests that must not be answered from the session alone.
package enum SignInAgainChecks {
    package static let loginAsksAgain = asksAgain(
        "authorization.prompt-login.asks-again",
        "prompt=login makes a signed-in person sign in again",
        .must,
        .safety,
        Citation(.core, "3.1.2.3", "the Authorization Server MUST reauthenticate the End-User even if"),
        why: "Whoever finds the browser unlocked passes the sign-in that guards a payment or a new password.",
        reads: Sessions.step(.signInAgain, .login),
        parameter: "prompt",
        value: "prompt=login",
        fix: "Show the sign-in page when prompt holds login, whether or not there is a session."
    )

    package static let oldSessionAsksAgain = asksAgain(
        "authorization.max-age.asks-again",
        "A person who signed in longer ago than max_age must sign in again",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "the OP MUST attempt to actively re-authenticate the End-User"),
        why: "Whoever finds the browser unlocked passes for freshly signed in, or the client refuses the token.",
        reads: Sessions.step(.agedSession, .old),
        excusedBy: ["idtoken.auth-time.is-unchanged-without-sign-in"],
        parameter: "max_age",
        value: "max_age, after more seconds than it allows,",
        fix: "Compare the time since auth_time with max_age, and show the sign-in page when it is greater."
    )

    package static let zeroAsksAgain = asksAgain(
        "authorization.max-age.zero-asks-again",
        "max_age=0 makes a signed-in person sign in again",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "Note that max_age=0 is equivalent to prompt=login."),
        why: "A zero that counts as absent lets everybody pass where a client asks for the strictest sign-in.",
        reads: Sessions.step(.signInAgain, .ageZero),
        excusedBy: ["authorization.max-age.asks-again"],
        parameter: "max_age",
        value: "max_age=0",
        fix: "Tell max_age=0 from a missing max_age: show the sign-in page, as for prompt=login."
    )

    package static let consentAsks = asksAgain(
        "authorization.prompt-consent.asks",
        "prompt=consent asks for consent although it was given",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The Authorization Server SHOULD prompt the End-User for consent before returning"),
        why: "Users never see again what they allowed, and offline access is given without being asked for.",
        reads: Sessions.step(.signInAgain, .consent),
        for: .consent,
        parameter: "prompt",
        value: "prompt=consent",
        fix: "Show the consent page when prompt holds consent, even if the user allowed the client before."
    )

    package static let selectAccountAsks = asksAgain(
        "authorization.prompt-select-account.asks",
        "prompt=select_account lets the person choose an account",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The Authorization Server SHOULD prompt the End-User to select a user account."),
        why: "Somebody with two accounts, or at a shared device, cannot get out of the one that is signed in.",
        reads: Sessions.step(.signInAgain, .selectAccount),
        for: .account,
        parameter: "prompt",
        value: "prompt=select_account",
        fix: "Show the accounts, or the sign-in page, when prompt holds select_account."
    )

    package static let youngSessionIsUsed = Check(
        "authorization.max-age.young-session-is-used",
        "A sign-in younger than max_age is not asked for again",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "If the elapsed time is greater than this value, the OP MUST attempt"),
        why: "Users sign in again at every visit, because the age of their sign-in is counted wrong.",
        reads: Sessions.step(.silentReturn, .young),
        exempt: { step, facts in
            if let why = facts.whySignInIsUsual { return why }
            guard let page = step.answer.page, !page.isError else { return nil }
            return "the answer was a page that was not got past"
        },
        finding: { step, _ in
            guard !step.isGranted || step.filledCredentials else { return nil }
            let found =
                step.filledCredentials
                ? "the sign-in page" : step.answer.redirect?.errorText ?? step.answer.page?.phrase ?? "no answer"
            return Finding(
                "A request with max_age=10000, moments after the sign-in, was answered with \(found).",
                at: "max_age",
                expected: "the same answer as without max_age",
                found: found,
                fix:
                    "Compare the time since auth_time with max_age; look at the unit and at the session's time of sign-in."
            )
        }
    )

    package static let loginEnds = ends(
        "authorization.prompt-login.lets-through",
        "A user who signs in again for prompt=login gets to the client",
        Citation(.core, "3.1.2.3", "the Authorization Server MUST reauthenticate the End-User even if"),
        .loginAlone,
        "prompt=login",
        at: "prompt"
    )

    package static let zeroEnds = ends(
        "authorization.max-age.zero-lets-through",
        "A user who signs in again for max_age=0 gets to the client",
        Citation(.core, "3.1.2.1", "Note that max_age=0 is equivalent to prompt=login."),
        .ageZeroAlone,
        "max_age=0",
        at: "max_age"
    )

    /// - Parameter alone: The step that is left out where the request for both ended at the client.
    private static func ends(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        _ alone: StepID,
        _ what: String,
        at parameter: String
    ) -> Check {
        Check(
            id,
            title,
            // Inferred: a request that no sign-in satisfies has no answer at all.
            .must,
            .conformance,
            citation,
            why: "Users sign in again and again, and never get to the application.",
            reads: Conversations.authorization(.signInAgain, alone, or: .joint),
            excusedBy: ["authorization.flow.succeeds"],
            exempt: { subject, _ in
                subject.asked.step.filledCredentials
                    ? nil : "the provider did not ask for a sign-in, which another check reports"
            },
            finding: { subject, _ in
                guard let page = subject.answer.page, page.asksForSignIn else { return nil }
                return Finding(
                    "The user signed in again for a request with \(what), and the sign-in page came once more.",
                    at: parameter,
                    expected: "a redirect to the client",
                    found: page.phrase,
                    fix: "Keep with the request that the user has signed in for it, and go on to the client."
                )
            }
        )
    }

    package static let all: [Check] = [
        loginEnds, zeroEnds, loginAsksAgain, oldSessionAsksAgain, zeroAsksAgain, youngSessionIsUsed, consentAsks,
        selectAccountAsks,
    ]

    /// A request that must not be granted to whoever happens to sit there.
    private static func asksAgain(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        reads slot: Slot<SessionStep>,
        excusedBy: [CheckID] = [],
        for question: Question = .signIn,
        parameter: String,
        value: String,
        fix: String
    ) -> Check {
        Check(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            reads: slot,
            excusedBy: excusedBy,
            exempt: { step, _ in
                guard question != .consent, let page = step.answer.page, !page.isError, !page.asksForSignIn else {
                    return nil
                }
                return "the answer was a page, and what it asks for cannot be told"
            },
            finding: { step, _ in
                guard step.isGranted, !step.filledCredentials else { return nil }
                return Finding(
                    "A request with \(value) was granted, and \(question.whatWasMissing).",
                    at: parameter,
                    expected: "a page that asks, or an error",
                    found: "a successful authorization response",
                    fix: fix
                )
            }
        )
    }

    private enum Question {
        case signIn
        case consent
        case account

        var whatWasMissing: String {
            switch self {
            case .signIn: "nobody had to sign in"
            case .consent: "nobody was asked for consent"
            case .account: "nobody could choose an account"
            }
        }
    }
}
