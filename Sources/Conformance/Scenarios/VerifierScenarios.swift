/// Codes redeemed with other verifiers than PKCE requires (RFC 7636).
extension Scenario {
    package static let wrongVerifier = verifying(
        "token.wrong-verifier",
        "redeem a code with a wrong code_verifier"
    ) { $0.changes = [.set("code_verifier", .captured(.wrongCodeVerifier))] }

    package static let missingVerifier = verifying(
        "token.missing-verifier",
        "redeem a code without its code_verifier"
    ) { $0.changes = [.remove("code_verifier")] }

    package static let emptyVerifier = verifying(
        "token.empty-verifier",
        "redeem a code with an empty code_verifier"
    ) { $0.changes = [.set("code_verifier", "")] }

    /// An attacker who has seen the authorization request.
    package static let challengeAsVerifier = verifying(
        "token.challenge-as-verifier",
        "redeem a code with its code_challenge instead of the code_verifier"
    ) { $0.changes = [.set("code_verifier", .captured(.codeChallenge))] }

    /// A client whose challenge was removed by an attacker (RFC 9700 section 4.8.2).
    package static let strippedChallenge = verifying(
        "token.stripped-challenge",
        "redeem a code with a code_verifier though there was no code_challenge",
        asking: { $0.sendsPKCE = false },
        { $0.changes = [.set("code_verifier", .captured(.wrongCodeVerifier))] }
    )

    package static let plainChallenge = verifying(
        "token.plain-challenge",
        "request a code with code_challenge_method=plain, and redeem it",
        asking: {
            $0.changes = [
                .set("code_challenge", .text(plainVerifier)), .set("code_challenge_method", "plain"),
            ]
        },
        { $0.changes = [.set("code_verifier", .text(plainVerifier))] }
    )

    package static let shortVerifier = verifying(
        "token.short-verifier",
        "redeem a code with a code_verifier of fifteen characters that belongs to the code_challenge",
        asking: { $0.changes = [.set("code_challenge", "zeV6V-KY3z2WkR3KsXEVoA0f0AUzozyLRsJd8fou0Nw")] },
        { $0.changes = [.set("code_verifier", "preflight-short")] }
    )

    /// The same in every run: a code that is requested with it is redeemed immediately.
    package static let plainVerifier = "preflight.verifier.sent.as.a.plain.code.challenge"

    static let verifiers = [wrongVerifier, missingVerifier, emptyVerifier, challengeAsVerifier]
    /// Those that request a code with a challenge of their own.
    static let challenges = [strippedChallenge, plainChallenge, shortVerifier]

    private static func verifying(
        _ id: ScenarioID,
        _ title: String,
        asking: (inout AuthorizationRequest) -> Void = { _ in },
        _ change: (inout EndpointCall) -> Void
    ) -> Scenario {
        var scenario = redemption(id, title, asking: asking, change)
        scenario.conditions.append(.pkce)
        return scenario
    }
}
