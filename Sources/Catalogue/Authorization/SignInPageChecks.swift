package import Conformance

/// The handling of data that a user enters on the provider's pages.
package enum SignInPageChecks {
    static let isNotSentOn = Check(
        "authorization.sign-in.is-not-sent-on",
        "The provider does not redirect the form with the password by status 307",
        .must,
        .safety,
        Citation(.rfc9700, "4.12", "MUST NOT use the HTTP 307 status code for redirection"),
        why: "With status 307 the browser sends the form again, and another site receives the password.",
        reads: Query(
            "answers to the form of the sign-in page",
            needs: [.discovery, .flows],
            whenEmpty: "no sign-in used a form"
        ) { facts in
            let unheld = StepResults.flows.samples(facts)
                .compactMap { sample -> Sample<Exchange>? in
                    guard case .notAttempted(let why) = sample.observation else { return nil }
                    return Sample(.notAttempted(why), label: sample.label)
                }
            let signIns = facts.evidence.exchanges.filter { $0.isSignIn == true && $0.isSuperseded != true }
            return signIns.isEmpty ? unheld : signIns.map { Sample(.observed($0), exchange: $0.id) }
        },
        supersededBy: ["platform.pages.credentials-are-not-sent-on"]
    ) { (exchange: Exchange, _) in
        guard let response = exchange.response, response.status == 307 else { return [] }
        return [
            Finding(
                "The provider redirects the form with the password by status 307.",
                at: "status",
                expected: "HTTP status 303",
                found: "HTTP status 307",
                fix: "Redirect with status 303 after the form is submitted."
            )
        ]
    }

    static let formsReachTheClient = Check(
        "authorization.sign-in.forms-reach-the-client",
        "The Content Security Policy of the sign-in pages lets forms reach the client",
        .must,
        .signIn,
        Citation(.contentSecurityPolicy, "form-action", "restricts the URLs which can be used as the target of"),
        why:
            "Chrome and Edge block the redirect to the client after a form if the page's policy does not allow that address. "
            + "The user presses the button and nothing happens. Firefox follows the redirect.",
        reads: StepResults.pages
    ) { (run: ScenarioRun, _) in
        var pages: Set<String> = []
        return run.visits.compactMap { visit in
            guard let blocked = visit.blockedForm, pages.insert(blocked.page).inserted else { return nil }
            return Finding(
                "The form of \(blocked.page.shown()) leads to \(blocked.target.shown()), which the page's policy does not allow.",
                at: "Content-Security-Policy",
                expected: "a policy that allows \(blocked.target.shown())",
                found: blocked.directive,
                fix:
                    "Add the origins of the client's redirect URIs and of every redirect before them to form-action, or remove "
                    + "form-action. If the policy has sandbox, add allow-forms.",
                exchange: visit.exchange
            )
        }
    }

    static let cookiesAreKept = Check(
        "authorization.sign-in.cookies-are-kept",
        "Browsers store the sign-in cookies and send them when the user comes from the client",
        .risk,
        .signIn,
        Citation(.rfc6265bis, "5.7", "ignore the cookie entirely unless the cookie's secure-only-flag is true"),
        why: "The provider does not get its cookie back, and the sign-in ends on an error page or starts over.",
        reads: StepResults.pages
    ) { (run: ScenarioRun, _) in
        var names: Set<String> = []
        let refused = run.visits.flatMap { visit in
            (visit.refusedCookies ?? []).filter { names.insert($0.name).inserted }.map { finding($0, visit) }
        }
        let strict = run.visits.flatMap { visit in
            // If no error page ends the sign-in, such a cookie may be for the provider's own pages only.
            (run.endsAtErrorPage ? visit.withheldCookies ?? [] : []).filter { names.insert($0).inserted }
                .map { withheld($0, visit) }
        }
        return refused + strict
    }

    private static func finding(_ cookie: PageVisit.RefusedCookie, _ visit: PageVisit) -> Finding {
        let isOfHost = cookie.flaw == .hostPrefix
        return Finding(
            "Browsers discard the cookie \(cookie.name.quoted), because it has \(cookie.flaw.words).",
            at: "Set-Cookie",
            expected: isOfHost ? "Secure, Path=/, no Domain" : "Secure",
            found: cookie.flaw.words,
            fix: isOfHost
                ? "Set Secure and Path=/ and remove Domain in the cookie \(cookie.name.quoted), or rename it."
                : "Add Secure to the cookie \(cookie.name.quoted).",
            exchange: visit.exchange
        )
    }

    private static func withheld(_ name: String, _ visit: PageVisit) -> Finding {
        Finding(
            "Browsers do not send the cookie \(name.quoted) when the user comes from the client, because it has SameSite=Strict. "
                + "They omit it from the redirects that follow too, and this sign-in ends on an error page.",
            at: "Set-Cookie",
            expected: "SameSite=Lax",
            found: "SameSite=Strict",
            fix: "Set SameSite=Lax on the cookies that the authorization endpoint and the pages after it need.",
            exchange: visit.exchange
        )
    }

    static let markupIsEscaped = Check(
        "authorization.pages.escape-parameters",
        "The provider's pages show the parameters of a request only as text",
        .must,
        .safety,
        Citation(.rfc6749, "10.14", "MUST sanitize (and validate when possible) any value received"),
        why:
            "An attacker whose link a user opens inserts a form or a script into the provider's page, and receives the password.",
        endangers: .allUsers,
        reads: RedirectURIChecks.answers(to: .markup, Scenario.markup.steps.map { ($0.id, $0.title ?? "") }),
        passesOn: .answer,
        exempt: { subject, _ in
            subject.answer.page?.pushError.map { _ in "the pushed request was rejected, so there was no page" }
        },
        finding: { subject, _ in
            guard let page = subject.answer.page, page.hasMarkup == true else { return nil }
            return Finding(
                "The provider's page contains markup from a parameter of the request.",
                expected: "&lt; for < and &quot; for \" in each value, which browsers show as text",
                found: "\(Scenario.markupName) as the name of an element or an attribute",
                fix: "Escape every value of a request where a page shows it, in attributes and scripts as well."
            )
        }
    )

    package static let all: [Check] = [isNotSentOn, formsReachTheClient, cookiesAreKept, markupIsEscaped]
}
