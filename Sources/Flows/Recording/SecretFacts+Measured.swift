import Conformance

extension SecretFacts {
    /// - Parameters:
    ///   - secret: The value.
    ///   - earlier: The one that the conversation held before it.
    init(_ secret: Secret, after earlier: Secret? = nil) {
        let text = secret.reveal()
        self.init(
            length: text.count,
            isVisibleASCII: text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) },
            isRepeated: earlier.map { $0 == secret },
            variety: Variety.bits(of: text)
        )
    }
}
