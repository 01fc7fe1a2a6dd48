/// The place of a value within a document (RFC 6901).
package struct JSONPointer: Sendable, Hashable {
    /// The reference tokens, unescaped; none means the whole document.
    package var tokens: [String]

    package init(tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Reads the string form, as in `/a/b~1c`; nil if it is not a pointer by RFC 6901 section 3.
    package init?(text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var rest = text.utf8[...]
        while let tilde = rest.firstIndex(of: UInt8(ascii: "~")) {
            let next = rest.index(after: tilde)
            guard next < rest.endIndex, rest[next] == UInt8(ascii: "0") || rest[next] == UInt8(ascii: "1") else {
                return nil
            }
            rest = rest[next...]
        }
        tokens = Self.split(text)
    }

    /// The whole document.
    package static let root = JSONPointer()

    package func appending(_ name: String) -> JSONPointer { JSONPointer(tokens: tokens + [name]) }
    package func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// The array index that a token denotes: digits without a leading zero, within bounds.
    static func index(_ token: String, in elements: [JSON]) -> Int? {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        guard let index = Int(token), index < elements.count else { return nil }
        return index
    }

    /// The tokens after the leading solidus; "~1" is undone before "~0", so "~01" becomes "~1".
    private static func split(_ text: String) -> [String] {
        text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { token in
                var bytes: [UInt8] = []
                var escaped = false
                for byte in token {
                    switch (escaped, byte) {
                    case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
                    case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
                    case (true, _): bytes += [UInt8(ascii: "~"), byte]
                    case (false, UInt8(ascii: "~")):
                        escaped = true
                        continue
                    case (false, _): bytes.append(byte)
                    }
                    escaped = false
                }
                return String(decoding: bytes, as: UTF8.self)
            }
    }
}

extension JSONPointer: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The string form, `""` for the whole document.
    package var description: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// A pointer written in source code; a missing leading solidus is supplied, because a literal cannot fail.
    package init(stringLiteral value: String) {
        self.init(tokens: value.isEmpty ? [] : Self.split(value.hasPrefix("/") ? value : "/" + value))
    }
}
