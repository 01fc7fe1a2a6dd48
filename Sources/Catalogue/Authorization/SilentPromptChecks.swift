package import Conformance

/// `prompt=none` and contradictory prompts in a browser with a session.
package enum SilentPromptChecks {
    static let showsNoPage = Check(
        "authorization.prompt-none.shows-no-page-with-session",
        "The provider redirects a request with prompt=none when the user is signed in",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why: "Applications renew sign-ins in a hidden frame. The user never sees a page there, and they wait forever.",
        reads: Sessions.step(.silentReturn, .promptNone),
        supersededBy: ["authorization.prompt-none.shows-no-page"],
        finding: { step, _ in
            guard let page = step.answer.page else { return nil }
            return Finding(
                "The response to a request with prompt=none from a signed-in user is \(page.phrase).",
                at: "prompt",
                expected: "a redirect to the client, with a code, tokens or an error",
                found: page.phrase,
                fix: "Redirect to the client for prompt=none, and return consent_required or interaction_required if a "
                    + "page would be needed."
            )
        }
    )

    static let succeeds = Check(
        "authorization.prompt-none.succeeds-with-session",
        "The provider grants prompt=none for a signed-in user who has consented",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "the server SHOULD respond successfully when possible, even if it [id_token_hint] is not present"
        ),
        why: "Applications cannot detect silently that the user is signed in, and show every user a page.",
        reads: Sessions.step(.silentReturn, .promptNone),
        exempt: { step, facts in
            if let why = facts.whyNoSession { return why }
            return step.answer.page == nil ? nil : "the response was a page, which another check covers"
        },
        finding: { step, _ in
            guard let redirect = step.answer.redirect, redirect.has("error") else { return nil }
            return Finding(
                "The provider rejects a request with prompt=none from a signed-in user: \(redirect.errorText).",
                at: "prompt",
                expected: "the same response as without prompt",
                found: redirect.errorText,
                fix: "Grant prompt=none from the session when the user is signed in and has consented before. If a "
                    + "hidden frame gets this error, check SameSite of the session cookie."
            )
        }
    )

    /// A provider that rejects every silent new sign-in rejects `none login` anyway; `none consent` shows whether it applies the rule.
    private static let contradictions: Query<SessionStep> = {
        let queries = [StepID.noneConsent, .noneLogin].map { Sessions.step(.silentReturn, $0) }
        return Query(
            "answers to prompt=none beside another value",
            needs: queries[0].needs,
            features: queries[0].features
        ) { facts in
            queries.flatMap { $0.samples(facts) }
                .map { Sample($0.observation, label: $0.observation.value?.asked.title, exchange: $0.exchange) }
        }
    }()

    static let contradictionIsRefused = Check(
        "authorization.prompt-none.with-another-value-is-refused",
        "The provider returns an error for prompt=none with another value",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "If this parameter contains none with any other value, an error is returned."),
        why: "The provider follows one of two contradictory values, perhaps not the one that the client relies on.",
        reads: contradictions,
        passesOn: .refusal,
        exempt: { step, facts in
            guard let page = step.answer.page, !page.isError, !page.requestsSignIn, !isLoop(page, step, facts) else {
                return nil
            }
            return "the response was a page that may be an error message"
        },
        finding: { step, facts in
            let page = step.answer.page.flatMap { $0.isError ? nil : $0 }
            guard step.isGranted || page != nil else { return nil }
            let response =
                page.map { isLoop($0, step, facts) ? "a loop of redirects" : $0.phrase }
                ?? "a successful authorization response"
            return Finding(
                "The response to a request with prompt=\(step.asked.sentParameter("prompt") ?? "none login") is \(response).",
                at: "prompt",
                expected: "error=invalid_request",
                found: page == nil ? "no error" : response,
                fix: "Return invalid_request when prompt contains none and another value."
            )
        }
    )

    /// Whether the run stopped at one of too many redirects.
    private static func isLoop(_ page: PageSummary, _ step: SessionStep, _ facts: Facts) -> Bool {
        let last = facts.evidence.exchange(step.answer.exchange)?.response
        return (300...399).contains(page.status) && last?.headers.contains { $0.isNamed("Location") } == true
    }

    static let isInItsPlace = Check(
        "authorization.prompt-none.is-answered-in-its-place",
        "The provider returns the response to prompt=none in the place that response_type and response_mode prescribe",
        .must,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "Informs the Authorization Server of the mechanism to be used for returning Authorization Response parameters"
        ),
        why: "Applications renew sign-ins in a hidden frame that looks in one place only, and they wait forever.",
        reads: silentPlaces,
        supersededBy: [
            showsNoPage.id, succeeds.id, "authorization.form-post.is-answered-by-a-form",
            "authorization.response.is-in-fragment", "authorization.tokens.are-not-in-query",
            "authorization.response.holds-what-was-asked",
        ],
        exempt: { subject, facts in
            if subject.answer.page != nil { return "the response was a page, which another check covers" }
            let plain = facts.evidence.run(Scenario.silentReturn.id)?.authorization(.promptNone).value?.redirect
            return plain?.isGrant == true ? nil : "the provider does not grant prompt=none in the default place either"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            let isPosted = subject.asked.sentParameter("response_mode") == "form_post"
            let isRight = isPosted ? redirect.form != nil : redirect.query.isEmpty && redirect.isGrant
            guard !isRight else { return nil }
            let place = isPosted ? "a form" : "the fragment"
            let found =
                redirect.has("error")
                ? "the error \(redirect.errorText)"
                : redirect.query.isEmpty ? "a response in the fragment" : "a response in the query"
            return Finding(
                "The provider returns \(found) for a prompt=none request that needs its response in \(place).",
                at: "prompt",
                expected: "the same response as without prompt, in \(place)",
                found: found,
                fix: "Return the response to prompt=none in \(place), as for the same request without prompt."
            )
        }
    )

    /// The responses to `prompt=none` outside the query: in a form, and in the fragment.
    private static let silentPlaces: Query<AuthorizationResult> = {
        let posted = StepResults.authorization(.silentReturn, .formPost)
        let others = StepResults.authorizations(
            ofTypes: .promptNone,
            whenEmpty: "no configured flow returns its response in the fragment",
            concerns: \.isFrontChannel
        )
        return Query(
            "answers to prompt=none with a session, outside the query",
            needs: posted.needs.union(others.needs),
            features: posted.features.intersection(others.features)
        ) { facts in
            posted.samples(facts).map { Sample($0.observation, label: "form_post", exchange: $0.exchange) }
                + others.samples(facts)
        }
    }()

    static let showsNoPageWhenTooOld = Check(
        "authorization.prompt-none.shows-no-page-when-too-old",
        "The provider redirects a request with prompt=none when the sign-in is older than max_age",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why: "Applications renew sign-ins in a hidden frame. The user never sees a page there, and they wait forever.",
        reads: Sessions.step(.agedSession, .silentOld),
        supersededBy: [
            "authorization.prompt-none.shows-no-page", "authorization.prompt-none.is-refused-without-session",
            showsNoPage.id,
        ],
        finding: { step, _ in
            guard let page = step.answer.page else { return nil }
            return Finding(
                "The response to a request with prompt=none and an exceeded max_age is \(page.phrase).",
                at: "prompt",
                expected: "a redirect to the client with error=login_required",
                found: page.phrase,
                fix: "Return login_required when the request has prompt=none and max_age requires a new sign-in."
            )
        }
    )

    static let tooOldIsRefused = Check(
        "authorization.prompt-none.is-refused-when-too-old",
        "The provider rejects prompt=none when the sign-in is older than max_age",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "the OP MUST attempt to actively re-authenticate the End-User"),
        why: "An attacker at an unlocked browser counts as freshly signed in.",
        reads: Sessions.step(.agedSession, .silentOld),
        supersededBy: [
            "authorization.max-age.asks-again", "authorization.prompt-none.is-refused-without-session",
            "idtoken.auth-time.is-unchanged-without-sign-in",
        ],
        passesOn: .refusal,
        finding: { step, _ in
            guard step.isGranted else { return nil }
            return Finding(
                "The provider grants a request with prompt=none and an exceeded max_age.",
                at: "max_age",
                expected: "error=login_required",
                found: "a successful authorization response",
                fix:
                    "Compare the time since auth_time with max_age for prompt=none too, and return login_required if it is greater."
            )
        }
    )

    package static let all: [Check] = [
        showsNoPage, showsNoPageWhenTooOld, tooOldIsRefused, succeeds, contradictionIsRefused, isInItsPlace,
    ]
}

extension Facts {
    /// Why checks of the use of a session are skipped: the user had to sign in again for an ordinary request.
    var whySignInIsUsual: String? {
        evidence.run(Scenario.silentReturn.id)?[.plain]?.filledCredentials == true
            ? "a request without prompt and max_age requires a sign-in as well" : nil
    }

    /// Why checks of silent responses are skipped: there is no session to grant a request from.
    ///
    /// A sign-in page for every request does not rule out a session; a request that is granted with a hint proves one.
    var whyNoSession: String? {
        let run = evidence.run(Scenario.silentReturn.id)
        let isSeen = run?.authorization(.hint).value?.redirect?.isGrant ?? false
        return isSeen ? nil : whySignInIsUsual.map { "the provider keeps no session: \($0)" }
    }
}
