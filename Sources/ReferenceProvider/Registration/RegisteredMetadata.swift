package import JOSE
import JSONTree

/// Special metadata that a client registered (OpenID Connect Registration section 2).
package struct RegisteredMetadata: Sendable {
    /// `nil` for the default of the provider's own clients.
    var idTokenAlgorithm: JWSAlgorithm?
    var idTokenEncryption: ResponseEncryption?
    /// `nil` for plain JSON.
    var userInfoAlgorithm: JWSAlgorithm?
    var userInfoEncryption: ResponseEncryption?
    var isPairwise = false
    /// The public keys that the client registered by value.
    package var keys: [JWK] = []

    init() {}
}

/// The encryption of responses to a client.
package struct ResponseEncryption: Sendable {
    package var algorithm: KeyManagementAlgorithm
    var encryption: ContentEncryptionAlgorithm
    package var key: PublicKey
}

extension RegisteredMetadata {
    /// Reads metadata that ``RegistrationRules`` accepted.
    init(_ metadata: JSONObject) {
        keys = metadata["jwks"]?["keys"]?.arrayValue?.compactMap { JWK($0) } ?? []
        idTokenAlgorithm = metadata["id_token_signed_response_alg"]?.stringValue.flatMap(JWSAlgorithm.init(rawValue:))
        userInfoAlgorithm = metadata["userinfo_signed_response_alg"]?.stringValue.flatMap(JWSAlgorithm.init(rawValue:))
        idTokenEncryption = ResponseEncryption("id_token", metadata, keys)
        userInfoEncryption = ResponseEncryption("userinfo", metadata, keys)
        isPairwise = metadata["subject_type"]?.stringValue == "pairwise"
    }
}

extension ResponseEncryption {
    /// `nil` if no encryption was registered, or no key fits.
    init?(_ what: String, _ metadata: JSONObject, _ keys: [JWK]) {
        guard let name = metadata["\(what)_encrypted_response_alg"]?.stringValue,
            let algorithm = KeyManagementAlgorithm(rawValue: name)
        else { return nil }
        // Registration section 2: A128CBC-HS256 is the default.
        let enc = metadata["\(what)_encrypted_response_enc"]?.stringValue ?? "A128CBC-HS256"
        guard let encryption = ContentEncryptionAlgorithm(rawValue: enc) else { return nil }
        let type: KeyType = name.hasPrefix("RSA") ? .rsa : .ec
        let fitting = keys.first { $0.keyType == type && $0.use != "sig" }
        guard let key = fitting.flatMap({ try? $0.publicKey() }) else { return nil }
        self.init(algorithm: algorithm, encryption: encryption, key: key)
    }
}
