import Conformance
import JSONTree

extension Fault {
    /// Faults of which claims an ID Token holds, and choices that some clients cannot follow.
    static let idTokenScopes: [Fault] = [
        .provider("idtoken.updated-at.is-plausible", "updated_at counts milliseconds") {
            $0.setClaim("updated_at", 1_750_000_000_000)
        },
        .provider("idtoken.claims.were-asked-for", "the ID Token tells a telephone number that nobody asked for") {
            $0.setClaim("phone_number", "+49 30 901820")
        },
        .provider("idtoken.claims.are-left-to-userinfo", "the address is in every ID Token") {
            $0.setClaim("email", "alice@example.com")
        },
        .provider("idtoken.claims.of-scopes-are-present", "the address is in no ID Token") {
            $0.setClaim("email", nil)
        },
        .provider("idtoken.groups.are-lists", "groups is one string") { $0.setClaim("groups", "staff") },
        .provider("idtoken.aud.is-one-string", "aud is a list with one element") { seams in
            seams.idTokenClaims = { claims, _ in claims["aud"] = .array([claims["aud"] ?? .null]) }
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
