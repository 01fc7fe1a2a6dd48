package import Conformance
import JSONTree

/// ID Tokens for clients that registered a signature algorithm.
package enum RegisteredSignatureChecks {
    private static let tokens = Registrations.asRegistered(
        "ID Tokens of clients registered for another algorithm",
        "id_token_signed_response_alg",
        Scenario.signedOtherwise + [.encryptedForRSA]
    ) { run, facts -> Observation<TokenFacts> in
        RegisteredTokens.raw(run, facts)
            .flatMap { token in
                // Another check reports a token that cannot be decrypted; its signature is not visible.
                token.encryption?.failure == nil
                    ? .observed(token) : .notAttempted("the ID Token could not be decrypted")
            }
    }

    static let hasTheAlgorithm = Check(
        "idtoken.signed-as-registered.has-the-algorithm",
        "The provider signs ID Tokens with the algorithm that the client registered",
        .must,
        .signIn,
        Citation(
            .registration,
            "2",
            "id_token_signed_response_alg OPTIONAL. JWS alg algorithm REQUIRED for signing the ID Token issued to this Client."
        ),
        why: "A client that registered an algorithm must reject every other one.",
        reads: tokens,
        finding: { subject, _ in
            RegisteredForm.otherAlgorithm(
                subject,
                "id_token",
                subject.value.headerObject,
                "The ID Token is",
                fix: "Sign ID Tokens with the client's id_token_signed_response_alg, or reject its registration."
            )
        }
    )

    package static let verifies = Check(
        "idtoken.signed-as-registered.verifies",
        "ID Tokens signed with the registered algorithm verify",
        .must,
        .signIn,
        Citation(
            .core,
            "3.1.3.7",
            "If the JWT alg Header Parameter uses a MAC based algorithm such as HS256, HS384, or HS512, the octets of the UTF-8 representation of the client_secret"
        ),
        why: "Every client rejects a token whose signature does not verify.",
        reads: tokens,
        supersededBy: SigningKeyChecks.all.map(\.id) + ["keys.signing-key.is-present"],
        exempt: { subject, _ in
            let registered = subject.text("id_token_signed_response_alg")
            if registered == "none" { return "the client registered for unsigned ID Tokens" }
            return subject.value.headerObject?["alg"]?.stringValue == registered
                ? nil : "the algorithm is not the one that was registered"
        },
        rule: { subject, facts in
            guard !subject.value.isVerified else { return SigningKey.blockers("ID Token", subject.value, facts) }
            let algorithm = subject.text("id_token_signed_response_alg") ?? ""
            let key = algorithm.hasPrefix("HS") ? "the client secret" : "a published key"
            return [
                Finding(
                    "The ID Token signed with \(algorithm) does not verify with \(key).",
                    at: "signature",
                    expected: "a signature with \(key)",
                    found: subject.value.trials.first?.reason?.shown() ?? "no published key matches \(algorithm)",
                    fix: algorithm.hasPrefix("HS")
                        ? "Use the UTF-8 bytes of client_secret itself as the key."
                        : "Publish the key for \(algorithm) at jwks_uri, and sign with it."
                )
            ]
        }
    )

    package static let all: [Check] = [hasTheAlgorithm, verifies]
}
