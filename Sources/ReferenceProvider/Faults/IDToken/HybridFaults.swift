import Conformance
import JSONTree

/// Faults that show only when the two ID Tokens of a hybrid flow are laid beside each other.
extension Fault {
    static let hybrids: [Fault] = [
        .provider(
            "idtoken.hybrid.claims-agree",
            "a name is another one in the token of the token endpoint",
            also: ["idtoken.claims.are-left-to-userinfo"]
        ) { seams in
            seams.idTokenClaims = { claims, place in
                claims["nickname"] = place == .tokenEndpoint ? "Ally" : "Alice"
            }
        },
        .provider("idtoken.hybrid.authentication-is-in-both", "amr is in the first token alone") {
            seams in
            seams.idTokenClaims = { claims, place in
                if place == .authorizationEndpoint { claims["amr"] = ["pwd"] }
            }
        },
    ]
}
