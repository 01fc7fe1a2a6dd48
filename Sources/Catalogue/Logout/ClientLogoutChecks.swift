package import Conformance
import JSONTree

/// Logout by way of the client (OpenID Connect RP-Initiated Logout).
package enum ClientLogoutChecks {
    package static let redirectsBack = Check(
        "logout.redirect.leads-back",
        "After logout the browser comes back to the registered post-logout redirect URI",
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "requesting that the End-User's User Agent be redirected after a logout"),
        why: "Whoever logs out is left on a page of the provider and finds no way back to the application.",
        reads: Conversations.authorization(.logout, .logout),
        excusedBy: ["logout.request.is-answered"],
        exempt: { _, facts in
            isGoodHint(facts) ? nil : "the ID Token that was sent as a hint is faulty itself"
        },
        finding: { subject, facts in
            if subject.answer.redirect?.isRedirectURI == true { return nil }
            return Finding(
                "A logout request with a valid ID Token and the configured URI did not lead back to it.",
                at: "post_logout_redirect_uri",
                expected: facts.target.logout.postLogoutRedirectURI.map { "a redirect to \($0.shown())" },
                found: found(subject.answer),
                fix:
                    "Register the URI as one of the client's post_logout_redirect_uris, and redirect there after logout."
            )
        }
    )

    package static let stateIsEchoed = Check(
        "logout.state.is-echoed",
        "The state of a logout request comes back unchanged",
        .must,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "the OP passes this value back to the RP using the state parameter"),
        why: "The application cannot tell which logout has ended, and may take a forged one for its own.",
        reads: Conversations.authorization(.logout, .logout),
        exempt: { subject, _ in
            subject.answer.redirect?.isRedirectURI == true ? nil : "the logout did not lead back to the client"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.values("state") != [Scenario.logoutState] else {
                return nil
            }
            return Finding(
                "The redirect after logout does not carry the state of the request.",
                at: "state",
                expected: Scenario.logoutState,
                found: redirect.values("state").map { $0.shown() }.joined(separator: ", ").nonEmpty ?? "missing",
                fix: "Append state=… to the post-logout redirect, percent-encoded and otherwise as it was sent."
            )
        }
    )

    package static let sessionIsEnded = Check(
        "logout.session.is-ended",
        "After logout the provider does not know the person any more",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "2", "the OP MUST log out the End-User"),
        why: "On a shared computer whoever comes next is signed in to the account of the one who logged out.",
        reads: Conversations.authorization(.logout, .stillThere),
        excusedBy: [
            "logout.request.is-answered", "authorization.prompt-none.has-right-error",
            "authorization.prompt-none.is-refused-without-session",
        ],
        exempt: { subject, _ in
            guard subject.asked.run.authorization(.logout).value != nil else { return "no logout came about" }
            let pressed = subject.asked.run.authorization(.logout).value?.page?.forms.isEmpty == false
            return pressed ? "the provider's question whether to log out was not got past" : nil
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, subject.isGranted else { return nil }
            return Finding(
                "A silent authorization request after logout was answered with a sign-in.",
                at: "prompt",
                expected: "login_required",
                found: "a successful authorization response",
                fix: "End the provider's session when the end-session endpoint has been called and confirmed."
            )
        }
    )

    package static let isAnswered = Check(
        "logout.request.is-answered",
        "A logout request without parameters gets a page",
        // id_token_hint is RECOMMENDED, and what becomes of a request without it is not laid down but for the question.
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2", "MUST ask the End-User this question if an id_token_hint was not provided"),
        why: "Applications that only want to end the session show their users an error.",
        reads: Conversations.authorization(.logoutAstray, .nothing),
        finding: { subject, _ in
            guard let page = subject.answer.page, page.status >= 400 else { return nil }
            return Finding(
                "A logout request without parameters, all of which are optional, was answered with an error.",
                expected: "a page with status 200",
                found: "HTTP status \(page.status)",
                fix:
                    "Answer a GET of the end-session endpoint without parameters with a page; every parameter is optional."
            )
        }
    )

    package static let wrongURIs = Slot<AnsweredAuthorization>(
        "answers to logout requests with a wrong post-logout redirect URI",
        needs: [.discovery, .probe(Scenario.logoutAstray.id)]
    ) { facts in
        [("unregistered-uri", "another host"), ("extended-uri", "query added")]
            .flatMap { id, label in
                Conversations.authorization(.logoutAstray, StepID(id)).samples(facts)
                    .map { Sample($0.observation, label: label, exchange: $0.exchange) }
            }
    }

    package static let wrongURIIsNotFollowed = Check(
        "logout.redirect.unregistered-is-not-followed",
        "Nobody is sent to a post-logout redirect URI that is not registered",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "3", "does not exactly match one of the previously registered"),
        why: "An attacker makes phishing believable by an open redirect on the provider's host.",
        endangers: .everybody,
        reads: wrongURIs,
        passesOn: .answer,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect else { return nil }
            let wentElsewhere =
                redirect.address != subject.asked.sentParameter("post_logout_redirect_uri")
                && !(subject.asked.sentParameter("post_logout_redirect_uri") ?? "").hasPrefix(redirect.address + "?")
            return Finding(
                wentElsewhere
                    ? "A post_logout_redirect_uri that is not registered was dropped, and the browser redirected elsewhere."
                    : "After logout the browser was sent to an address that is not registered.",
                at: "post_logout_redirect_uri",
                expected: "a page of the provider",
                found: redirect.address.shown(),
                fix:
                    "Compare post_logout_redirect_uri with the registered ones character for character, query included."
            )
        }
    )

    package static let forgedHintIsNotFollowed = Check(
        "logout.id-token-hint.forged-leads-nowhere",
        "With a forged ID Token nobody is sent on after logout",
        .must,
        .safety,
        Citation(.rpInitiatedLogout, "4", "the information that failed to validate MUST NOT be used"),
        why: "Any site can have people logged out and led to an application of its choice.",
        endangers: .everybody,
        reads: Conversations.authorization(.logoutAstray, .forgedHint),
        excusedBy: ["logout.id-token-hint.missing-leads-nowhere"],
        finding: { subject, _ in
            guard subject.answer.redirect?.isRedirectURI == true else { return nil }
            return Finding(
                "A logout request with an ID Token whose signature is wrong was followed to the client.",
                at: "id_token_hint",
                expected: "a page of the provider",
                found: found(subject.answer),
                fix: "Verify the signature of id_token_hint, and redirect nowhere when it fails."
            )
        }
    )

    package static let missingHintIsNotFollowed = Check(
        "logout.id-token-hint.missing-leads-nowhere",
        "Without a hint of the client nobody is sent on after logout",
        .should,
        .safety,
        Citation(.rpInitiatedLogout, "3", "unless the OP has other means of confirming the legitimacy"),
        why: "Any site can have people logged out and led to an application of its choice.",
        endangers: .everybody,
        reads: Conversations.authorization(.logoutAstray, .noHint),
        finding: { subject, _ in
            guard subject.answer.redirect?.isRedirectURI == true else { return nil }
            return Finding(
                "A logout request with neither id_token_hint nor client_id was followed to the client.",
                at: "id_token_hint",
                expected: "a page of the provider",
                found: found(subject.answer),
                fix: "Without id_token_hint redirect only when something else proves the target: client_id and the "
                    + "person's consent."
            )
        }
    )

    /// Whether the ID Token of the conversation is one that a provider must know again.
    private static func isGoodHint(_ facts: Facts) -> Bool {
        guard let run = facts.evidence.run(Scenario.logout.id),
            let token = Conversations.idToken(.logout, at: .tokenEndpoint).samples(facts).first?.observation.value,
            token.facts.trials.contains(where: { $0.isVerified && $0.key != .clientSecret }),
            token.facts.partFaults.allSatisfy({ $0 == nil }), !token.header.has("crit")
        else { return false }
        let audience = token.claims["aud"]?.strings ?? token.claims["aud"]?.stringValue.map { [$0] } ?? []
        return token.claims["iss"]?.stringValue == facts.target.issuer && audience.contains(run.clientID)
            && token.claims["sub"]?.stringValue?.isEmpty == false
    }

    private static func found(_ answer: AuthorizationAnswer) -> String {
        switch answer.ending {
        case .redirected(let redirect): "a redirect to \(redirect.address.shown())"
        case .page(let page): "a page with HTTP status \(page.status)"
        }
    }

    package static let all: [Check] = [
        isAnswered, redirectsBack, stateIsEchoed, sessionIsEnded, wrongURIIsNotFollowed, forgedHintIsNotFollowed,
        missingHintIsNotFollowed,
    ]
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
