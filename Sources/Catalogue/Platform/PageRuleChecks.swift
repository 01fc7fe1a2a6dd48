package import Conformance

/// What is demanded of the pages on which a person signs in.
package enum PageRuleChecks {
    package static let cannotBeFramed = RuledChecks.check(
        .pagesAreNotFramed,
        "The sign-in page cannot be shown inside a page of somebody else",
        .safety,
        why: "A page that lies over it makes the person press what that page wants.",
        reads: Conversations.authorization(.asThePlatformSends),
        exempt: noPage,
        rule: { subject, _, facts in
            guard let response = facts.evidence.exchange(subject.answer.exchange)?.response, !forbidsFrames(response)
            else { return [] }
            return [
                Finding(
                    "No field of the sign-in page's answer forbids that it is shown in a frame.",
                    at: "Content-Security-Policy",
                    expected: "frame-ancestors, or X-Frame-Options",
                    found: response.joinedHeader("Content-Security-Policy")?.shown(limit: 80) ?? "neither field",
                    fix:
                        "Send Content-Security-Policy: frame-ancestors 'none', and X-Frame-Options: DENY, with the pages."
                )
            ]
        }
    )

    package static let credentialsAreNotSentOn = RuledChecks.check(
        .credentialsAreNotSentOn,
        "Where a password was sent, no redirect makes the browser send it again",
        .safety,
        why: "With status 307 or 308 the browser repeats the form, and whoever it is led to has the password.",
        reads: signIns,
        rule: { exchange, _, _ in
            guard let response = exchange.response, [307, 308].contains(response.status) else { return [] }
            return [
                Finding(
                    "The form with the password was answered with a redirect of status \(response.status).",
                    at: "status",
                    expected: "303",
                    found: String(response.status),
                    fix: "Redirect with status 303 after a form."
                )
            ]
        }
    )

    package static let keepTheirOpener = RuledChecks.check(
        .pagesKeepTheirOpener,
        "The sign-in page stays connected to the window that opened it",
        .signIn,
        why:
            "The platform opens the sign-in in a window of its own and waits for its message. A page that cuts the connection takes it away "
            + "from the pages behind it, too: the user signs in, and the platform goes on waiting.",
        reads: Conversations.authorization(.asThePlatformSends),
        exempt: noPage,
        rule: { subject, _, facts in
            let field = facts.evidence.exchange(subject.answer.exchange)?.response?
                .joinedHeader("Cross-Origin-Opener-Policy")
            let value = String((field?.lowercased() ?? "").prefix { $0 != ";" }).trimmingASCIISpace
            guard !value.isEmpty, value != "unsafe-none" else { return [] }
            return [
                Finding(
                    "The sign-in page has Cross-Origin-Opener-Policy: \(value.shown()), which cuts it off from the window that opened it.",
                    at: "Cross-Origin-Opener-Policy",
                    expected: "unsafe-none, or no such field",
                    found: value.shown(),
                    fix:
                        "Leave Cross-Origin-Opener-Policy out of the answers of the authorization endpoint and of the sign-in pages."
                )
            ]
        }
    )

    package static let all: [Check] = [cannotBeFramed, credentialsAreNotSentOn, keepTheirOpener]

    private static let noPage: @Sendable (AnsweredAuthorization, Facts) -> String? = { subject, facts in
        guard subject.answer.page?.isError == false else { return "no page to sign in was shown" }
        return facts.evidence.exchange(subject.answer.exchange)?.response == nil ? "no page was recorded" : nil
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

    /// The requests with which the password of a person was sent.
    private static let signIns = Slot<Exchange>(
        "answers to the form of the sign-in page",
        needs: [.discovery, .flows],
        whenEmpty: "nobody signed in by a form"
    ) { facts in
        facts.evidence.exchanges.filter { $0.isSignIn == true && $0.isSuperseded != true }
            .map { Sample(.observed($0), exchange: $0.id) }
    }
}
