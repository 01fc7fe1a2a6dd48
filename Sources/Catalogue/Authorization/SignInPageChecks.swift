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

    package static let all: [Check] = [isNotSentOn]
}
