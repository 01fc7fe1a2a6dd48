package import Conformance
import JSONTree

/// Logout that the client initiates (OpenID Connect RP-Initiated Logout).
package enum ClientLogoutChecks {
    static let redirectsBack = Check(
        "logout.redirect.leads-back",
        "The provider redirects to the registered post-logout redirect URI after logout",
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "requesting that the End-User's User Agent be redirected after a logout"),
        why: "A user who logs out stays on a page of the provider, with no way back to the application.",
        reads: StepResults.authorization(.logout, .logout),
        supersededBy: ["logout.request.is-answered"],
        exempt: { _, facts in isGoodHint(facts) ? nil : "the ID Token that was sent as id_token_hint is not valid" },
        finding: { subject, facts in
            if subject.answer.redirect?.isRedirectURI == true { return nil }
            return Finding(
                "A logout request with a valid id_token_hint and the configured URI does not redirect to that URI.",
                at: "post_logout_redirect_uri",
                expected: facts.target.logout.postLogoutRedirectURI.map { "a redirect to \($0.shown())" },
                found: subject.answer.shown,
                fix: "Add the URI to the client's post_logout_redirect_uris, and redirect to it after logout."
            )
        }
    )

    static let stateIsEchoed = Check(
        "logout.state.is-echoed",
        "The provider returns the state of a logout request unchanged",
        .must,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "the OP passes this value back to the RP using the state parameter"),
        why: "The application cannot match the response to its logout request, and may accept a forged one.",
        reads: StepResults.authorization(.logout, .logout),
        exempt: { subject, _ in
            subject.answer.redirect?.isRedirectURI == true ? nil : "the logout did not redirect to the client"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.values("state") != [Scenario.logoutState] else {
                return nil
            }
            return Finding(
                "The redirect after logout does not contain the state of the request.",
                at: "state",
                expected: Scenario.logoutState,
                found: redirect.values("state").map { $0.shown() }.joined(separator: ", ").nonEmpty ?? "missing",
                fix:
                    "Append the state of the request to the post-logout redirect URI, percent-encoded and otherwise unchanged."
            )
        }
    )

    static let sessionIsEnded = Check(
        "logout.session.is-ended",
        "The provider ends the user's session after logout",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "2", "the OP MUST log out the End-User"),
        why: "On a shared computer, another user gets access to the account of the user who logged out.",
        reads: StepResults.authorization(.logout, .stillThere),
        supersededBy: [
            "logout.request.is-answered", "authorization.prompt-none.has-right-error",
            "authorization.prompt-none.is-refused-without-session",
        ],
        exempt: { subject, _ in
            guard subject.asked.run.authorization(.logout).value != nil else { return "no logout took place" }
            let pressed = subject.asked.run.authorization(.logout).value?.page?.forms.isEmpty == false
            return pressed ? "the provider's logout confirmation page was not completed" : nil
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, subject.isGranted else { return nil }
            return Finding(
                "The user is still signed in after the logout: a request with prompt=none succeeds.",
                at: "prompt",
                expected: "login_required",
                found: "a successful authorization response",
                fix:
                    "End the provider's session after the end-session endpoint is called and the user confirms the logout."
            )
        }
    )

    static let isAnswered = Check(
        "logout.request.is-answered",
        "The end-session endpoint returns a page for a logout request without parameters",
        // id_token_hint is RECOMMENDED; for a request without it, the specification requires only the question.
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "MUST ask the End-User this question if an id_token_hint was not provided"),
        why: "Users of an application that sends no optional parameters see an error when they log out.",
        reads: StepResults.authorization(.logoutAstray, .nothing),
        finding: { subject, _ in
            guard let page = subject.answer.page, page.status >= 400 else { return nil }
            return Finding(
                "The end-session endpoint returns an error for a logout request without parameters.",
                expected: "a page with status 200",
                found: "HTTP status \(page.status)",
                fix:
                    "Return a page for a GET request without parameters at end_session_endpoint; every parameter is optional."
            )
        }
    )

    static let wrongURIs = Query<AuthorizationResult>(
        "responses to logout requests with a wrong post-logout redirect URI",
        needs: [.discovery, .probe(Scenario.logoutAstray.id)]
    ) { facts in
        [(StepID.unregisteredURI, "another host"), (.extendedURI, "query added"), (.subdomainURI, "subdomain")]
            .flatMap { id, label in
                StepResults.authorization(.logoutAstray, id).samples(facts)
                    .map { Sample($0.observation, label: label, exchange: $0.exchange) }
            }
    }

    static let wrongURIIsNotFollowed = Check(
        "logout.redirect.unregistered-is-not-followed",
        "The provider does not redirect to an unregistered post-logout redirect URI",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "3", "does not exactly match one of the previously registered"),
        why: "An attacker can use the provider's host as an open redirector for phishing.",
        endangers: .allUsers,
        reads: wrongURIs,
        passesOn: .answer,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            let wentElsewhere =
                redirect.address != subject.asked.sentParameter("post_logout_redirect_uri")
                && !(subject.asked.sentParameter("post_logout_redirect_uri") ?? "").hasPrefix(redirect.address + "?")
            return Finding(
                wentElsewhere
                    ? "An unregistered post_logout_redirect_uri is ignored, and the provider redirects elsewhere."
                    : "The provider redirects to an unregistered address after logout.",
                at: "post_logout_redirect_uri",
                expected: "a page of the provider",
                found: redirect.address.shown(),
                fix: "Redirect only if post_logout_redirect_uri exactly equals a registered one, including the query."
            )
        }
    )

    static let forgedHintIsNotFollowed = Check(
        "logout.id-token-hint.forged-leads-nowhere",
        "The provider does not redirect after a logout request with a forged ID Token",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "4", "the information that failed to validate MUST NOT be used"),
        why: "Any site can log users out and send them to an application of its choice.",
        endangers: .allUsers,
        reads: StepResults.authorization(.logoutAstray, .forgedHint),
        supersededBy: ["logout.id-token-hint.missing-leads-nowhere"],
        finding: { subject, _ in
            guard subject.answer.redirect?.isRedirectURI == true else { return nil }
            return Finding(
                "The provider redirects to the client although the signature of id_token_hint is invalid.",
                at: "id_token_hint",
                expected: "a page of the provider",
                found: subject.answer.shown,
                fix: "Verify the signature of id_token_hint, and do not redirect if it is invalid."
            )
        }
    )

    static let missingHintIsNotFollowed = Check(
        "logout.id-token-hint.missing-leads-nowhere",
        "The provider does not redirect after a logout request that does not identify the client",
        .should,
        .safety,
        Citation(.rpInitiatedLogout, "3", "unless the OP has other means of confirming the legitimacy"),
        why: "Any site can log users out and send them to an application of its choice.",
        endangers: .allUsers,
        reads: StepResults.authorization(.logoutAstray, .noHint),
        finding: { subject, _ in
            guard subject.answer.redirect?.isRedirectURI == true else { return nil }
            return Finding(
                "The provider redirects to the client although the request has neither id_token_hint nor client_id.",
                at: "id_token_hint",
                expected: "a page of the provider",
                found: subject.answer.shown,
                fix:
                    "Without id_token_hint, redirect only if other means confirm the target, such as client_id and the "
                    + "user's consent."
            )
        }
    )

    /// Whether the provider must recognize the ID Token of the scenario as its own.
    private static func isGoodHint(_ facts: Facts) -> Bool {
        guard let run = facts.evidence.run(Scenario.logout.id),
            let token = StepResults.idToken(.logout, at: .tokenEndpoint).samples(facts).first?.observation.value,
            token.facts.trials.contains(where: { $0.isVerified && $0.key != .clientSecret }),
            token.facts.partFaults.allSatisfy({ $0 == nil }), !token.header.has("crit")
        else { return false }
        let audience = token.claims["aud"]?.strings ?? token.claims["aud"]?.stringValue.map { [$0] } ?? []
        return token.claims["iss"]?.stringValue == facts.target.issuer && audience.contains(run.clientID)
            && token.claims["sub"]?.stringValue?.isEmpty == false
    }

    package static let all: [Check] = [
        isAnswered, redirectsBack, stateIsEchoed, sessionIsEnded, wrongURIIsNotFollowed, forgedHintIsNotFollowed,
        missingHintIsNotFollowed,
    ]
}

extension String { fileprivate var nonEmpty: String? { isEmpty ? nil : self } }
