import Conformance
import JSONTree

extension Fault {
    /// Faults of the claims in an ID Token, and choices that some clients do not support.
    static let idTokenScopes: [Fault] = [
        .provider("idtoken.updated-at.is-plausible", "updated_at is in milliseconds") {
            $0.setClaim("updated_at", 1_750_000_000_000)
        },
        .provider("idtoken.claims.were-asked-for", "the ID Token contains phone_number although it was not requested") {
            $0.setClaim("phone_number", "+49 30 901820")
        },
        .provider("idtoken.claims.are-left-to-userinfo", "every ID Token contains email") {
            $0.setClaim("email", "alice@example.com")
        },
        .provider("idtoken.claims.of-scopes-are-present", "no ID Token contains email") {
            $0.setClaim("email", nil)
        },
        .provider("idtoken.groups.are-lists", "groups is a string") { $0.setClaim("groups", "staff") },
        .provider("idtoken.aud.is-one-string", "aud is an array with one element") { hooks in
            hooks.idTokenClaims = { claims, _ in claims["aud"] = .array([claims["aud"] ?? .null]) }
        },
        .document(
            "idtoken.alg.is-listed-first",
            "ES256 is listed before RS256",
            also: ["keys.signing-key.fits-every-algorithm"]
        ) {
            $0["id_token_signing_alg_values_supported"] = ["ES256", "RS256"]
        },
    ]
}
