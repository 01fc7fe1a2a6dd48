/// Codes redeemed with other verifiers than PKCE asks for (RFC 7636).
extension Scenario {
    package static let wrongVerifier = verifying(
        "token.wrong-verifier",
        "redeem a code with a wrong code_verifier"
    ) { $0.changes = [.set("code_verifier", .captured(.wrongCodeVerifier))] }

    package static let missingVerifier = verifying(
        "token.missing-verifier",
        "redeem a code without its code_verifier"
    ) { $0.changes = [.remove("code_verifier")] }

    /// What somebody can do who has seen the authorization request.
    package static let challengeAsVerifier = verifying(
        "token.challenge-as-verifier",
        "redeem a code with its code_challenge in the place of the code_verifier"
    ) { $0.changes = [.set("code_verifier", .captured(.codeChallenge))] }

    /// What a client sees whose challenge was taken out on the way (RFC 9700 section 4.8.2).
    package static let strippedChallenge = verifying(
        "token.stripped-challenge",
        "redeem a code with a code_verifier though there was no code_challenge",
        asking: { $0.sendsPKCE = false },
        { $0.changes = [.set("code_verifier", .captured(.wrongCodeVerifier))] }
    )

    package static let plainChallenge = verifying(
        "token.plain-challenge",
        "ask for a code with code_challenge_method=plain, and redeem it",
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

    /// No secret: a code that is asked for with it is redeemed at once, by whoever asked.
    package static let plainVerifier = "preflight.verifier.sent.as.a.plain.code.challenge"

    static let verifiers = [wrongVerifier, missingVerifier, challengeAsVerifier]
    /// Those that ask for a code with a challenge of their own.
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
