import Conformance
import JSONTree

/// Faults of the claims that every ID Token has: subject, audience and issuer.
extension Fault {
    static let idTokenClaims: [Fault] = audiences + subjects + bindings + types

    private static let audiences: [Fault] = [
        .provider("idtoken.iss.matches-issuer", "iss has an additional trailing slash") { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["iss"] = .string((claims["iss"]?.stringValue ?? "") + "/")
            }
        },
        .provider("idtoken.aud.is-present", "aud is missing") { $0.setClaim("aud", nil) },
        .provider("idtoken.aud.holds-client", "aud is another client") { $0.setClaim("aud", "account") },
        .provider("idtoken.aud.holds-nobody-else", "aud contains another client too") { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["azp"] = claims["aud"]
                claims["aud"] = .array([claims["aud"] ?? .null, "account"])
            }
        },
        .provider("idtoken.azp.is-present", "aud contains another client too, and there is no azp") { hooks in
            hooks.idTokenClaims = { claims, _ in claims["aud"] = .array([claims["aud"] ?? .null, "account"]) }
        },
        .provider("idtoken.aud.has-no-repetition", "aud contains the client ID twice") { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["aud"] = .array([claims["aud"] ?? .null, claims["aud"] ?? .null])
            }
        },
        .provider("idtoken.azp.is-the-client", "azp is another client") { $0.setClaim("azp", "account") },
    ]

    private static let subjects: [Fault] = [
        .provider("idtoken.sub.is-present", "sub is missing") { $0.setClaim("sub", nil) },
        .provider("idtoken.sub.is-a-string", "sub is a number") { $0.setClaim("sub", 248_289_761_001) },
        .provider("idtoken.sub.is-short-enough", "sub has 256 characters") { hooks in
            hooks.setSubject { $0 + String(repeating: "a", count: 256 - $0.utf8.count) }
        },
        .provider("idtoken.sub.is-ascii", "sub contains an umlaut") { $0.setSubject { "ü-" + $0 } },
        .provider("idtoken.sub.is-the-same-in-every-flow", "the implicit flow returns a different sub") { hooks in
            hooks.idTokenClaims = { claims, place in
                let isAlone = place == .authorizationEndpoint && !claims.has("at_hash") && !claims.has("c_hash")
                if isAlone { claims["sub"] = "somebody-else" }
            }
        },
        .provider("idtoken.hybrid.iss-and-sub-agree", "sub differs between the two ID Tokens of the hybrid flow") {
            hooks in
            hooks.idTokenClaims = { claims, _ in if claims.has("c_hash") { claims["sub"] = "somebody-else" } }
        },
    ]

    private static let bindings: [Fault] = [
        .provider("idtoken.nonce.is-echoed", "nonce is missing") { $0.setClaim("nonce", nil) },
        .provider(
            "idtoken.nonce.is-not-invented",
            "the ID Token has a nonce although the request had none",
            also: ["authorization.nonce.missing-is-refused"]
        ) { hooks in
            hooks.grantWithoutNonce { !$0.hasCode }
            // The token endpoint would add one to a refreshed ID Token too, which is another fault.
            hooks.idTokenClaims = { claims, place in
                if place == .authorizationEndpoint, !claims.has("nonce") { claims["nonce"] = "made-up" }
            }
        },
        .provider(
            "idtoken.nonce.is-not-invented",
            variant: "code",
            "the code flow's ID Token has a nonce although the request had none",
            persona: .manyKeys
        ) { hooks in
            // Refreshed ID Tokens have no nonce, whatever the request contained.
            hooks.idTokenClaims = { claims, place in
                if place == .tokenEndpoint, !claims.has("nonce") { claims["nonce"] = "made-up" }
            }
            hooks.life.refreshedClaims = { $0["nonce"] = nil }
        },
        .provider("idtoken.at-hash.is-present", "at_hash is missing") { $0.setClaim("at_hash", nil) },
        .provider("idtoken.at-hash.is-correct", "at_hash is wrong") { hooks in
            hooks.idTokenClaims = { claims, _ in if claims.has("at_hash") { claims["at_hash"] = wrongHash } }
        },
        .provider("idtoken.at-hash.is-a-string", "at_hash is a number") { hooks in
            hooks.idTokenClaims = { claims, _ in if claims.has("at_hash") { claims["at_hash"] = 7 } }
        },
        .provider("idtoken.c-hash.is-present", "c_hash is missing") { $0.setClaim("c_hash", nil) },
        .provider("idtoken.c-hash.is-correct", "c_hash is wrong") { hooks in
            hooks.idTokenClaims = { claims, _ in if claims.has("c_hash") { claims["c_hash"] = wrongHash } }
        },
    ]

    private static let types: [Fault] = [
        Fault(
            "idtoken.subject-claims.are-present",
            "the platform requires oid, which the ID Token lacks",
            demand: { $0.subjectClaims = ["oid"] }
        ),
        .provider("idtoken.claims.have-right-types", "name is a number") { $0.setClaim("name", 7) },
        .provider("idtoken.email-verified.is-a-boolean", "email_verified is a string") {
            $0.setClaim("email_verified", "true")
        },
        .provider("idtoken.updated-at.is-a-number", "updated_at is a date") { $0.setClaim("updated_at", "2026-01-31") },
        .provider("idtoken.email.is-an-address", "email is a user name") { $0.setClaim("email", "alice") },
        .provider("idtoken.identifiers.are-strings", "jti is a number") { $0.setClaim("jti", 7) },
        .provider("idtoken.length.fits-a-cookie", "the ID Token lists 200 groups") { hooks in
            hooks.setClaim("groups", .array((0..<200).map { .string("department-\($0)-members") }))
        },
        .provider("idtoken.claim-sources.are-stated", "_claim_names has no _claim_sources") {
            $0.setClaim("_claim_names", ["shoe_size": "src1"])
        },
        .provider("idtoken.acr.is-a-string", "acr is a number") { $0.setClaim("acr", 1) },
        .provider("idtoken.amr.is-a-list-of-strings", "amr is one string") { $0.setClaim("amr", "pwd") },
        .provider("idtoken.claims.have-values", "nickname is null") { $0.setClaim("nickname", .null) },
    ]

    private static let wrongHash: JSON = "AAAAAAAAAAAAAAAAAAAAAA"
}

extension Hooks {
    /// Changes the subject in ID Tokens and at UserInfo alike.
    fileprivate mutating func setSubject(_ change: @escaping @Sendable (String) -> String) {
        session.subject = { subject, _ in change(subject) }
    }
}
