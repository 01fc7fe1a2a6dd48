/// Why a key, a token or a certificate was rejected: a code for programs, and a detail for users.
package struct JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The parts or members that the serialisation demands are not there.
        case malformed
        /// A part is not base64url by the letter of RFC 7515 section 2.
        case encoding
        /// A part that must be JSON is not, or repeats a member.
        case json
        /// The algorithm, curve, key type or extension is not one that this tool implements.
        case unsupported
        /// The key's values are missing, of the wrong length, or not a key.
        case invalidKey
        /// The point of an elliptic-curve key does not lie on its curve.
        case notOnCurve
        /// The key is too short for the algorithm (RFC 7518 sections 3.2 and 3.3).
        case weakKey
        /// The key's type, curve, `alg`, `use` or `key_ops` does not agree with the algorithm.
        case unsuitableKey
        /// No key, or more than one, matches the header.
        case noSingleKey
        /// The signature or the message authentication code does not match.
        case signatureMismatch
        /// The ciphertext, its tag or the encrypted key does not open.
        case decryptionFailed
        /// The bytes are not an X.509 certificate, or it could not be issued.
        case certificate
        /// OpenSSL refused an operation that should succeed.
        case cryptography
    }

    package let code: Code
    let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }
}
