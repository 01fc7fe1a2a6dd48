import CLibcurl

/// An absolute http or https URL split into its parts (RFC 3986), its text kept byte for byte.
///
/// Equal means equal text: comparing a registered value is done on bytes, and never on a normalised form.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL exactly as it was given.
    package let text: String
    /// `http` or `https`, in lower case.
    package let scheme: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    /// The port, if the URL names one.
    package let port: Int?
    /// User name and password as they stand before the `@`, or nil.
    package let userInfo: String?
    /// The path as it stands, `/` when it is empty.
    package let path: String
    /// What stands between `?` and `#`, not decoded; nil without a question mark.
    package let query: String?
    /// The part after `#`, not decoded; nil without one.
    package let fragment: String?

    /// Splits a URL; nil when it is not an absolute http or https URL that libcurl accepts, or contains a control character.
    ///
    /// C would treat U+0000 as the end, and read another address.
    package init?(_ text: String) {
        guard !Self.hasControl(text), let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        let lenient = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_ALLOW_SPACE)
        guard curl_url_set(handle, CURLUPART_URL, text, lenient) == CURLUE_OK else { return nil }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased() else { return nil }
        guard scheme == "http" || scheme == "https", let host = Self.part(CURLUPART_HOST, of: handle) else {
            return nil
        }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        port = Self.part(CURLUPART_PORT, of: handle).flatMap { Int($0) }
        path = Self.part(CURLUPART_PATH, of: handle) ?? "/"

        let bytes = text.utf8
        let fragmentStart = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        fragment = fragmentStart == bytes.endIndex ? nil : Self.text(bytes[fragmentStart...].dropFirst())
        let queryStart = bytes[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
        query = queryStart == fragmentStart ? nil : Self.text(bytes[queryStart..<fragmentStart].dropFirst())
        let slash = UInt8(ascii: "/")
        let authority = bytes[..<queryStart].drop { $0 != slash }.drop { $0 == slash }.prefix { $0 != slash }
        userInfo = authority.lastIndex(of: UInt8(ascii: "@")).map { Self.text(authority[..<$0]) }
    }

    /// Bytes and not characters are compared: a combining mark after a delimiter does not hide it.
    private static func text(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)) }

    package var description: String { text }

    /// The port that is connected to: the one named, or the scheme's own.
    package var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

    /// Scheme, host and port, the port left out where it is the scheme's own.
    package var origin: String { "\(scheme)://\(hostAndPort)" }

    /// Host and port, the port left out where it is the scheme's own.
    package var hostAndPort: String {
        effectivePort == (scheme == "https" ? 443 : 80) ? host : "\(host):\(effectivePort)"
    }

    /// Whether the host is this machine by its very name or number.
    package var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Whether a browser may take two addresses for the same site (the same scheme and the same registrable domain, HTML
    /// Standard section 7.1.1); a guess where the last two labels are a public suffix.
    package func mayShareSite(with other: WebURL) -> Bool {
        guard scheme == other.scheme else { return false }
        if host == other.host { return true }
        let (own, others) = (host.split(separator: ".").suffix(2), other.host.split(separator: ".").suffix(2))
        return own.count == 2 && own == others && !AddressLookup.isAddress(host)
    }

    /// The parameters of the query.
    package var queryParameters: FormParameters { FormParameters(parsing: query ?? "") }

    /// The parameters of the fragment, where a response puts them there.
    package var fragmentParameters: FormParameters { FormParameters(parsing: fragment ?? "") }

    /// The text up to the query and fragment.
    package var textBeforeQuery: String {
        Self.text(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// The text up to the fragment.
    package var textBeforeFragment: String { Self.text(text.utf8.prefix { $0 != UInt8(ascii: "#") }) }

    /// Whether scheme, host, port and path are those of another URL; query and fragment are not looked at.
    package func hasSamePlace(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && effectivePort == other.effectivePort && path == other.path
    }

    /// This URL with parameters added to its query, behind those it has.
    package func adding(_ parameters: FormParameters) -> String {
        guard !parameters.items.isEmpty else { return textBeforeFragment }
        let separator = query == nil ? "?" : query == "" ? "" : "&"
        return textBeforeFragment + separator + parameters.serialized
    }

    /// Resolves a reference, as in a Location header or a form's action, against this URL (RFC 3986, section 5).
    ///
    /// An absolute reference keeps its text. Nil when the result is not an http or https URL.
    package func resolve(_ reference: String) -> WebURL? {
        if Self.hasControl(reference) { return nil }
        if Self.scheme(of: reference) != nil { return WebURL(reference) }
        if reference.isEmpty { return WebURL(textBeforeFragment) }
        if reference.hasPrefix("#") { return WebURL(textBeforeFragment + reference) }
        if reference.hasPrefix("?") { return WebURL(textBeforeQuery + reference) }
        if reference.hasPrefix("//") { return WebURL("\(scheme):\(reference)") }
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, textBeforeQuery, UInt32(CURLU_ALLOW_SPACE)) == CURLUE_OK else {
            return nil
        }
        // As browsers do, in the query too, where libcurl would write a plus sign.
        let encoded = reference.replacing(" ", with: "%20")
        guard curl_url_set(handle, CURLUPART_URL, encoded, 0) == CURLUE_OK else { return nil }
        return Self.part(CURLUPART_URL, of: handle).flatMap { WebURL($0) }
    }

    /// The scheme that a text begins with, in lower case, or nil when it is a relative reference.
    package static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, first | 0x20 >= UInt8(ascii: "a"), first | 0x20 <= UInt8(ascii: "z") else {
            return nil
        }
        let isScheme = scheme.allSatisfy { byte in
            let lower = byte | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        return isScheme ? String(text[..<colon]).lowercased() : nil
    }

    private static func hasControl(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, 0) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }
}
