import Conformance

extension SecretFacts {
    /// - Parameters:
    ///   - secret: The value.
    ///   - earlier: The one that the scenario had before it.
    init(_ secret: Secret, after earlier: Secret? = nil) {
        let text = secret.reveal()
        self.init(
            length: text.count,
            isVisibleASCII: text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) },
            isB64Token: Self.isB64Token(text),
            isRepeated: earlier.map { $0 == secret },
            variety: SecretEntropy.bits(of: text)
        )
    }

    /// Whether a text is a `b64token`: letters, digits and some marks, and at the end equals signs.
    private static func isB64Token(_ text: String) -> Bool {
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !body.isEmpty
            && body.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~+/".utf8.contains(byte)
                }
            }
    }
}
