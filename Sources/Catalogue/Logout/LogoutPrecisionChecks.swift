import Conformance

/// The parameters of the redirect after logout, and logout requests without a redirect URI.
enum LogoutPrecisionChecks {
    static let redirectContainsNothingMore = Check(
        "logout.redirect.holds-nothing-more",
        "The redirect after logout contains no parameter but state",
        .may,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "the OP passes this value back to the RP using the state parameter"),
        why: "Data about the user ends up in logs and in the browser history.",
        reads: StepResults.authorization(.logout, .logout),
        exempt: unlessBack,
        finding: { subject, _ in
            let parameters = (subject.answer.redirect?.query ?? []) + (subject.answer.redirect?.fragment ?? [])
            let names = parameters.map(\.name).filter { $0 != "state" }
            guard let first = names.first else { return nil }
            return Finding(
                "The redirect after logout also contains \(names.joined(separator: ", ").shown()).",
                at: first.shown(limit: 80),
                expected: "state, if it was sent",
                found: names.joined(separator: ", ").shown(),
                fix: "Append only state to the post-logout redirect URI."
            )
        }
    )

    static let stateIsNotInvented = Check(
        "logout.state.is-not-invented",
        "The redirect after logout has no state if the request had none",
        .risk,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "If included in the logout request"),
        why: "An application that sent no state treats the response as one to another request.",
        reads: StepResults.authorization(.logoutAstray, .noState),
        exempt: unlessBack,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.has("state") else { return nil }
            return Finding(
                "The redirect after logout has a state although the request had none.",
                at: "state",
                expected: "no state",
                found: redirect.values("state").joined(separator: ", ").shown(),
                fix: "Append state only if the logout request had one."
            )
        }
    )

    static let lessIsAnswered = Check(
        "logout.request.without-redirect-is-answered",
        "The end-session endpoint returns a page for a logout request without post_logout_redirect_uri",
        // The address is OPTIONAL; the specification does not define the response without one.
        .risk,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "post_logout_redirect_uri OPTIONAL"),
        why: "Applications that only want to end the session show their users an error.",
        reads: withoutAddress,
        supersededBy: ["logout.request.is-answered"],
        finding: { subject, _ in
            guard let page = subject.answer.page, page.status >= 400 else { return nil }
            return Finding(
                "The end-session endpoint returns an error for a logout request without post_logout_redirect_uri.",
                expected: "a page with status 200",
                found: "HTTP status \(page.status)",
                fix: "Return a page of the provider with status 200 if the request has no post_logout_redirect_uri."
            )
        }
    )

    static let lessLeadsNowhere = Check(
        "logout.request.without-redirect-leads-nowhere",
        "The provider does not redirect after a logout request without post_logout_redirect_uri",
        .should,
        .conformance,
        Citation(
            .rpInitiatedLogout,
            "3",
            "the redirection target is the post_logout_redirect_uri parameter value sent by the initiating RP"
        ),
        why: "The user is sent back to an application that did not request the redirect.",
        reads: withoutAddress,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "The provider redirects to a client after a logout request without post_logout_redirect_uri.",
                at: "post_logout_redirect_uri",
                expected: "a page of the provider",
                found: redirect.address.shown(),
                fix:
                    "Redirect after logout only if the request has a post_logout_redirect_uri, and only to that address."
            )
        }
    )

    static let all: [Check] = [redirectContainsNothingMore, stateIsNotInvented, lessIsAnswered, lessLeadsNowhere]

    private static let unlessBack: @Sendable (AuthorizationResult, Facts) -> String? = { subject, _ in
        subject.answer.redirect?.isRedirectURI == true ? nil : "the logout did not lead back to the client"
    }

    private static let withoutAddress = Query<AuthorizationResult>(
        "responses to logout requests without post_logout_redirect_uri",
        needs: [.discovery, .probe(Scenario.logoutAstray.id)]
    ) { facts in
        [("only-hint", "an ID Token alone"), ("only-state", "state alone")]
            .flatMap { id, label in
                StepResults.authorization(.logoutAstray, StepID(id)).samples(facts)
                    .map { Sample($0.observation, label: label, exchange: $0.exchange) }
            }
    }
}
