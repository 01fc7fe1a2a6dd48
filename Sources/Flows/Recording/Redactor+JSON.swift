import JSONTree

/// Redaction of JSON by place.
///
/// It works on the text and not on the parsed value: repeated members, order and faults of grammar must stay.
extension Redactor {
    /// Members of a JWK that only its owner may know (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1, RFC 8037 section 2).
    private static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "r", "t", "k", "priv"]

    /// A JSON text whose secret members are replaced by placeholders of the same JSON type, and all that was learned
    /// wherever it stands.
    func redact(json bytes: [UInt8]) -> [UInt8] {
        let byPlace = replacing(in: bytes) { name, isInKey in
            if isInKey, Self.privateMembers.contains(name) { return true }
            return hides(Self.members[name])
        }
        return redactStrings(of: byPlace, onlyCertain: false)
    }

    /// The bytes of a public document, unchanged except for what is never published on purpose: private members of keys, user
    /// information in addresses, and learned secrets.
    func redact(document bytes: [UInt8]) -> [UInt8] {
        let byPlace = replacing(in: bytes) { name, isInKey in isInKey && Self.privateMembers.contains(name) }
        return redactStrings(of: byPlace, onlyCertain: true)
    }

    /// Learned secrets, replaced only in strings if the text is JSON: a number does not become a string.
    private func redactStrings(of bytes: [UInt8], onlyCertain: Bool) -> [UInt8] {
        guard knowsSecrets else { return bytes }
        guard (try? JSONDocument.parse(bytes)) != nil else { return redact(bytes, onlyCertain: onlyCertain) }
        let strings = JSONTokens(bytes).strings.map { ($0.lowerBound + 1)..<($0.upperBound - 1) }
        return redact(bytes, in: strings, onlyCertain: onlyCertain)
    }

    private func replacing(in bytes: [UInt8], _ isSecret: (String, _ isInKey: Bool) -> Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        for token in JSONTokens(bytes).values {
            let text = bytes[token.range]
            let replacement: [UInt8]
            if let name = token.name, isSecret(name, token.isInKey) {
                replacement = Self.replacement(name, for: text)
            } else if let address = Self.withoutUserInformation(inString: text) {
                replacement = address
            } else {
                continue
            }
            result += bytes[end..<token.range.lowerBound]
            result += replacement
            end = token.range.upperBound
        }
        return end == 0 ? bytes : result + bytes[end...]
    }

    /// The string of JSON without the user information of the address that it is; `nil` where there is none.
    private static func withoutUserInformation(inString text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == UInt8(ascii: "\""), text.contains(UInt8(ascii: "@")) || text.contains(UInt8(ascii: "\\")),
            let value = JSONTokens.decoded(text), WebAddress.begins(value)
        else { return nil }
        let clean = withoutUserInformation(value)
        return clean == value ? nil : Array(JSON.string(clean).serialized().utf8)
    }

    private static func replacement(_ name: String, for scalar: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = scalar.first else { return [] }
        guard first == UInt8(ascii: "\"") else { return [UInt8(ascii: "0")] }
        let text = scalar.dropFirst().dropLast()
        guard !text.isEmpty else { return Array(scalar) }
        return Array("\"\(placeholder(name, String(decoding: text, as: UTF8.self)))\"".utf8)
    }
}

/// Text that looks like an address with a host.
private enum WebAddress {
    static func begins(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return scheme.count < 20 && text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }
}
