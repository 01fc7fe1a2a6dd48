package import Conformance

/// Checks of the configuration and the authorization requests when GitHub is registered by name.
package enum GitHubRegistrationChecks {
    static let flowIsCode = Check(
        "platform.github.flow.is-code",
        "The configuration contains only the authorization code flow",
        .platform,
        .signIn,
        Citation(.gitHubOAuth, "", "The implicit grant type is not supported."),
        why: "GitHub has no implicit grant and no ID Token, so a sign-in with another response type never completes.",
        reads: configuredFlows,
        finding: { target, _ in
            let others = target.flows.filter { $0 != "code" }.map(\.text)
            guard !others.isEmpty else { return nil }
            return Finding(
                "The configuration contains other flows than code.",
                at: "flows",
                expected: "code",
                found: others.joined(separator: ", ").shown(),
                fix: "Set flows to [code]."
            )
        }
    )

    /// The configuration, if the run goes beyond documents: for GitHub, documents alone must not pass.
    private static let configuredFlows = Query<Target>("configured flows", needs: []) { facts in
        if facts.evidence.tier == .static {
            return [Sample(.absent("GitHub issues no ID Token, so its documents are not enough: run a sign-in"))]
        }
        return [
            Sample(
                facts.target.flows.isEmpty
                    ? .absent("the configuration names no flow: add flows: [code] and sign_in")
                    : .observed(facts.target)
            )
        ]
    }

    static let mismatchYieldsNoCode = Check(
        "platform.github.redirect-uri.mismatch-brings-no-code",
        "GitHub does not grant a request with an unregistered redirect URI",
        .platform,
        .safety,
        Citation(.gitHubOAuthErrors, "", "redirect_uri_mismatch"),
        why: "The provider issues a code at the registered callback for a request that an attacker may have crafted.",
        reads: StepResults.authorization(.unregisteredRedirectURI),
        supersededBy: ["authorization.redirect-uri.unregistered-is-not-redirected-to"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard subject.isGranted, let redirect = subject.answer.redirect else { return nil }
            return Finding(
                "The authorization endpoint grants a request with an unregistered redirect URI.",
                at: "redirect_uri",
                expected: "error redirect_uri_mismatch, or an error page",
                found: "a redirect with a code to \(redirect.address.shown())",
                fix: "Compare redirect_uri with the callback URL of the OAuth app before granting a request."
            )
        }
    )

    static let parametersAreAccepted = DocumentedParameters.check(
        "platform.github.parameters.are-accepted",
        "GitHub accepts allow_signup",
        Citation(.firebaseGitHub, "", "allow_signup"),
        of: .gitHubParameters
    )

    package static let all: [Check] = [flowIsCode, mismatchYieldsNoCode, parametersAreAccepted]
}
