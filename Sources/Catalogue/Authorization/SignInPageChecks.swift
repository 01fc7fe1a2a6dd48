package import Conformance

/// What becomes of what a person typed into the provider's pages.
package enum SignInPageChecks {
    package static let isNotSentOn = Check(
        "authorization.sign-in.is-not-sent-on",
        "No redirect with status 307 answers the form with the password",
        .must,
        .safety,
        Citation(.rfc9700, "4.12", "MUST NOT use the HTTP 307 status code for redirection"),
        why: "With this status the browser repeats the form, and whoever it is led to has the password.",
        reads: Slot(
            "answers to the form of the sign-in page",
            needs: [.discovery, .flows],
            whenEmpty: "nobody signed in by a form"
        ) { facts in
            let unheld = Conversations.flows.samples(facts)
                .compactMap { sample -> Sample<Exchange>? in
                    guard case .notAttempted(let why) = sample.observation else { return nil }
                    return Sample(.notAttempted(why), label: sample.label)
                }
            let signIns = facts.evidence.exchanges.filter { $0.isSignIn == true && $0.isSuperseded != true }
            return signIns.isEmpty ? unheld : signIns.map { Sample(.observed($0), exchange: $0.id) }
        },
        excusedBy: ["platform.pages.credentials-are-not-sent-on"]
    ) { (exchange: Exchange, _) in
        guard let response = exchange.response, response.status == 307 else { return [] }
        return [
            Finding(
                "The form with the password was answered with a redirect of status 307.",
                at: "status",
                expected: "303",
                found: "307",
                fix: "Redirect with status 303 after a form."
            )
        ]
    }

    package static let formsReachTheClient = Check(
        "authorization.sign-in.forms-reach-the-client",
        "No Content Security Policy keeps a form of the sign-in from the client",
        .must,
        .signIn,
        Citation(.contentSecurityPolicy, "form-action", "restricts the URLs which can be used as the target of"),
        why:
            "Chrome and Edge do not follow a redirect to the client behind a form whose page does not allow that address: the "
            + "user presses the button and nothing happens. Firefox follows it.",
        reads: Conversations.pages
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
                    "Add the origins of the client's redirect URIs, and of every address on the way, to form-action of that page, or leave "
                    + "form-action out; a sandbox takes allow-forms.",
                exchange: visit.exchange
            )
        }
    }

    package static let cookiesAreKept = Check(
        "authorization.sign-in.cookies-are-kept",
        "Browsers keep the cookies of the sign-in, and send them when the user comes from the client",
        .risk,
        .signIn,
        Citation(.rfc6265bis, "5.7", "ignore the cookie entirely unless the cookie's secure-only-flag is true"),
        why: "The provider does not find the cookie that it set, and the sign-in ends at an error page or starts over.",
        reads: Conversations.pages
    ) { (run: ScenarioRun, _) in
        var names: Set<String> = []
        let refused = run.visits.flatMap { visit in
            (visit.refusedCookies ?? []).filter { names.insert($0.name).inserted }.map { finding($0, visit) }
        }
        let strict = run.visits.flatMap { visit in
            // Where no error page ends the sign-in, such a cookie may be for the provider's own pages alone.
            (run.endsAtErrorPage ? visit.withheldCookies ?? [] : []).filter { names.insert($0).inserted }
                .map { withheld($0, visit) }
        }
        return refused + strict
    }

    private static func finding(_ cookie: PageVisit.RefusedCookie, _ visit: PageVisit) -> Finding {
        let isOfHost = cookie.flaw == .hostPrefix
        return Finding(
            "The cookie \(cookie.name.quoted) has \(cookie.flaw.words): browsers throw it away.",
            at: "Set-Cookie",
            expected: isOfHost ? "Secure, Path=/, no Domain" : "Secure",
            found: cookie.flaw.words,
            fix: isOfHost
                ? "Set Secure and Path=/ and leave Domain out, or give the cookie another name."
                : "Add Secure to the cookie.",
            exchange: visit.exchange
        )
    }

    private static func withheld(_ name: String, _ visit: PageVisit) -> Finding {
        Finding(
            "The cookie \(name.quoted) has SameSite=Strict: browsers do not send it when the user comes from the client, nor with the redirects "
                + "that follow, and this sign-in ends at an error page.",
            at: "Set-Cookie",
            expected: "SameSite=Lax",
            found: "SameSite=Strict",
            fix: "Set SameSite=Lax on the cookies that the authorization endpoint and the pages behind it need.",
            exchange: visit.exchange
        )
    }

    package static let all: [Check] = [isNotSentOn, formsReachTheClient, cookiesAreKept]
}
