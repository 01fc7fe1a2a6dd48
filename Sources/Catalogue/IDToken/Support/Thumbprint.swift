import JOSE
import JSONTree

/// The thumbprint of a certificate as a JOSE header states it (RFC 7515 sections 4.1.7 and 4.1.8).
enum Thumbprint {
    /// The reason why a value cannot be the digest of a certificate; `nil` if it can.
    ///
    /// - Parameter length: Of the digest, in bytes.
    static func problem(with value: JSON, bytes length: Int) -> String? {
        guard let text = value.stringValue else { return "is \(value.kind.phrase)" }
        if text.utf8.count == 2 * length, text.allSatisfy(\.isHexDigit) { return "is the digest in hexadecimal" }
        guard let bytes = try? Base64URL.decode(text) else { return "is not base64url" }
        if bytes.count == 2 * length, String(decoding: bytes, as: UTF8.self).allSatisfy(\.isHexDigit) {
            return "encodes the hexadecimal text of the digest"
        }
        return bytes.count == length ? nil : "has \(bytes.count) bytes"
    }
}
