import CLibcrypto
import Foundation

/// The RSA key that signs ID Tokens (RS256).
///
/// Unchecked, because the key is created once and only read afterwards, which libcrypto allows from several threads.
final class SigningKey: @unchecked Sendable {
    struct Unavailable: Error {}

    let identifier: String
    private let key: OpaquePointer
    private let modulus: [UInt8]
    private let exponent: [UInt8]

    init() throws {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1,
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw Unavailable() }
        key = made
        modulus = try Self.number("n", of: made)
        exponent = try Self.number("e", of: made)
        identifier = Base64URL.text(SHA256.hash(modulus).prefix(12))
    }

    deinit { EVP_PKEY_free(key) }

    /// The public key as a JWK (RFC 7517).
    var jwk: [String: Any] {
        [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": identifier, "n": Base64URL.text(modulus),
            "e": Base64URL.text(exponent),
        ]
    }

    func signature(of text: String) throws -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let bytes = Array(text.utf8)
        var length = 256
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
        else { throw Unavailable() }
        return Array(signature.prefix(length))
    }

    private static func number(_ name: String, of key: OpaquePointer) throws -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw Unavailable() }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }
}

enum SHA256 {
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

enum Base64URL {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)).map(Array.init)
    }
}

enum Random {
    /// 256 random bits, which an attacker cannot guess.
    static func text() -> String {
        Base64URL.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}
