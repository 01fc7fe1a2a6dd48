package import Conformance

/// Platform rules about the sign-in pages.
package enum PageRuleChecks {
    static let cannotBeFramed = RuledChecks.check(
        .pagesAreNotFramed,
        "The sign-in page cannot be framed by another site",
        .safety,
        why: "An attacker's page can overlay the sign-in page and make the user click hidden controls (clickjacking).",
        reads: StepResults.authorization(.asThePlatformSends),
        exempt: noPage,
        rule: { subject, _, facts in
            guard let response = facts.evidence.exchange(subject.answer.exchange)?.response, !forbidsFrames(response)
            else { return [] }
            return [
                Finding(
                    "No header of the sign-in page's response forbids framing.",
                    at: "Content-Security-Policy",
                    expected: "frame-ancestors, or X-Frame-Options",
                    found: response.joinedHeader("Content-Security-Policy")?.shown(limit: 80) ?? "neither header",
                    fix:
                        "Send Content-Security-Policy: frame-ancestors 'none', and X-Frame-Options: DENY, with sign-in pages."
                )
            ]
        }
    )

    static let credentialsAreNotSentOn = RuledChecks.check(
        .credentialsAreNotSentOn,
        "The provider does not redirect the password form with status 307 or 308",
        .safety,
        why: "With status 307 or 308 the browser sends the form again, and another site receives the password.",
        reads: signIns,
        rule: { exchange, _, _ in
            guard let response = exchange.response, [307, 308].contains(response.status) else { return [] }
            return [
                Finding(
                    "For the form with the password, the provider returns a redirect with status \(response.status).",
                    at: "status",
                    expected: "HTTP status 303",
                    found: "HTTP status \(response.status)",
                    fix: "Redirect with status 303 after the form."
                )
            ]
        }
    )

    static let keepTheirOpener = RuledChecks.check(
        .pagesKeepTheirOpener,
        "The sign-in page stays connected to the window that opened it",
        .signIn,
        why:
            "The platform opens the sign-in in a popup and waits for its message. A page that disconnects from its opener also "
            + "disconnects later pages, so the platform keeps waiting after the user has signed in.",
        reads: StepResults.authorization(.asThePlatformSends),
        exempt: noPage,
        rule: { subject, _, facts in
            let field = facts.evidence.exchange(subject.answer.exchange)?.response?
                .joinedHeader("Cross-Origin-Opener-Policy")
            let value = String((field?.lowercased() ?? "").prefix { $0 != ";" }).trimmingASCIISpace
            guard !value.isEmpty, value != "unsafe-none" else { return [] }
            return [
                Finding(
                    "The sign-in page has Cross-Origin-Opener-Policy: \(value.shown()), which disconnects it from the window that opened it.",
                    at: "Cross-Origin-Opener-Policy",
                    expected: "unsafe-none, or no such header",
                    found: value.shown(),
                    fix:
                        "Remove Cross-Origin-Opener-Policy from the responses of the authorization endpoint and of the sign-in pages."
                )
            ]
        }
    )

    package static let all: [Check] = [cannotBeFramed, credentialsAreNotSentOn, keepTheirOpener]

    private static let noPage: @Sendable (AuthorizationResult, Facts) -> String? = { subject, facts in
        guard subject.answer.page?.isError == false else { return "the provider showed no sign-in page" }
        return facts.evidence.exchange(subject.answer.exchange)?.response == nil ? "the run recorded no page" : nil
    }

    private static func forbidsFrames(_ response: Exchange.Response) -> Bool {
        let options = response.joinedHeader("X-Frame-Options")?.lowercased() ?? ""
        if ["deny", "sameorigin"].contains(options.trimmingASCIISpace) { return true }
        let policy = response.joinedHeader("Content-Security-Policy")?.lowercased() ?? ""
        return policy.split(whereSeparator: { ";,".contains($0) })
            .contains { directive in
                let words = directive.split(separator: " ")
                return words.first == "frame-ancestors"
                    && !words.dropFirst().contains { ["*", "https:", "http:"].contains($0) }
            }
    }

    /// The requests that submitted a user's password.
    private static let signIns = Query<Exchange>(
        "responses to the sign-in form",
        needs: [.discovery, .flows],
        whenEmpty: "the run submitted no sign-in form"
    ) { facts in
        facts.evidence.exchanges.filter { $0.isSignIn == true && $0.isSuperseded != true }
            .map { Sample(.observed($0), exchange: $0.id) }
    }
}
