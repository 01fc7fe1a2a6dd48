package import Conformance

/// What is entered at the platform, and asked of GitHub, when GitHub is registered by name.
package enum GitHubRegistrationChecks {
    package static let flowIsCode = Check(
        "platform.github.flow.is-code",
        "The authorization code flow is used, and no other",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "The implicit grant type is not supported."),
        why: "GitHub has no implicit grant and no ID Token: a sign-in by another response type never ends.",
        reads: heldFlows,
        finding: { target, _ in
            let others = target.flows.filter { $0 != "code" }.map(\.text)
            guard !others.isEmpty else { return nil }
            return Finding(
                "Other flows than code are configured.",
                at: "flows",
                expected: "code",
                found: others.joined(separator: ", ").shown(),
                fix: "Write flows: [code]."
            )
        }
    )

    /// The configuration of a run that goes beyond documents: for GitHub these say nothing, so they open no gate.
    private static let heldFlows = Slot<Target>("configured flows", needs: []) { facts in
        if facts.evidence.tier == .static {
            return [
                Sample(.absent("documents alone are no pass for GitHub, which issues no ID Token: try the sign-in"))
            ]
        }
        return [
            Sample(
                facts.target.flows.isEmpty
                    ? .absent("the configuration names no flow: add flows: [code], and sign_in")
                    : .observed(facts.target)
            )
        ]
    }

    package static let mismatchBringsNoCode = Check(
        "platform.github.redirect-uri.mismatch-brings-no-code",
        "A redirect URI that is not registered brings an error, wherever it is told",
        .platform,
        .safety,
        Citation(.gitHubOAuthErrors, "", "redirect_uri_mismatch"),
        why:
            "A code is handed out at the registered callback for a request that nobody registered: an attacker's, perhaps.",
        reads: Conversations.authorization(.unregisteredRedirectURI),
        excusedBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard subject.isGranted, let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "A request with a redirect URI that is not registered was granted.",
                at: "redirect_uri",
                expected: "error redirect_uri_mismatch, or an error page",
                found: "a redirect with a code to \(redirect.address.shown())",
                fix: "Compare redirect_uri with the callback URL of the OAuth app before anything is granted."
            )
        }
    )

    package static let parametersAreAccepted = DocumentedParameters.check(
        "platform.github.parameters.are-accepted",
        "GitHub accepts allow_signup",
        Citation(.firebaseGitHub, "", "allow_signup"),
        of: .gitHubParameters
    )

    package static let all: [Check] = [
        flowIsCode, mismatchBringsNoCode, parametersAreAccepted,
    ]
}
