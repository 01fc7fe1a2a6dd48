import Conformance
import JSONTree

extension Fault {
    /// A key that is added to the published set.
    private static func added(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        _ sample: JSONObject = KeySample.ec,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .keySet(trips, variant: variant, title, also: also) { set in
            var key = sample
            edit(&key)
            set.append(.object(key), to: "keys")
        }
    }

    /// Faults in how a client finds the one key that it needs.
    static let keyChoice: [Fault] = [
        .keySet("keys.list.is-present", "the set has no keys") { $0["keys"] = nil },
        .keySet("keys.signing-key.is-present", "the only key is for encryption") { set in
            guard var key = set["keys"]?.arrayValue?.first?.objectValue else { return }
            key["use"] = "enc"
            key["alg"] = nil
            set["keys"] = [.object(key)]
        },
        .document("keys.signing-key.fits-every-algorithm", "ES256 is advertised without a key") {
            $0.append("ES256", to: "id_token_signing_alg_values_supported")
        },
        added("keys.kid.is-present", "one of two keys has no kid") { $0["kid"] = nil },
        .keySet("keys.kid.is-unique", "two keys have one kid") { set in
            set.append(.object(KeySample.ec), to: "keys")
            var other = KeySample.otherEC
            other["kid"] = KeySample.ec["kid"]
            set.append(.object(other), to: "keys")
        },
        .keySet("keys.key.is-published-once", "one key has two kids") { set in
            set.append(.object(KeySample.ec), to: "keys")
            var again = KeySample.ec
            again["kid"] = "sample-again"
            set.append(.object(again), to: "keys")
        },
    ]

    /// Faults in what a key says it is for.
    static let keyUse: [Fault] = [
        .keySet("keys.kty.is-present", "an entry without a type") { $0.append(["kid": "untyped"], to: "keys") },
        .keySet("keys.kty.is-present", variant: "text", "an entry that is a string") { $0.append("key", to: "keys") },
        added("keys.members.have-the-right-type", "a kid that is a number") { $0["kid"] = 5 },
        .keySet("keys.kty.is-known", "a key of a type to come") { set in
            set.append(["kty": "AKP", "alg": "ML-DSA-44", "kid": "quantum", "pub": "AA"], to: "keys")
        },
        added("keys.use.is-known", "a use that nobody knows") { $0["use"] = "signature" },
        .keySet("keys.use.is-stated-beside-encryption-keys", "a key to encrypt with beside one without use") { set in
            var encrypting = KeySample.ec
            encrypting["use"] = "enc"
            encrypting["alg"] = "ECDH-ES"
            var other = KeySample.otherEC
            other["use"] = nil
            set.append(.object(encrypting), to: "keys")
            set.append(.object(other), to: "keys")
        },
        .keySet(
            "keys.use.is-stated-beside-encryption-keys",
            variant: "algorithm",
            "a key whose algorithm encrypts, without use"
        ) { set in
            var encrypting = KeySample.rsa
            encrypting["use"] = nil
            encrypting["alg"] = "RSA-OAEP"
            set.append(.object(encrypting), to: "keys")
        },
        added("keys.x5u.uses-https", "a certificate that is fetched over http") {
            $0["x5u"] = "http://op.example/certificate.pem"
        },
        added("keys.use-and-key-ops.are-not-both-stated", "use and key_ops") { $0["key_ops"] = ["verify"] },
        added("keys.use-and-key-ops.are-consistent", "use sig and an operation of encryption") {
            $0["key_ops"] = ["wrapKey"]
        },
        added("keys.key-ops.are-distinct", "an operation twice") { key in
            key["use"] = nil
            key["key_ops"] = ["verify", "verify"]
        },
        added("keys.alg.fits-the-key", "ES384 for a P-256 key") { $0["alg"] = "ES384" },
    ]

