/// The names that the IANA registry "JSON Object Signing and Encryption (JOSE)" contains, whatever their standing.
///
/// A name outside these lists may be private or newer than the list; it is unknown, not wrong.
package enum JOSERegistry {
    /// Registered `alg` names of signatures and message authentication codes.
    package static let signatureAlgorithms = [
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512",
        "none", "EdDSA", "ES256K", "Ed25519", "Ed448", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "RS1", "HS1",
    ]

    /// Registered `alg` names of key management.
    package static let keyManagementAlgorithms = [
        "RSA1_5", "RSA-OAEP", "RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512", "A128KW", "A192KW", "A256KW", "dir",
        "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW", "A128GCMKW", "A192GCMKW", "A256GCMKW",
        "PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW",
    ]

    /// Registered `enc` names.
    package static let contentEncryptionAlgorithms = [
        "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM",
    ]

    package static let keyUses = ["sig", "enc"]

    package static let keyOperations = [
        "sign", "verify", "encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits",
    ]
}
