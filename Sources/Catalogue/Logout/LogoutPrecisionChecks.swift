import Conformance
import JSONTree

/// What comes along with a logout, and logout requests that name less.
enum LogoutPrecisionChecks {
    static let redirectHoldsNothingMore = Check(
        "logout.redirect.holds-nothing-more",
        "The redirect after logout holds nothing but state",
        .may,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "the OP passes this value back to the RP using the state parameter"),
        why: "What the provider tells of the person ends in logs and in the browser's history.",
        reads: Conversations.authorization(.logout, .logout),
        exempt: unlessBack,
        finding: { subject, _ in
            let parameters = (subject.answer.redirect?.query ?? []) + (subject.answer.redirect?.fragment ?? [])
            let names = parameters.map(\.name).filter { $0 != "state" }
            guard let first = names.first else { return nil }
            return Finding(
                "The redirect after logout also holds \(names.joined(separator: ", ").shown()).",
                at: first.shown(limit: 80),
                expected: "state, if it was sent",
                found: names.joined(separator: ", ").shown(),
                fix: "Append nothing but state to the post-logout redirect URI."
            )
        }
    )

    static let stateIsNotInvented = Check(
        "logout.state.is-not-invented",
        "A logout request without state brings no state back",
        .risk,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "If included in the logout request"),
        why: "An application that did not send one takes the answer for somebody else's.",
        reads: Conversations.authorization(.logoutAstray, .noState),
        exempt: unlessBack,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.has("state") else { return nil }
            return Finding(
                "The redirect after logout carries a state, and none was sent.",
                at: "state",
                expected: "no state",
                found: redirect.values("state").joined(separator: ", ").shown(),
                fix: "Append state only when the logout request had one."
            )
        }
    )

    static let lessIsAnswered = Check(
        "logout.request.without-redirect-is-answered",
        "A logout request that names no address to return to gets a page",
        // The address is OPTIONAL; what is answered without one no sentence says.
        .risk,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "post_logout_redirect_uri OPTIONAL"),
        why: "Applications that only want to end the session show their users an error.",
        reads: withoutAddress,
        excusedBy: ["logout.request.is-answered"],
        finding: { subject, _ in
            guard let page = subject.answer.page, page.status >= 400 else { return nil }
            return Finding(
                "A logout request without post_logout_redirect_uri was answered with an error.",
                expected: "a page with status 200",
                found: "HTTP status \(page.status)",
                fix: "Answer with a page of your own when the request names no address to return to."
            )
        }
    )

    static let lessLeadsNowhere = Check(
        "logout.request.without-redirect-leads-nowhere",
        "A logout request that names no address to return to leads to none",
        .should,
        .conformance,
        Citation(
            .rpInitiatedLogout,
            "3",
            "the redirection target is the post_logout_redirect_uri parameter value sent by the initiating RP"
        ),
        why: "The application that only wanted to end the session gets a person back whom it did not send for.",
        reads: withoutAddress,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "A logout request without post_logout_redirect_uri was answered by a redirect to a client.",
                at: "post_logout_redirect_uri",
                expected: "a page of the provider",
                found: redirect.address.shown(),
                fix: "Redirect after logout only to the post_logout_redirect_uri of the request."
            )
        }
    )

    static let all: [Check] = [redirectHoldsNothingMore, stateIsNotInvented, lessIsAnswered, lessLeadsNowhere]

    private static let unlessBack: @Sendable (AnsweredAuthorization, Facts) -> String? = { subject, _ in
        subject.answer.redirect?.isRedirectURI == true ? nil : "the logout did not lead back to the client"
    }

    private static let withoutAddress = Slot<AnsweredAuthorization>(
        "answers to logout requests without an address to return to",
        needs: [.discovery, .probe(Scenario.logoutAstray.id)]
    ) { facts in
        [("only-hint", "an ID Token alone"), ("only-state", "state alone")]
            .flatMap { id, label in
                Conversations.authorization(.logoutAstray, StepID(id)).samples(facts)
                    .map { Sample($0.observation, label: label, exchange: $0.exchange) }
            }
    }
}
