/// A URI, split at its delimiters (RFC 3986 appendix B), neither decoded nor normalised.
///
/// Every text can be split; the checks decide whether the parts are valid.
struct URIReference: Sendable, Hashable {
    let text: String
    let scheme: String?
    let userinfo: String?
    /// As written, an IPv6 address with its brackets; empty if the authority contains no host.
    let host: String?
    let port: String?
    let path: String
    let query: String?
    let fragment: String?

    init(_ text: String) {
        self.text = text
        let (beforeFragment, fragment) = Self.cut(text[...], at: "#")
        let (beforeQuery, query) = Self.cut(beforeFragment, at: "?")
        var rest = beforeQuery
        self.fragment = fragment.map(String.init)
        self.query = query.map(String.init)
        self.scheme = Self.takeScheme(&rest)
        guard rest.utf8.starts(with: "//".utf8) else {
            (userinfo, host, port, path) = (nil, nil, nil, String(rest))
            return
        }
        rest = Substring(rest.utf8.dropFirst(2))
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let authority = rest[..<slash]
        self.path = String(rest[slash...])
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        self.userinfo = at.map { String(authority[..<$0]) }
        let place = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority
        let afterAddress = place.utf8.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
        let colon = place[afterAddress...].utf8.firstIndex(of: UInt8(ascii: ":"))
        self.host = String(place[..<(colon ?? place.endIndex)])
        self.port = colon.map { String(place[place.utf8.index(after: $0)...]) }
    }

    /// Whether the URL has a scheme and a host, as all URLs in metadata must.
    var isAbsolute: Bool { scheme != nil && !(host ?? "").isEmpty }

    var isHTTPS: Bool { scheme?.lowercased() == "https" }

    /// The invalid part of the authority, such as `port above 65535`; `nil` if host and port are valid.
    var impossiblePlace: String? {
        if let port, !port.isEmpty {
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return "port that is not a number" }
            guard Int(port).map({ $0 <= 65_535 }) == true else { return "port above 65535" }
        }
        guard let host, host.hasPrefix("[") else { return nil }
        let address = host.dropFirst().prefix { $0 != "]" }
        let isAddress =
            host.hasSuffix("]") && address.count { $0 == ":" } >= 2
            && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        // RFC 3986 section 3.2.2 reserves a leading v for later versions.
        return isAddress || address.lowercased().hasPrefix("v") ? nil : "host in brackets that is not an IPv6 address"
    }

    /// The first character that is not allowed in a URI, or the first percent sign without two digits, with the
    /// characters after it (RFC 3986 sections 2.1 and 2.2); `nil` if there is none.
    var firstOddity: String? {
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if scalar == "%" {
                let digits = scalars[(index + 1)...].prefix(2)
                if digits.count < 2 || !digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) {
                    return String(String.UnicodeScalarView(scalars[index...].prefix(3)))
                }
            } else if !Self.characters.contains(scalar) {
                return String(scalar)
            }
        }
        return nil
    }

    /// The reserved and the unreserved characters.
    private static let characters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=".unicodeScalars
    )

    /// The port that a client connects to; `nil` for schemes other than http and https without a port.
    var effectivePort: Int? {
        if let port, !port.isEmpty { return Int(port) }
        return switch scheme?.lowercased() {
        case "https": 443
        case "http": 80
        default: nil
        }
    }

    /// Compares bytes, because a combining character after a delimiter would form another character (section 2.2).
    private static func cut(_ text: Substring, at mark: Unicode.Scalar) -> (Substring, Substring?) {
        guard let place = text.utf8.firstIndex(of: UInt8(ascii: mark)) else { return (text, nil) }
        return (text[..<place], text[text.utf8.index(after: place)...])
    }

    /// Removes a scheme by its grammar: a letter, then letters, digits, plus, hyphen and full stop (section 3.1).
    private static func takeScheme(_ rest: inout Substring) -> String? {
        guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = rest[..<colon]
        guard let first = name.utf8.first, isLetter(first),
            name.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || Array("+-.".utf8).contains($0) })
        else { return nil }
        rest = rest[rest.utf8.index(after: colon)...]
        return String(name)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

extension String {
    /// Whether both have the same bytes; `==` would also accept canonically equivalent characters.
    func isSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
