import Conformance
import JSONTree

/// Faults in PKCE verification.
extension Fault {
    static let verifiers: [Fault] = [
        .provider("token.code-verifier.wrong-is-refused", "a wrong code_verifier is accepted") { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .wrongVerifier }
        },
        .provider(
            "token.code-verifier.wrong-is-refused",
            variant: "ignored",
            "PKCE is advertised but not verified"
        ) { hooks in
            hooks.overrideRedemption { _, rejection in
                rejection?.isOfVerifier == true
            }
        },
        .provider("token.code-verifier.missing-is-refused", "a missing code_verifier is accepted") { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .missingVerifier }
        },
        .provider("token.code-verifier.empty-is-refused", "an empty code_verifier is accepted") { hooks in
            hooks.overrideRedemption { parameters, _ in parameters.emptyNames.contains("code_verifier") }
        },
        .provider(
            "token.code-verifier.missing-is-refused-for-unknown-method",
            "a code_challenge with an unknown method is ignored"
        ) { hooks in
            hooks.parameters.keepsChallenge = { $0["code_challenge_method"] != "preflight_unknown" }
            hooks.takeUnknownChallengeMethod()
        },
        .provider("token.code-verifier.challenge-is-refused", "code_challenge is accepted as code_verifier") { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .challengeAsVerifier }
        },
        .provider("token.code-verifier.needs-a-challenge", "a code_verifier without code_challenge is ignored") {
            hooks in
            hooks.overrideRedemption { _, rejection in rejection == .verifierWithoutChallenge }
        },
        .provider("token.code-verifier.plain-is-refused", "plain is accepted although it is not advertised") { hooks in
            hooks.authorizationError = { request, error in
                let isPlain = request["code_challenge_method"] == "plain"
                return isPlain && error?.rejection == .unknownTransform ? nil : error
            }
            hooks.overrideRedemption { parameters, _ in parameters["code_verifier"] == Scenario.plainVerifier }
        },
        .provider(
            "token.code-verifier.plain-is-accepted-where-offered",
            "plain is advertised but verified as S256",
            also: ["discovery.code-challenge-methods-supported.exclude-plain"]
        ) { hooks in
            hooks.discovery = { document, _ in document.append("plain", to: "code_challenge_methods_supported") }
            hooks.authorizationError = { request, error in
                request["code_challenge_method"] == "plain" ? nil : error
            }
        },
        .document(
            "authorization.code-challenge.plain-is-accepted-where-offered",
            "plain is advertised but rejected",
            also: ["discovery.code-challenge-methods-supported.exclude-plain"]
        ) {
            $0.append("plain", to: "code_challenge_methods_supported")
        },
        .provider("token.code-verifier.short-is-refused", "a code_verifier of any length is accepted") { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .malformedVerifier }
        },
        Fault(
            "token.code-verifier.is-heeded",
            "PKCE is neither advertised nor verified",
            persona: .minimal,
            change: { hooks in
                hooks.overrideRedemption { _, rejection in
                    rejection?.isOfVerifier == true
                }
            }
        ),
    ]
}

extension Hooks {
    /// Accepts requests with a code_challenge_method that no specification defines.
    mutating func takeUnknownChallengeMethod() {
        authorizationError = { request, error in
            request["code_challenge_method"] == "preflight_unknown" ? nil : error
        }
    }
}
