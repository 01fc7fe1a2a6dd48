internal import JOSE

/// Digests of content.
package enum Digest {
    private static let digits = Array("0123456789abcdef".utf8)

    /// SHA-256 in hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String {
        let digest = Hashes.sha256(bytes)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
