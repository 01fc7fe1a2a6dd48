package import Conformance

/// The ID Tokens of all other scenarios, some twenty of a run; they reveal servers that differ from each other.
package enum EveryIDTokenChecks {
    private static let citation = Citation(
        .core,
        "3.1.3.7",
        "Clients MUST validate the ID Token in the Token Response in the following manner"
    )

    static let everyOne = Check(
        "idtoken.every-token.is-valid",
        "Every ID Token of the run is valid, not only those of the plain flows",
        .must,
        .signIn,
        citation,
        why: "Sign-in fails intermittently, depending on the responding server or the parameters of the request.",
        reads: StepResults.otherIDTokens,
        supersededBy: ofTheFlows + ["platform.microsoft.id-token.iss-is-the-tenants"],
        exempt: { token, _ in
            guard let scope = token.asked.sentParameter("scope"), !scope.split(separator: " ").contains("openid") else {
                return nil
            }
            return "the request did not have the scope openid; another check reports the unexpected ID Token"
        },
        rule: { token, facts in IDTokenValidity.faults(token, facts) }
    )

    static let refreshed = Check(
        "token.refresh.id-token.is-valid",
        "The ID Token of a refresh response is valid",
        .must,
        .signIn,
        Citation(
            .core,
            "12.2",
            "otherwise, the same rules apply as apply when issuing an ID Token at the time of the original authentication"
        ),
        why: "Clients that verify the new ID Token, as they should, end the user's session.",
        reads: TokenLife.refreshedIDToken,
        supersededBy: ofTheFlows + ["idtoken.every-token.is-valid"]
    ) { token, facts in IDTokenValidity.faults(token, facts, checksParties: false) }

    static let registered = Check(
        "registration.client.id-token-is-valid",
        "The ID Token of a newly registered client is valid",
        .must,
        .signIn,
        citation,
        why: "A platform registers itself successfully, but then rejects every sign-in.",
        reads: Registrations.asRegistered(
            "ID Token of a client that was just registered",
            "redirect_uris",
            [.registeredClient]
        ) { run, _ -> Observation<RawIDToken> in
            guard let step = run[.token], let token = step.idToken else {
                return .notAttempted("the sign-in returned no ID Token (reported by another check)")
            }
            return .observed(RawIDToken(facts: token, asked: StepEvidence(run, step), place: .tokenEndpoint))
        },
        supersededBy: ofTheFlows + ["idtoken.every-token.is-valid"]
    ) { subject, facts in IDTokenValidity.faults(subject.value, facts) }

    package static let all: [Check] = [everyOne]

    /// The same rules for the plain flows: a fault there affects every token.
    private static let ofTheFlows: [CheckID] =
        IDTokenFormChecks.all.map(\.id) + IDTokenSignatureChecks.all.map(\.id) + SigningKeyChecks.all.map(\.id) + [
            "idtoken.alg.is-not-none", "idtoken.alg.is-advertised", "idtoken.kid.is-published",
            "idtoken.iss.matches-issuer", "idtoken.aud.is-present", "idtoken.aud.holds-client",
            "idtoken.sub.is-present", "idtoken.sub.is-a-string", "idtoken.exp.is-present", "idtoken.exp.is-a-number",
            "idtoken.exp.is-in-the-future", "idtoken.iat.is-present", "idtoken.iat.is-a-number",
        ]
}
