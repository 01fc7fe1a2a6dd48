import Conformance
import SignIn
import Transport

/// Replaces each secret with its name and length, at any place and in any encoding.
///
/// It works in two ways at once: by place (a parameter, a member or a header that contains a secret by its meaning), and by
/// value (a known secret is replaced in every other text too).
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
    private var search = SecretSearch()
    /// Learned secrets, as they were learned: a cookie or a token appears in many requests.
    private var learned: Set<[UInt8]> = []
    /// Learned client secrets and passwords, with their names.
    private(set) var credentials: [(name: String, secret: Secret)] = []
    /// Values that the tool itself sent openly, a `state` for instance: they are no secret even in a provider's cookie.
    private var open: Set<[UInt8]> = []
    /// Values that the run made up to be rejected, such as a code that was never issued.
    private var bogus: Set<[UInt8]> = []
    /// Values that a provider's pages pass to each other in their addresses; hidden only in addresses.
    private(set) var pageValues: Set<String> = []

    init(keepsTokens: Bool) {
        self.keepsTokens = keepsTokens
    }

    /// The replacement for a secret: `(client_secret:24-characters)`.
    ///
    /// It uses characters that are allowed in a URL, in JSON, in XML and in OAuth errors (RFC 6749 section 5.2), so that no
    /// check reports the tool's replacement as the provider's fault.
    static func placeholder(_ name: String, _ value: some StringProtocol) -> String {
        let name = name.utf8.contains(UInt8(ascii: " ")) ? name.replacing(" ", with: "_") : name
        // A value that the sign-in has already redacted has lost its length.
        return value == "[redacted]" ? "(\(name))" : "(\(name):\(value.count)-characters)"
    }

    /// The name of a secret in its placeholder: `bogus_code` for a code that the run made up.
    func label(_ name: String, _ value: some StringProtocol) -> String {
        bogus.contains(Array(value.utf8)) ? "bogus_" + name : name
    }

    /// Learns a value that the run made up to be rejected.
    ///
    /// It is hidden like the secret that it replaces.
    mutating func learn(bogus name: String, _ value: String, _ kind: Kind) {
        bogus.insert(Array(value.utf8))
        learn(name, value, kind)
    }

    /// Learns a secret; values too short to distinguish from ordinary words are redacted only by place.
    mutating func learn(_ name: String, _ value: String, _ kind: Kind) {
        if kind == .token, keepsTokens { return }
        let least =
            switch kind {
            case .credential: 4
            case .token: 8
            case .cookie: 16
            }
        let bytes = Array(value.utf8)
        guard bytes.count >= least, kind != .cookie || (Self.isSessionLike(value) && !open.contains(bytes)),
            learned.insert(bytes).inserted
        else { return }
        if kind == .credential { credentials.append((label(name, value), Secret(value))) }
        search.learn(value, replacement: Self.placeholder(label(name, value), value))
    }

    /// Takes note of a value in the address of a page, unless it was sent or published openly.
    ///
    /// It is not replaced in documents and tokens: a subject or a tenant may be in an address as well, and a comparison with
    /// earlier evidence would fail because of the redaction.
    mutating func learn(pageValue value: String) {
        if Self.isSessionLike(value), !open.contains(Array(value.utf8)) { pageValues.insert(value) }
    }

    /// Records values that are sent openly, and are not values of session cookies.
    mutating func noteOpen(_ values: [String]) {
        for value in values { open.insert(Array(value.utf8)) }
    }

    /// Whether a cookie may open a session: an address, a language or a setting in words does not.
    private static func isSessionLike(_ value: String) -> Bool {
        let plain = PercentEncoding.decode(value)
        let hasDigit = plain.utf8.contains { (0x30...0x39).contains($0) }
        return hasDigit && !plain.contains("://") && !plain.hasPrefix("/") && plain != "[redacted]"
    }

    /// Whether anything was learned; where not, no text has to be looked through for it.
    var knowsSecrets: Bool { !learned.isEmpty }

    /// The text with every learned secret replaced.
    func redact(_ text: String) -> String { search.redact(text) }

    /// The bytes with every learned secret replaced.
    ///
    /// - Parameter onlyCertain: Leaves out short values, for documents that must stay as they are byte for byte.
    func redact(_ bytes: [UInt8], onlyCertain: Bool = false) -> [UInt8] {
        search.redact(bytes, onlyCertain: onlyCertain)
    }

    /// Replaces matches only in strings of a JSON text, so that it stays the same JSON.
    func redact(_ bytes: [UInt8], in strings: [Range<Int>], onlyCertain: Bool = false) -> [UInt8] {
        search.redact(bytes, onlyCertain: onlyCertain, keepsEscapes: true) { range in
            var (low, high) = (0, strings.count)
            while low < high {
                let middle = (low + high) / 2
                if strings[middle].upperBound < range.upperBound { low = middle + 1 } else { high = middle }
            }
            return low < strings.count && strings[low].lowerBound <= range.lowerBound
        }
    }
}

extension PercentEncoding {
    /// One value as `application/x-www-form-urlencoded` has it.
    static func encodeFormValue(_ text: String) -> String {
        String(FormParameters([FormParameter(name: "", value: text)]).serialized.dropFirst())
    }
}
