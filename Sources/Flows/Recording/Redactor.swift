import Conformance
import JOSE
import JSONTree
import Transport

/// Replaces secrets by their name and length, wherever they stand and however they are encoded.
///
/// It works in two ways at once: by place (a parameter, a member or a header that holds a secret by its meaning), and by
/// value (whatever was learned to be a secret is replaced in every other text too).
struct Redactor: Sendable {
    enum Kind: Sendable {
        /// A password or a client secret: never shown.
        case credential
        /// A code, a token or a verifier: shown only when tokens are kept.
        case token
        case cookie
    }

    /// Whether codes and tokens stay readable.
    let keepsTokens: Bool
    private var patterns: [Pattern] = []
    private var known: Set<[UInt8]> = []
    /// What was learned, as it was learned: a cookie or a token comes with many requests.
    private var learned: Set<[UInt8]> = []
    /// The patterns by their first octet, the longest first.
    private var table: [[Int]] = Array(repeating: [], count: 256)

    init(keepsTokens: Bool) {
        self.keepsTokens = keepsTokens
    }

    /// Values from this length on are replaced even inside a longer word.
    private static let certainLength = 12

    private struct Pattern: Sendable {
        var octets: [UInt8]
        var replacement: [UInt8]
        /// Short values are replaced only where they stand alone: a client secret that is the word `secret` must not
        /// change `client_secret_basic`.
        var standsAlone: Bool
    }

    /// What stands in the place of a secret.
    static func placeholder(_ name: String, _ value: some StringProtocol) -> String {
        // What the sign-in has already taken out has lost its length.
        value == "[redacted]" ? "‹\(name)›" : "‹\(name): \(value.count) characters›"
    }

    /// Takes note of a secret; values too short to be told from ordinary words are left to redaction by place.
    mutating func learn(_ name: String, _ value: String, _ kind: Kind) {
        if kind == .token, keepsTokens { return }
        let least =
            switch kind {
            case .credential: 4
            case .token: 8
            case .cookie: 16
            }
        guard value.utf8.count >= least, learned.insert(Array(value.utf8)).inserted else { return }
        let replacement = Array(Self.placeholder(name, value).utf8)
        for form in Self.forms(of: value) where known.insert(form).inserted {
            patterns.append(
                Pattern(octets: form, replacement: replacement, standsAlone: form.count < Self.certainLength)
            )
            let first = Int(form[0])
            table[first].append(patterns.count - 1)
            table[first].sort { patterns[$0].octets.count > patterns[$1].octets.count }
        }
    }

    /// The text with every learned secret replaced.
    func redact(_ text: String) -> String {
        guard !patterns.isEmpty else { return text }
        let octets = Array(text.utf8)
        let redacted = redact(octets)
        return redacted == octets ? text : String(decoding: redacted, as: UTF8.self)
    }

    /// The octets with every learned secret replaced.
    ///
    /// - Parameter onlyCertain: Leaves out short values, for documents that must stay as they are byte for byte.
    func redact(_ octets: [UInt8], onlyCertain: Bool = false) -> [UInt8] {
        guard !patterns.isEmpty else { return octets }
        var result: [UInt8] = []
        result.reserveCapacity(octets.count)
        var index = 0
        while index < octets.count {
            if let pattern = match(octets, at: index, onlyCertain: onlyCertain) {
                result += pattern.replacement
                index += pattern.octets.count
            } else {
                result.append(octets[index])
                index += 1
            }
        }
        return result
    }

    private func match(_ octets: [UInt8], at index: Int, onlyCertain: Bool) -> Pattern? {
        for candidate in table[Int(octets[index])] {
            let pattern = patterns[candidate]
            if onlyCertain, pattern.standsAlone { continue }
            let end = index + pattern.octets.count
            guard end <= octets.count, octets[index..<end].elementsEqual(pattern.octets) else { continue }
            if pattern.standsAlone, !Self.isAlone(octets, index, end) { continue }
            return pattern
        }
        return nil
    }

    /// Whether no letter or digit touches the range; the end of a percent-escape is no letter.
    private static func isAlone(_ octets: [UInt8], _ start: Int, _ end: Int) -> Bool {
        if end < octets.count, isWord(octets[end]) { return false }
        guard start > 0, isWord(octets[start - 1]) else { return true }
        return start >= 3 && octets[start - 3] == UInt8(ascii: "%")
    }

    private static func isWord(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The value as it may stand in a text: raw, in URLs and forms, in JSON, in HTML, in base64.
    private static func forms(of value: String) -> [[UInt8]] {
        let percent = PercentEncoding.encode(value)
        let form = PercentEncoding.encodeFormValue(value)
        let json = String(JSON.string(value).serialized().dropFirst().dropLast())
        var html = ""
        for character in value {
            switch character {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.append(character)
            }
        }
        let texts = [
            value, percent, form, lowercasedEscapes(percent), lowercasedEscapes(form), json,
            json.replacing("/", with: "\\/"), html, Base64.encode(Array(value.utf8)),
        ]
        var forms: [[UInt8]] = []
        for text in texts where !forms.contains(Array(text.utf8)) { forms.append(Array(text.utf8)) }
        return forms
    }

    /// Percent-escapes with lower-case digits, as some servers write them.
    private static func lowercasedEscapes(_ text: String) -> String {
        var result = ""
        var pending = 0
        for character in text {
            if character == "%" {
                pending = 2
                result.append(character)
            } else if pending > 0 {
                pending -= 1
                result += character.lowercased()
            } else {
                result.append(character)
            }
        }
        return result
    }
}

extension PercentEncoding {
    /// One value as `application/x-www-form-urlencoded` has it.
    static func encodeFormValue(_ text: String) -> String {
        String(FormParameters([FormParameter(name: "", value: text)]).serialized.dropFirst())
    }
}
