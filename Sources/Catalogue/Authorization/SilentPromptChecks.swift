package import Conformance

/// `prompt=none` and contradictory prompts in a browser in which somebody is signed in.
package enum SilentPromptChecks {
    package static let showsNoPage = Check(
        "authorization.prompt-none.shows-no-page-with-session",
        "prompt=none is answered by a redirect when somebody is signed in",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why: "Applications renew sign-ins in a hidden frame; a page there is never seen, and they wait for ever.",
        reads: Sessions.step(.silentReturn, .promptNone),
        excusedBy: ["authorization.prompt-none.shows-no-page"],
        finding: { step, _ in
            guard let page = step.answer.page else { return nil }
            return Finding(
                "A request with prompt=none of a signed-in person was answered with \(page.phrase).",
                at: "prompt",
                expected: "a redirect to the client, with a code or tokens or an error",
                found: page.phrase,
                fix: "Redirect to the client when prompt=none is sent: with the answer, or with consent_required or "
                    + "interaction_required when a page would be needed."
            )
        }
    )

    package static let succeeds = Check(
        "authorization.prompt-none.succeeds-with-session",
        "prompt=none succeeds for a signed-in person who has consented",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "the server SHOULD respond successfully when possible, even if it [id_token_hint] is not present"
        ),
        why: "Applications cannot find out silently that the user is signed in, and send everybody through a page.",
        reads: Sessions.step(.silentReturn, .promptNone),
        exempt: { step, facts in
            if let why = facts.whyNoSession { return why }
            return step.answer.page == nil ? nil : "the answer was a page, which another check judges"
        },
        finding: { step, _ in
            guard let redirect = step.answer.redirect, redirect.has("error") else { return nil }
            return Finding(
                "A request with prompt=none of a signed-in person was refused: \(redirect.errorText).",
                at: "prompt",
                expected: "the same answer as without prompt",
                found: redirect.errorText,
                fix:
                    "Answer prompt=none from the session when the user is signed in and has consented before. If a "
                    + "hidden frame gets this answer, look at SameSite of the session cookie."
            )
        }
    )

    /// Whoever refuses every new sign-in without a page refuses the one; the other shows who reads the rule.
    private static let contradictions: Slot<SessionStep> = {
        let slots = [StepID.noneConsent, .noneLogin].map { Sessions.step(.silentReturn, $0) }
        return Slot(
            "answers to prompt=none beside another value",
            needs: slots[0].needs,
            features: slots[0].features
        ) { facts in
            slots.flatMap { $0.samples(facts) }
                .map { Sample($0.observation, label: $0.observation.value?.asked.title, exchange: $0.exchange) }
        }
    }()

    package static let contradictionIsRefused = Check(
        "authorization.prompt-none.with-another-value-is-refused",
        "prompt=none beside another value is an error",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "If this parameter contains none with any other value, an error is returned."),
        why:
            "A client that asks for no page and for a sign-in at once gets one of the two, and not the one it counts on.",
        reads: contradictions,
        passesOn: .refusal,
        exempt: { step, _ in
            guard let page = step.answer.page, !page.isError, !page.asksForSignIn else { return nil }
            return "the answer was a page that may be an error message"
        },
        finding: { step, _ in
            let page = step.answer.page.flatMap { $0.isError ? nil : $0 }
            guard step.isGranted || page != nil else { return nil }
            return Finding(
                "A request with prompt=\(step.asked.sentParameter("prompt") ?? "none login") was "
                    + (page.map { "answered with \($0.phrase)" } ?? "granted") + ".",
                at: "prompt",
                expected: "error=invalid_request",
                found: page?.phrase ?? "no error",
                fix: "Answer invalid_request when prompt holds none and another value."
            )
        }
    )

    package static let isInItsPlace = Check(
        "authorization.prompt-none.is-answered-in-its-place",
        "A silent answer comes in the place that response type and mode have for it",
        .must,
        .conformance,
        Citation(
            .multipleResponseTypes,
            "2.1",
            "Informs the Authorization Server of the mechanism to be used for returning Authorization Response parameters"
        ),
        why:
            "Applications renew sign-ins in a hidden frame that looks in one place; it hears nothing, and waits for ever.",
        reads: silentPlaces,
        excusedBy: [
            showsNoPage.id, succeeds.id, "authorization.form-post.is-answered-by-a-form",
            "authorization.response.is-in-fragment", "authorization.tokens.are-not-in-query",
            "authorization.response.holds-what-was-asked",
        ],
        exempt: { subject, facts in
            if subject.answer.page != nil { return "the answer was a page, which another check judges" }
            let plain = facts.evidence.run(Scenario.silentReturn.id)?.authorization(.promptNone).value?.redirect
            return plain?.isGrant == true ? nil : "prompt=none is not granted in its usual place either"
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
                : redirect.query.isEmpty
                    ? "an answer in the fragment" : "an answer in the query"
            return Finding(
                "A request with prompt=none of a signed-in person, to be answered in \(place), got \(found).",
                at: "prompt",
                expected: "the same answer as without prompt, in \(place)",
                found: found,
                fix:
                    "Answer prompt=none in the same place as every other request of the same response type and mode."
            )
        }
    )

    /// The answers to `prompt=none` elsewhere than in the query: as a form, and in the fragment.
    private static let silentPlaces: Slot<AnsweredAuthorization> = {
        let posted = Conversations.authorization(.silentReturn, .formPost)
        let others = Conversations.authorizations(
            ofTypes: .promptNone,
            whenEmpty: "no configured flow is answered in the fragment",
            concerns: \.isFrontChannel
        )
        return Slot(
            "answers to prompt=none with a session, in other places than the query",
            needs: posted.needs.union(others.needs),
            features: posted.features.intersection(others.features)
        ) { facts in
            posted.samples(facts).map { Sample($0.observation, label: "form_post", exchange: $0.exchange) }
                + others.samples(facts)
        }
    }()

    package static let showsNoPageWhenTooOld = Check(
        "authorization.prompt-none.shows-no-page-when-too-old",
        "prompt=none is answered by a redirect when the sign-in is older than max_age",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST NOT display any authentication or consent user interface pages"),
        why: "Applications renew sign-ins in a hidden frame; a page there is never seen, and they wait for ever.",
        reads: Sessions.step(.agedSession, .silentOld),
        excusedBy: [
            "authorization.prompt-none.shows-no-page", "authorization.prompt-none.is-refused-without-session",
            showsNoPage.id,
        ],
        finding: { step, _ in
            guard let page = step.answer.page else { return nil }
            return Finding(
                "A request with prompt=none and a max_age that has passed was answered with \(page.phrase).",
                at: "prompt",
                expected: "a redirect to the client with error=login_required",
                found: page.phrase,
                fix: "Answer login_required where prompt=none is sent and max_age would take a new sign-in."
            )
        }
    )

    package static let tooOldIsRefused = Check(
        "authorization.prompt-none.is-refused-when-too-old",
        "prompt=none is refused when the sign-in is older than max_age",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "the OP MUST attempt to actively re-authenticate the End-User"),
        why: "An attacker at an unlocked browser counts as freshly signed in.",
        reads: Sessions.step(.agedSession, .silentOld),
        excusedBy: [
            "authorization.max-age.asks-again", "authorization.prompt-none.is-refused-without-session",
            "idtoken.auth-time.is-unchanged-without-sign-in",
        ],
        passesOn: .refusal,
        finding: { step, _ in
            guard step.isGranted else { return nil }
            return Finding(
                "A request with prompt=none and a max_age that has passed was granted.",
                at: "max_age",
                expected: "error=login_required",
                found: "a successful authorization response",
                fix: "Compare the time since auth_time with max_age when prompt=none is sent, too."
            )
        }
    )

    package static let all: [Check] = [
        showsNoPage, showsNoPageWhenTooOld, tooOldIsRefused, succeeds, contradictionIsRefused, isInItsPlace,
    ]
}

extension Facts {
    /// Why nothing is said of what a session is used for: the person had to sign in again for a request like any other.
    var whySignInIsUsual: String? {
        evidence.run(Scenario.silentReturn.id)?[.plain]?.filledCredentials == true
            ? "a request without prompt and max_age asks for a sign-in as well" : nil
    }

    /// Why nothing is said of answers without a page: there is no session that any could come from.
    ///
    /// A page that asks each time may stand before a session all the same; whoever is let in by a hint has one.
    var whyNoSession: String? {
        let run = evidence.run(Scenario.silentReturn.id)
        let isSeen = run?.authorization(.hint).value?.redirect?.isGrant ?? false
        return isSeen ? nil : whySignInIsUsual.map { "the provider keeps no session: \($0)" }
    }
}
