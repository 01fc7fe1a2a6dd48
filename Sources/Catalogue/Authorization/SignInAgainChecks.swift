package import Conformance

/// Requests that the provider must not grant from the session alone.
package enum SignInAgainChecks {
    static let loginAsksAgain = asksAgain(
        "authorization.prompt-login.asks-again",
        "The provider requires a new sign-in for prompt=login",
        .must,
        .safety,
        Citation(.core, "3.1.2.3", "the Authorization Server MUST reauthenticate the End-User even if"),
        why: "An attacker at an unlocked browser passes the sign-in that protects a payment or a password change.",
        reads: Sessions.step(.signInAgain, .login),
        parameter: "prompt",
        value: "prompt=login",
        fix: "Show the sign-in page when prompt contains login, even if there is a session."
    )

    static let oldSessionAsksAgain = asksAgain(
        "authorization.max-age.asks-again",
        "The provider requires a new sign-in when the last one is older than max_age",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "the OP MUST attempt to actively re-authenticate the End-User"),
        why: "An attacker at an unlocked browser counts as freshly signed in, or the client rejects the token.",
        reads: Sessions.step(.agedSession, .old),
        supersededBy: ["idtoken.auth-time.is-unchanged-without-sign-in"],
        parameter: "max_age",
        value: "an exceeded max_age",
        fix: "Compare the time since auth_time with max_age, and show the sign-in page if it is greater."
    )

    static let zeroAsksAgain = asksAgain(
        "authorization.max-age.zero-asks-again",
        "The provider requires a new sign-in for max_age=0",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "Note that max_age=0 is equivalent to prompt=login."),
        why: "An attacker at an unlocked browser passes the strictest sign-in that a client can request.",
        reads: Sessions.step(.signInAgain, .ageZero),
        supersededBy: ["authorization.max-age.asks-again"],
        parameter: "max_age",
        value: "max_age=0",
        fix: "Distinguish max_age=0 from a missing max_age, and show the sign-in page as for prompt=login."
    )

    static let consentAsks = asksAgain(
        "authorization.prompt-consent.asks",
        "The provider shows the consent page again for prompt=consent",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The Authorization Server SHOULD prompt the End-User for consent before returning"),
        why: "Users cannot review what they allowed, and clients get offline access without new consent.",
        reads: Sessions.step(.signInAgain, .consent),
        for: .consent,
        parameter: "prompt",
        value: "prompt=consent",
        fix: "Show the consent page when prompt contains consent, even if the user allowed the client before."
    )

    static let selectAccountAsks = asksAgain(
        "authorization.prompt-select-account.asks",
        "The provider lets the user choose an account for prompt=select_account",
        .should,
        .conformance,
        Citation(.core, "3.1.2.1", "The Authorization Server SHOULD prompt the End-User to select a user account."),
        why: "A user with two accounts, or at a shared device, cannot switch from the signed-in account.",
        reads: Sessions.step(.signInAgain, .selectAccount),
        for: .account,
        parameter: "prompt",
        value: "prompt=select_account",
        fix: "Show the accounts or the sign-in page when prompt contains select_account."
    )

    static let loginIsAccepted = isAccepted(
        "authorization.prompt-login.is-accepted",
        "The provider accepts a request with prompt=login",
        Citation(.core, "15.1", "OPs MUST support the prompt parameter, as described in Section 3.1.2.1"),
        reads: [Sessions.step(.signInAgain, .login)],
        parameter: "prompt"
    )

    static let maxAgeIsAccepted = isAccepted(
        "authorization.max-age.is-accepted",
        "The provider accepts a request with max_age",
        Citation(.core, "15.1", "OPs MUST support enforcing a maximum authentication age via the max_age parameter"),
        reads: [
            Sessions.step(.silentReturn, .young), Sessions.step(.signInAgain, .ageZero),
            Sessions.step(.agedSession, .old),
        ],
        parameter: "max_age"
    )

    static let youngSessionIsUsed = Check(
        "authorization.max-age.young-session-is-used",
        "The provider requires no new sign-in while the last one is within max_age",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "If the elapsed time is greater than this value, the OP MUST attempt"),
        why: "Users sign in again at every visit because the provider miscalculates the age of their sign-in.",
        reads: Sessions.step(.silentReturn, .young),
        exempt: { step, facts in
            if let why = facts.whySignInIsUsual ?? step.whyRejected { return why }
            guard let page = step.answer.page, !page.isError else { return nil }
            return "the response was a page that the run could not complete"
        },
        finding: { step, _ in
            guard !step.isGranted || step.filledCredentials else { return nil }
            let found =
                step.filledCredentials
                ? "the sign-in page" : step.answer.redirect?.errorText ?? step.answer.page?.phrase ?? "no response"
            return Finding(
                "The response to a request with max_age=10000, sent just after the sign-in, is \(found).",
                at: "max_age",
                expected: "the same response as without max_age",
                found: found,
                fix:
                    "Compare the time since auth_time with max_age in seconds, and check the sign-in time in the session."
            )
        }
    )

    static let loginEnds = ends(
        "authorization.prompt-login.lets-through",
        "A user who signs in again for prompt=login reaches the client",
        Citation(.core, "3.1.2.3", "the Authorization Server MUST reauthenticate the End-User even if"),
        .loginAlone,
        "prompt=login",
        at: "prompt"
    )

    static let zeroEnds = ends(
        "authorization.max-age.zero-lets-through",
        "A user who signs in again for max_age=0 reaches the client",
        Citation(.core, "3.1.2.1", "Note that max_age=0 is equivalent to prompt=login."),
        .ageZeroAlone,
        "max_age=0",
        at: "max_age"
    )

    /// - Parameter alone: The step that is skipped if the joint request ended at the client.
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
            why: "Users sign in again and again, and never reach the application.",
            reads: StepResults.authorization(.signInAgain, alone, or: .joint),
            supersededBy: ["authorization.flow.succeeds"],
            exempt: { subject, _ in
                subject.asked.step.filledCredentials
                    ? nil : "the provider did not require a sign-in, which another check reports"
            },
            finding: { subject, _ in
                if let page = subject.answer.page, page.requestsSignIn {
                    return Finding(
                        "The provider shows the sign-in page once more after the user signed in again for \(what).",
                        at: parameter,
                        expected: "a redirect to the client",
                        found: page.phrase,
                        fix: "Store with the request that the user has signed in for it, and redirect to the client."
                    )
                }
                guard case .refused = subject.outcome else { return nil }
                let found = subject.answer.redirect?.errorText ?? subject.answer.page?.phrase ?? "an error"
                return Finding(
                    "After the user signed in again for \(what), the provider rejects the request with \(found).",
                    at: parameter,
                    expected: "a redirect to the client with a successful response",
                    found: found,
                    fix: "Continue the authorization request after the sign-in, and redirect to the client."
                )
            }
        )
    }

    package static let all: [Check] = [
        loginIsAccepted, maxAgeIsAccepted, loginEnds, zeroEnds, loginAsksAgain, oldSessionAsksAgain, zeroAsksAgain,
        youngSessionIsUsed, consentAsks, selectAccountAsks,
    ]

    /// A request that the provider may answer with a page or an error of its sign-in, but not reject as invalid.
    private static func isAccepted(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        reads queries: [Query<SessionStep>],
        parameter: String
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .conformance,
            citation,
            why: "Every client that sends \(parameter) receives an error instead of a signed-in user.",
            reads: Query(
                "responses to requests with \(parameter)",
                needs: queries.reduce(into: []) { $0.formUnion($1.needs) },
                features: queries[0].features
            ) { facts in
                let samples = queries.flatMap { $0.samples(facts) }
                let observed = samples.filter { $0.observation.value != nil }
                return observed.isEmpty ? Array(samples.prefix(1)) : observed
            },
            passesOn: .answer,
            unless: { facts in
                facts.target.customParameters.contains { $0.name == parameter }
                    ? "the ordinary request has a \(parameter) of its own, which the provider may require" : nil
            },
            finding: { step, _ in
                guard let rejection = step.rejection else { return nil }
                return Finding(
                    "The provider rejects a request with \(parameter), although it grants the same request without it.",
                    at: parameter,
                    expected: "a successful response, the sign-in page, or login_required",
                    found: rejection,
                    fix: "Accept \(parameter) in authorization requests."
                )
            }
        )
    }

    /// A request that must not be granted without an action of the user.
    private static func asksAgain(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        reads query: Query<SessionStep>,
        supersededBy: [CheckID] = [],
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
            reads: query,
            supersededBy: supersededBy,
            exempt: { step, _ in
                if let why = step.whyRejected { return why }
                guard question != .consent, let page = step.answer.page, !page.isError, !page.requestsSignIn else {
                    return nil
                }
                return "the response was a page whose purpose is unknown"
            },
            finding: { step, _ in
                guard step.isGranted, !step.filledCredentials else { return nil }
                return Finding(
                    "The provider grants a request with \(value) \(question.whatWasMissing).",
                    at: parameter,
                    expected: "a page for the user, or an error",
                    found: "a successful authorization response",
                    fix: fix
                )
            }
        )
    }

    private enum Question: Equatable {
        case signIn
        case consent
        case account

        var whatWasMissing: String {
            switch self {
            case .signIn: "without a new sign-in"
            case .consent: "without the consent page"
            case .account: "without a choice of account"
            }
        }
    }
}

extension SessionStep {
    /// The errors of a provider that cannot grant the request without the user (Core section 3.1.2.6, and OpenID Connect Core
    /// Unmet Authentication Requirements).
    private static let requestsForUser: Set<String> = [
        "login_required", "interaction_required", "account_selection_required", "consent_required",
        "unmet_authentication_requirements",
    ]

    /// The error or the page with which the provider rejects the request, so that no sign-in is tested; `nil` if it does not.
    ///
    /// A crash or an error page requests no sign-in. After a sign-in for the request, an error is about something else.
    fileprivate var rejection: String? {
        guard !filledCredentials, case .refused(let refusal) = outcome else { return nil }
        switch refusal {
        case .error(let error): return Self.requestsForUser.contains(error) ? nil : "the error \(error.shown())"
        case .unnamed: return Outcome.Refusal.redirectWithoutResult
        case .page, .status, .crash: return answer.page.flatMap { $0.isError ? $0.phrase : nil }
        }
    }

    fileprivate var whyRejected: String? { rejection.map { "the provider rejects the request with \($0)" } }
}
