import Conformance
import JSONTree

/// Faults that show only when the two ID Tokens of a hybrid flow are compared.
extension Fault {
    static let hybrids: [Fault] = [
        .provider(
            "idtoken.hybrid.claims-agree",
            "nickname differs between the two ID Tokens of the hybrid flow",
            also: ["idtoken.claims.are-left-to-userinfo"]
        ) { hooks in
            hooks.idTokenClaims = { claims, place in
                claims["nickname"] = place == .tokenEndpoint ? "Ally" : "Alice"
            }
        },
        .provider("idtoken.hybrid.authentication-is-in-both", "amr is only in the authorization endpoint's ID Token") {
            hooks in
            hooks.idTokenClaims = { claims, place in
                if place == .authorizationEndpoint { claims["amr"] = ["pwd"] }
            }
        },
        .provider(
            "idtoken.hybrid.authentication-is-in-both",
            variant: "values",
            "amr differs between the two ID Tokens of the hybrid flow"
        ) { hooks in
            hooks.idTokenClaims = { claims, place in
                claims["amr"] = place == .authorizationEndpoint ? ["pwd"] : ["pwd", "mfa"]
            }
        },
    ]
}
