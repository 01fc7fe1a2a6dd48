import Transport

/// The bytes that represent a secret, once all escapes are decoded.
struct SecretForm: Sendable {
    /// The positions at which the bytes count as the secret.
    enum Place: Sendable {
        /// Wherever they are.
        case anywhere
        /// Not adjacent to a letter or digit: a client secret that is `abc-123` must not change `abc-1234`.
        case alone
        /// As a value, for a secret that is an ordinary word: a password that is `correct` must not hide
        /// what “the code is not correct” says.
        case asValue
    }

    var bytes: [UInt8]
    var place: Place
    /// Whether either letter case matches; `bytes` are in lower case then.
    var isFolded = false
    /// How many bytes before and after belong to the secret in part: a character of base64 encodes six bits.
    var margin = (before: 0, after: 0)
    /// Whether what follows of the same alphabet belongs to it: of a very long secret only the beginning is compared.
    var continues = false
}

/// The forms of a secret: as it is, in base64 at each alignment, in hexadecimal.
enum SecretForms {
    /// Values from this length on are found inside a longer word, and in either case.
    static let certainLength = 12
    /// Base64 of less is found by chance.
    private static let leastInBase64 = 6
    /// Of longer secrets base64 and hexadecimal are compared as far as this.
    private static let mostEncoded = 16_384

    static func all(of value: String) -> [SecretForm] {
        let bytes = Array(value.utf8)
        var plain = [bytes] + DecodedText.plain(bytes, times: 2)
        if let latin = latin1(value) { plain.append(latin) }
        var forms: [SecretForm] = []
        for text in plain where text.count >= 4 {
            let isCertain = text.count >= certainLength
            add(SecretForm(bytes: text, place: place(of: text), isFolded: isCertain), to: &forms)
        }
        let beginning = Array(bytes.prefix(mostEncoded))
        let continues = beginning.count < bytes.count
        let encoded = Array(PercentEncoding.encode(value).utf8.prefix(mostEncoded))
        let asParameter = FormParameters([FormParameter(name: "", value: value)]).serialized.utf8.dropFirst()
        var written = [beginning]
        // Most secrets are the same in all three.
        for text in [encoded, Array(asParameter.prefix(mostEncoded))] where !written.contains(text) {
            written.append(text)
        }
        for text in written {
            for skipped in 0...(bytes.count < leastInBase64 ? 0 : 2) {
                for alphabet in [standardAlphabet, urlAlphabet] {
                    var form = base64(text, behind: skipped, alphabet)
                    if bytes.count < leastInBase64 { form.place = .alone }
                    form.continues = continues
                    add(form, to: &forms)
                }
            }
        }
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = beginning.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        var form = SecretForm(bytes: hexadecimal, place: bytes.count < leastInBase64 ? .alone : .anywhere)
        form.isFolded = true
        form.continues = continues
        add(form, to: &forms)
        return forms
    }

    private static func add(_ form: SecretForm, to forms: inout [SecretForm]) {
        var form = form
        if form.isFolded { form.bytes = form.bytes.map(lowercased) }
        let isKnown = forms.contains { known in
            known.bytes == form.bytes && known.isFolded == form.isFolded && known.margin == form.margin
        }
        if !isKnown { forms.append(form) }
    }

    private static func place(of text: [UInt8]) -> SecretForm.Place {
        if text.count >= certainLength { return .anywhere }
        return isWord(text) ? .asValue : .alone
    }

    /// Letters alone, in the case of a word, or digits alone.
    private static func isWord(_ text: [UInt8]) -> Bool {
        let isSmall = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
        let isCapital = { (byte: UInt8) in (0x41...0x5A).contains(byte) }
        let isLetter = { (byte: UInt8) in isSmall(byte) || isCapital(byte) }
        if text.allSatisfy({ (0x30...0x39).contains($0) }) || text.allSatisfy(isCapital) { return true }
        return text.first.map(isLetter) == true && text.dropFirst().allSatisfy(isSmall)
    }

    /// The characters of base64 that are determined by the bytes alone, after some skipped bytes in their group.
    private static func base64(_ text: [UInt8], behind skipped: Int, _ alphabet: [UInt8]) -> SecretForm {
        let padded = [UInt8](repeating: 0, count: skipped) + text
        let whole = padded.count * 8 / 6
        var characters: [UInt8] = []
        characters.reserveCapacity(whole)
        for place in 0..<whole {
            let bit = place * 6
            let pair = UInt16(padded[bit / 8]) << 8 | UInt16(bit / 8 + 1 < padded.count ? padded[bit / 8 + 1] : 0)
            characters.append(alphabet[Int(pair >> (10 - bit % 8) & 0x3F)])
        }
        let lead = skipped == 0 ? 0 : skipped + 1
        return SecretForm(
            bytes: Array(characters.dropFirst(lead)),
            place: .anywhere,
            margin: (before: skipped == 0 ? 0 : 1, after: padded.count * 8 % 6 == 0 ? 0 : 1)
        )
    }

    /// The bytes in ISO 8859-1, for a text that is neither ASCII nor beyond that alphabet.
    private static func latin1(_ value: String) -> [UInt8]? {
        guard value.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let bytes = value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == value.unicodeScalars.count ? bytes : nil
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static let standardAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The bytes that a run of base64 encodes, in either alphabet; `nil` for another character.
    static func decodedBase64(_ run: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(run.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in run {
            guard let value = sextet(byte) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }

    static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
