import JOSE

/// Proof Key for Code Exchange with S256, the only supported transformation (RFC 7636).
enum PKCE {
    /// Whether a verifier matches a challenge (section 4.6).
    static func matches(verifier: String, challenge: String) -> Bool {
        self.challenge(of: verifier) == challenge
    }

    /// The challenge of a verifier by S256 (section 4.2).
    static func challenge(of verifier: String) -> String { Base64URL.encode(Hashes.sha256(Array(verifier.utf8))) }

    /// Whether a verifier or a challenge has 43 to 128 unreserved characters (sections 4.1 and 4.2).
    static func isWellFormed(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}
