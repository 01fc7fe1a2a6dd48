/// The key management algorithms that this tool opens and makes (RFC 7518 section 4).
///
/// Left out: `RSA1_5`, deprecated and open to padding oracles, and the password-based PBES2 family, which no ID Token
/// or UserInfo response uses because clients register keys, not passwords.
package enum KeyManagementAlgorithm: String, Sendable, Hashable, CaseIterable {
    case rsaOAEP = "RSA-OAEP"
    case rsaOAEP256 = "RSA-OAEP-256"
    case ecdhES = "ECDH-ES"
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA192KW = "ECDH-ES+A192KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"
    case a128KW = "A128KW"
    case a192KW = "A192KW"
    case a256KW = "A256KW"
    case a128GCMKW = "A128GCMKW"
    case a192GCMKW = "A192GCMKW"
    case a256GCMKW = "A256GCMKW"
    case direct = "dir"

    /// How the content encryption key reaches the recipient.
    enum Family {
        case rsa(HashAlgorithm)
        case agreement
        case wrap
        case gcmWrap
        case direct
    }

    var family: Family {
        switch self {
        case .rsaOAEP: .rsa(.sha1)
        case .rsaOAEP256: .rsa(.sha256)
        case .ecdhES, .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW: .agreement
        case .a128KW, .a192KW, .a256KW: .wrap
        case .a128GCMKW, .a192GCMKW, .a256GCMKW: .gcmWrap
        case .direct: .direct
        }
    }

    /// The bytes of the AES key that wraps the content key; nil if there is none.
    var wrappingKeyLength: Int? {
        switch self {
        case .ecdhESA128KW, .a128KW, .a128GCMKW: 16
        case .ecdhESA192KW, .a192KW, .a192GCMKW: 24
        case .ecdhESA256KW, .a256KW, .a256GCMKW: 32
        case .rsaOAEP, .rsaOAEP256, .ecdhES, .direct: nil
        }
    }
}

/// The content encryption algorithms (RFC 7518 section 5).
package enum ContentEncryptionAlgorithm: String, Sendable, Hashable, CaseIterable {
    case a128CBCHS256 = "A128CBC-HS256"
    case a192CBCHS384 = "A192CBC-HS384"
    case a256CBCHS512 = "A256CBC-HS512"
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"

    /// The bytes of the content encryption key.
    package var keyLength: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a128CBCHS256, .a256GCM: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    /// The hash of the composite algorithms; nil for GCM.
    var hash: HashAlgorithm? {
        switch self {
        case .a128CBCHS256: .sha256
        case .a192CBCHS384: .sha384
        case .a256CBCHS512: .sha512
        case .a128GCM, .a192GCM, .a256GCM: nil
        }
    }

    var isGCM: Bool { hash == nil }
    var ivLength: Int { isGCM ? 12 : 16 }
    var tagLength: Int { isGCM ? 16 : keyLength / 2 }
}
