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

    /// Faults in how a client finds the right key.
    static let keyChoice: [Fault] = [
        .keySet("keys.list.is-present", "the key set has no keys member") { $0["keys"] = nil },
        .keySet("keys.signing-key.is-present", "the only key is on an elliptic curve") { set in
            set["keys"] = [.object(KeySample.ec)]
        },
        .document("keys.signing-key.fits-every-algorithm", "ES256 is advertised but has no key") {
            $0.append("ES256", to: "id_token_signing_alg_values_supported")
        },
        added("keys.kid.is-present", "one of two keys has no kid") { $0["kid"] = nil },
        .keySet("keys.kid.is-unique", "two keys have the same kid") { set in
            set.append(.object(KeySample.ec), to: "keys")
            var other = KeySample.otherEC
            other["kid"] = KeySample.ec["kid"]
            set.append(.object(other), to: "keys")
        },
        .keySet(
            "idtoken.kid.names-the-signing-key",
            "another key with the same kid precedes the signing key",
            also: ["keys.kid.is-unique"]
        ) { set in
            var other = KeySample.rsa
            other["kid"] = set["keys"]?.arrayValue?.first?["kid"]
            set["keys"] = .array([.object(other)] + (set["keys"]?.arrayValue ?? []))
        },
        .keySet("keys.key.is-published-once", "one key is published twice with different kids") { set in
            set.append(.object(KeySample.ec), to: "keys")
            var again = KeySample.ec
            again["kid"] = "sample-again"
            set.append(.object(again), to: "keys")
        },
    ]

    /// Faults in a key's type, use and algorithm.
    static let keyUse: [Fault] = [
        .keySet("keys.kty.is-present", "a key has no kty") { $0.append(["kid": "untyped"], to: "keys") },
        .keySet("keys.entries.are-objects", "an element of keys is a string") { $0.append("key", to: "keys") },
        added("keys.members.have-the-right-type", "kid is a number") { $0["kid"] = 5 },
        added("keys.members.are-not-null", "a key has x5c null") { $0["x5c"] = JSON.null },
        .keySet("keys.kty.is-known", "a key has the type AKP") { set in
            set.append(["kty": "AKP", "alg": "ML-DSA-44", "kid": "quantum", "pub": "AA"], to: "keys")
        },
        added("keys.okp.curve-is-widely-read", "a key for encryption is on the curve X25519", KeySample.okp) {
            $0["crv"] = "X25519"
            $0["use"] = "enc"
            $0["alg"] = "ECDH-ES"
        },
        added("keys.use.is-known", "a key has an unknown use") { $0["use"] = "signature" },
        .keySet("keys.use.is-stated-beside-encryption-keys", "a key has no use although another key has use enc") {
            set in
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
            "a key with an encryption algorithm has no use"
        ) { set in
            var encrypting = KeySample.rsa
            encrypting["use"] = nil
            encrypting["alg"] = "RSA-OAEP"
            set.append(.object(encrypting), to: "keys")
        },
        added("keys.x5u.uses-https", "x5u uses http") {
            $0["x5u"] = "http://op.example/certificate.pem"
        },
        added("keys.use-and-key-ops.are-not-both-stated", "a key has both use and key_ops") {
            $0["key_ops"] = ["verify"]
        },
        added("keys.use-and-key-ops.are-consistent", "key_ops contradicts use") {
            $0["key_ops"] = ["wrapKey"]
        },
        added("keys.key-ops.are-distinct", "key_ops lists an operation twice") { key in
            key["use"] = nil
            key["key_ops"] = ["verify", "verify"]
        },
        added("keys.alg.fits-the-key", "a P-256 key has alg ES384") { $0["alg"] = "ES384" },
    ]

    /// Faults in the values of a key.
    static let keyMaterial: [Fault] = [
        added("keys.material.has-no-private-members", "a private key is published") {
            $0["d"] = KeySample.ecPrivateValue
        },
        .keySet("keys.material.has-no-symmetric-key", "a symmetric key is published") { set in
            set.append(["kty": "oct", "kid": "secret", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMko"], to: "keys")
        },
        added("keys.members.are-present", "an EC key has no y") { $0["y"] = nil },
        added("keys.values.are-base64url", "x has base64 padding") { key in
            key.rewrite("x") { $0 + "=" }
        },
        added("keys.rsa.values-have-no-leading-zero", "an RSA modulus has a leading zero byte", KeySample.rsa) {
            $0["n"] = .string(KeySample.modulusWithZero)
        },
        added("keys.rsa.modulus-has-2048-bits", "an RSA key has 1024 bits", KeySample.rsa) {
            $0["n"] = .string(KeySample.shortModulus)
        },
        added("keys.rsa.modulus-has-2048-bits", variant: "none", "an RSA key has an empty modulus", KeySample.rsa) {
            $0["n"] = ""
        },
        added("keys.rsa.modulus-has-2048-bits", variant: "zero", "an RSA key has the modulus zero", KeySample.rsa) {
            $0["n"] = "AA"
        },
        added("keys.rsa.modulus-is-odd", "an RSA key has an even modulus", KeySample.rsa) { key in
            key.rewrite("n") { $0.dropLast() + "g" }
        },
        added("keys.rsa.modulus-is-no-encoded-key", "an RSA modulus is the whole key in DER", KeySample.rsa) {
            $0["n"] = .string(KeySample.modulusInDER)
        },
        added(
            "keys.rsa.modulus-is-no-encoded-key",
            variant: "pem",
            "an RSA modulus is the whole key in PEM",
            KeySample.rsa
        ) {
            $0["n"] = .string(KeySample.modulusInPEM)
        },
        added("keys.rsa.modulus-has-no-known-weakness", "an RSA key can be factored (CVE-2017-15361)", KeySample.rsa) {
            $0["n"] = .string(KeySample.factorableModulus)
        },
        added("keys.material.is-no-published-example", "a key is the example of RFC 7517", KeySample.rsa) {
            $0["n"] = .string(KeySample.publishedModulus)
        },
        added("keys.rsa.exponent-is-odd", "an RSA key has an even exponent", KeySample.rsa) { $0["e"] = "Ag" },
        added("keys.rsa.exponent-is-odd", variant: "one", "an RSA key has the exponent one", KeySample.rsa) {
            $0["e"] = "AQ"
        },
        added("keys.ec.coordinates-have-full-length", "an EC coordinate lacks its leading zero byte", KeySample.otherEC)
        {
            $0["x"] = KeySample.shortCoordinate
        },
        added("keys.ec.point-is-on-the-curve", "an EC key has x and y swapped") { key in
            let x = key["x"]
            key["x"] = key["y"]
            key["y"] = x
        },
        added("keys.ec.point-is-on-the-curve", variant: "infinity", "an EC key is the point at infinity") { key in
            let zeros = JSON.string(String(repeating: "A", count: 43))
            key["x"] = zeros
            key["y"] = zeros
        },
        added("keys.okp.point-is-not-of-small-order", "an Ed25519 key has order one", KeySample.okp) {
            $0["x"] = .string("AQ" + String(repeating: "A", count: 41))
        },
        added("keys.okp.value-has-full-length", "an Ed25519 key has 31 bytes", KeySample.okp) {
            $0["x"] = KeySample.shortValue
        },
    ]

    /// Faults in the certificates of a key.
    static let keyCertificates: [Fault] = [
        added("keys.x5c.holds-certificates", "x5c is encoded in base64url") { key in
            let text = KeySample.certificate.replacing("+", with: "-").replacing("/", with: "_")
            key["x5c"] = [.string("-" + text)]
        },
        added("keys.x5c.is-on-one-line", "x5c has line breaks") { key in
            let text = KeySample.certificate
            key["x5c"] = [.string(text.prefix(64) + "\r\n" + text.dropFirst(64))]
        },
        added("keys.x5c.certifies-the-key", "x5c certifies another key") {
            $0["x5c"] = [.string(KeySample.otherCertificate)]
        },
        added("keys.x5c.is-a-chain", "the second certificate in x5c did not issue the first") {
            $0["x5c"] = [.string(KeySample.certificate), .string(KeySample.otherCertificate)]
        },
        added("keys.x5c.is-valid-now", "the certificate in x5c has expired") {
            $0["x5c"] = [.string(KeySample.expiredCertificate)]
        },
        // Some releases of WSO2 encode the hexadecimal digits of the digest instead of its bytes.
        Fault(
            "keys.kid.is-stated",
            "neither the only key nor the header has a kid",
            also: ["idtoken.kid.is-stated"],
            persona: .minimal,
            change: { hooks in
                hooks.keySet = { set in set["keys"] = .array((set["keys"]?.arrayValue ?? []).prefix(1).map(\.nameless))
                }
                hooks.setHeader("kid", nil)
            }
        ),
        added("keys.x5t.matches-the-certificate", "x5t encodes the hexadecimal digits of the thumbprint") { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t"] = "YmVlMmRmZmJlNjdkN2UxZDBiZTlmOTIwYzI4NzM0ZjVjYzRiZDAwYw"
        },
        added("keys.x5t-s256.matches-the-certificate", "x5t#S256 encodes the hexadecimal digits of the thumbprint") {
            key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t#S256"] = "MGRkYzk1OTE0ODZlYmNhYzczZGFhNGI0MDlkNWM3YjU2ZjU1NTEyZmFlN2JiY2JjMTI5MjEwYjk1MmQzM2E0Mw"
        },
        added("keys.thumbprints.are-usable", variant: "mismatch", "x5t does not match the certificate") { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAA"
        },
        added(
            "keys.thumbprints.are-usable",
            variant: "mismatch-s256",
            "x5t#S256 does not match the certificate"
        ) { key in
            key["x5c"] = [.string(KeySample.certificate)]
            key["x5t#S256"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        },
        added("keys.thumbprints.are-usable", "x5t is hexadecimal") { key in
            key["x5t"] = "e856964cc958a28dacb9346d18fd10736c19f526"
        },
    ]
}