    /// Faults in the values of a key.
    static let keyMaterial: [Fault] = [
        added("keys.material.has-no-private-members", "a private key is published") {
            $0["d"] = KeySample.ecPrivateValue
        },
        .keySet("keys.material.has-no-symmetric-key", "a symmetric key is published") { set in
            set.append(["kty": "oct", "kid": "secret", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMko"], to: "keys")
        },
        added("keys.members.are-present", "an EC key without y") { $0["y"] = nil },
        added("keys.values.are-base64url", "a padded value") { key in
            key.rewrite("x") { $0 + "=" }
        },
        added("keys.rsa.values-have-no-leading-zero", "a modulus with a leading zero", KeySample.rsa) {
            $0["n"] = .string(KeySample.modulusWithZero)
        },
        added("keys.rsa.modulus-has-2048-bits", "an RSA key of 1024 bits", KeySample.rsa) {
            $0["n"] = .string(KeySample.shortModulus)
        },
        added("keys.rsa.modulus-has-2048-bits", variant: "none", "an RSA key without a modulus", KeySample.rsa) {
            $0["n"] = ""
        },
        added("keys.rsa.modulus-has-2048-bits", variant: "zero", "an RSA key whose modulus is zero", KeySample.rsa) {
            $0["n"] = "AA"
        },
        added("keys.rsa.modulus-is-odd", "an RSA key whose modulus is even", KeySample.rsa) { key in
            key.rewrite("n") { $0.dropLast() + "g" }
        },
        added("keys.rsa.modulus-is-no-encoded-key", "a modulus that is the key in DER", KeySample.rsa) {
            $0["n"] = .string(KeySample.modulusInDER)
        },
        added("keys.rsa.modulus-is-no-encoded-key", variant: "pem", "a modulus that is the key in PEM", KeySample.rsa) {
            $0["n"] = .string(KeySample.modulusInPEM)
        },
        added("keys.rsa.modulus-has-no-known-weakness", "an RSA key that can be factored", KeySample.rsa) {
            $0["n"] = .string(KeySample.factorableModulus)
        },
        added("keys.rsa.exponent-is-odd", "an RSA key with an even exponent", KeySample.rsa) { $0["e"] = "Ag" },
        added("keys.rsa.exponent-is-odd", variant: "one", "an RSA key whose exponent is one", KeySample.rsa) {
            $0["e"] = "AQ"
        },
        added("keys.ec.coordinates-have-full-length", "a coordinate without its zero", KeySample.otherEC) {
            $0["x"] = KeySample.shortCoordinate
        },
        added("keys.ec.point-is-on-the-curve", "the coordinates are exchanged") { key in
            let x = key["x"]
            key["x"] = key["y"]
            key["y"] = x
        },
        added("keys.ec.point-is-on-the-curve", variant: "infinity", "the point at infinity, written as zeros") { key in
            let zeros = JSON.string(String(repeating: "A", count: 43))
            key["x"] = zeros
            key["y"] = zeros
        },
        added("keys.okp.point-is-not-of-small-order", "an Ed25519 key of order one", KeySample.okp) {
            $0["x"] = .string("AQ" + String(repeating: "A", count: 41))
        },
        added("keys.okp.value-has-full-length", "an Ed25519 key of 31 octets", KeySample.okp) {
            $0["x"] = KeySample.shortValue
        },
    ]

    /// Faults in the certificates of a key.
    static let keyCertificates: [Fault] = [
        added("keys.x5c.holds-certificates", "a certificate in base64url") { key in
            let text = KeySample.certificate.replacing("+", with: "-").replacing("/", with: "_")
            key["x5c"] = [.string("-" + text)]
        },
        added("keys.x5c.certifies-the-key", "another key's certificate") {
            $0["x5c"] = [.string(KeySample.otherCertificate)]
        },
        added("keys.x5c.is-a-chain", "a second certificate that certifies nothing") {
            $0["x5c"] = [.string(KeySample.certificate), .string(KeySample.otherCertificate)]
        },
        added("keys.x5c.is-valid-now", "an expired certificate") {
            $0["x5c"] = [.string(KeySample.expiredCertificate)]
        },
        // The digits of the digest in place of its octets, as some releases of WSO2 have it.
        Fault(
            "keys.kid.is-stated",
            "neither the only key nor the header has a kid",
            also: ["idtoken.kid.is-stated"],
            persona: .minimal,
            change: { seams in
                seams.keySet = { set in set["keys"] = .array((set["keys"]?.arrayValue ?? []).prefix(1).map(\.nameless))
                }
                seams.setHeader("kid", nil)
            }
        ),
        added("keys.x5t.matches-the-certificate", "a thumbprint in encoded hexadecimal digits") { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t"] = "YmVlMmRmZmJlNjdkN2UxZDBiZTlmOTIwYzI4NzM0ZjVjYzRiZDAwYw"
        },
        added("keys.x5t-s256.matches-the-certificate", "a SHA-256 thumbprint in encoded hexadecimal digits") { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t#S256"] = "MGRkYzk1OTE0ODZlYmNhYzczZGFhNGI0MDlkNWM3YjU2ZjU1NTEyZmFlN2JiY2JjMTI5MjEwYjk1MmQzM2E0Mw"
        },
        added("keys.thumbprints.are-usable", variant: "mismatch", "a thumbprint of something else") { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAA"
        },
        added(
            "keys.thumbprints.are-usable",
            variant: "mismatch-s256",
            "a SHA-256 thumbprint of something else"
        ) { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t#S256"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        },
        added("keys.thumbprints.are-usable", "a thumbprint in hexadecimal digits") { key in
            key["x5t"] = "e856964cc958a28dacb9346d18fd10736c19f526"
        },
    ]
}
