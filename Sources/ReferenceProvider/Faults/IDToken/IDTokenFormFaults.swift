import Conformance
import JSONTree

/// Faults of an ID Token's format, header and signature.
extension Fault {
    static let idTokenForms: [Fault] = forms + headers + signatures

    private static let forms: [Fault] = [
        .provider("idtoken.form.has-three-parts", "the ID Token has no signature part") { hooks in
            hooks.idToken = { token, _ in token.split(separator: ".").prefix(2).joined(separator: ".") }
        },
        .provider("idtoken.form.is-not-encrypted", "the ID Token is encrypted") { hooks in
            hooks.idToken = { token, _ in
                (token.split(separator: ".").prefix(1) + Array(repeating: "AAAA", count: 4)).joined(separator: ".")
            }
        },
        .provider("idtoken.form.is-strict-base64url", "the signature has base64 padding") { hooks in
            hooks.idToken = { token, _ in token + "=" }
        },
        .provider("idtoken.header.is-a-json-object", "the ID Token's header is a JSON array") { hooks in
            hooks.replacePart(0) { "[\($0)]" }
        },
        .provider(
            "idtoken.claims.are-a-json-object",
            "the ID Token's claims are a JSON array",
            also: ["idtoken.signature.verifies"]
        ) { hooks in
            hooks.replacePart(1) { "[\($0)]" }
        },
        .provider(
            "idtoken.claims.consist-of-characters",
            "a claim has half of a surrogate pair",
            also: ["idtoken.signature.verifies"]
        ) { hooks in
            hooks.replacePart(1) { $0.dropLast() + #","motto":"\ud83d"}"# }
        },
        .provider(
            "idtoken.form.has-no-byte-order-mark",
            "the ID Token's claims begin with a byte order mark",
            also: ["idtoken.signature.verifies"]
        ) { hooks in
            hooks.replacePart(1) { "\u{FEFF}" + $0 }
        },
        .provider(
            "idtoken.header.has-unique-members",
            "the header has alg twice",
            also: ["idtoken.signature.verifies"]
        ) { hooks in
            hooks.replacePart(0) { "{\"alg\":\"RS256\"," + $0.dropFirst() }
        },
        .provider(
            "idtoken.claims.has-unique-members",
            "the claims have sub twice",
            also: ["idtoken.signature.verifies"]
        ) { hooks in
            hooks.replacePart(1) { "{\"sub\":\"somebody\"," + $0.dropFirst() }
        },
    ]

    private static let headers: [Fault] = [
        .provider("idtoken.alg.is-not-none", "the ID Token is not signed") { hooks in
            hooks.signing = .none
        },
        .provider("idtoken.alg.is-advertised", "the ID Token is signed with HS256, which is not advertised") {
            hooks in
            hooks.signing = .clientSecret
        },
        Fault(
            "idtoken.alg.is-the-registered",
            "the ID Token is signed with RS256, and ES256 is configured",
            configure: { $0.client?.idTokenSignedResponseAlg = "ES256" }
        ),
        .provider(
            "idtoken.alg.is-the-default",
            "the ID Token is signed with HS256, which is advertised",
            also: ["platform.id-token.algorithm-is-asymmetric"]
        ) { hooks in
            hooks.signWithAnnouncedSecret()
        },
        .provider("idtoken.kid.is-present", "the header has no kid although the key set has two keys") { hooks in
            hooks.keySet = { set in set["keys"] = .array((set["keys"]?.arrayValue ?? []) + [exampleKey]) }
            hooks.setHeader("kid", nil)
        },
        .provider("idtoken.kid.is-published", "kid names a key that is not published") { hooks in
            hooks.setHeader("kid", "unpublished")
        },
        .provider("idtoken.kid.is-a-string", "kid is a number") { $0.setHeader("kid", 7) },
        .provider("idtoken.kid.is-not-null", "kid is null") { $0.setHeader("kid", .null) },
        Fault(
            "idtoken.kid.is-stated",
            "the header has no kid, and the key set has one key",
            persona: .minimal,
            change: { $0.setHeader("kid", nil) }
        ),
        Fault(
            "idtoken.kid.is-stated-in-the-key-set",
            "the header has a kid, but the only published key has none",
            persona: .minimal,
            change: { hooks in
                hooks.keySet = { set in set["keys"] = .array((set["keys"]?.arrayValue ?? []).map(\.nameless)) }
            }
        ),
        .provider("idtoken.header.has-no-crit", "the header has crit") { hooks in
            hooks.setHeader("crit", ["exp"])
        },
        .provider("idtoken.header.crit-is-not-empty", "crit is an empty list") { $0.setHeader("crit", []) },
        .provider("idtoken.header.b64-is-not-false", "the header has b64=false") { hooks in
            hooks.setHeader("b64", false)
        },
        .provider("idtoken.header.has-no-key", "the header has jku") { hooks in
            hooks.setHeader("jku", "https://idp.example.com/keys")
        },
        .provider("idtoken.header.key-has-its-json-type", "jwk is a string") { $0.setHeader("jwk", "key-1") },
        .provider("idtoken.header.key-has-its-json-type", variant: "x5c", "x5c is a string") { hooks in
            hooks.setHeader("x5c", "MIIB")
        },
        .provider("idtoken.header.has-no-cty", "the header has cty as a number") { $0.setHeader("cty", 1) },
        .provider("idtoken.header.thumbprints-are-digests", "x5t is hexadecimal") { hooks in
            hooks.setHeader("x5t", "00112233445566778899aabbccddeeff00112233")
        },
        .provider("idtoken.typ.is-a-string", "the header has typ 7") { $0.setHeader("typ", 7) },
        .provider("idtoken.typ.is-jwt", "the header has typ at+jwt") { hooks in
            hooks.setHeader("typ", "at+jwt")
        },
    ]

    private static let signatures: [Fault] = [
        .provider("idtoken.signature.verifies", "the ID Token is signed with a key that is not published") { hooks in
            hooks.signing = .unpublishedKey
        },
        .provider("idtoken.signature.is-by-the-named-key", "kid names another published key") { hooks in
            hooks.keySet = { $0.append(.object(KeySample.rsa), to: "keys") }
            hooks.setHeader("kid", KeySample.rsa["kid"])
        },
        .provider(
            "idtoken.signature.is-by-the-named-key",
            variant: "other-type",
            "kid names a published key of another type"
        ) { hooks in
            hooks.keySet = { $0.append(.object(KeySample.ec), to: "keys") }
            hooks.setHeader("kid", KeySample.ec["kid"])
        },
        .provider("idtoken.signature.key-is-for-signatures", "the signing key is published with use enc") {
            $0.publishSigningKey { key in
                key["use"] = "enc"
                key["alg"] = nil
            }
        },
        .provider(
            "idtoken.signature.key-is-for-signatures",
            variant: "key-ops",
            "the signing key is published with key_ops encrypt"
        ) {
            $0.publishSigningKey { key in
                key["use"] = nil
                key["key_ops"] = ["encrypt"]
            }
        },
        .provider("idtoken.signature.key-is-for-the-algorithm", "the signing key is published with alg PS256") {
            $0.publishSigningKey { $0["alg"] = "PS256" }
        },
        .provider("idtoken.every-token.is-valid", "ID Tokens of requests without a nonce have expired") { hooks in
            hooks.idTokenClaims = { claims, _ in
                guard !claims.has("nonce") else { return }
                claims["exp"] = .integer((claims["iat"]?.integerValue ?? 0) - 3_600)
            }
        },
        .provider(
            "idtoken.every-token.is-valid",
            variant: "signature",
            "ID Tokens of requests without a nonce have an invalid signature"
        ) { hooks in
            hooks.idToken = { token, _ in
                token.claimsOfToken?.has("nonce") == false ? token.withSpoiltSignature : token
            }
        },
    ]

    /// The public key of RFC 7517 appendix A.1, published for signing.
    private static let exampleKey: JSON = [
        "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "sig", "kid": "another", "alg": "ES256",
    ]
}

extension Hooks {
    /// Changes the published signing key and adds a valid key beside it.
    fileprivate mutating func publishSigningKey(_ change: @escaping @Sendable (inout JSONObject) -> Void) {
        keySet = { set in
            var keys = set["keys"]?.arrayValue ?? []
            guard var key = keys.first?.objectValue else { return }
            change(&key)
            keys[0] = .object(key)
            set["keys"] = .array(keys + [.object(KeySample.rsa)])
        }
    }

    /// HS256 with the client secret, listed in the discovery document.
    mutating func signWithAnnouncedSecret() {
        signing = .clientSecret
        discovery = { document, _ in document["id_token_signing_alg_values_supported"] = ["RS256", "HS256"] }
    }
}

extension JSON {
    /// A key without its kid.
    var nameless: JSON { .object(JSONObject((objectValue?.members ?? []).filter { $0.name != "kid" })) }
}
