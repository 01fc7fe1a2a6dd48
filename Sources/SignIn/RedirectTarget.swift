import Transport

/// The redirect URI at which a sign-in is expected to end.
struct RedirectTarget: Sendable {
    private let text: String
    private let url: WebURL?

    init(_ text: String) {
        self.text = text
        url = WebURL(text)
    }

    /// Host and port; `nil` for a URI of another scheme.
    var place: String? { url.map { "\($0.host):\($0.effectivePort)" } }

    /// The scheme of a URI of an application; `nil` for one of the web.
    var applicationScheme: String? {
        guard url == nil, let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme.first?.isLetter == true else { return nil }
        return scheme.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789+.-".utf8.contains($0) } ? scheme : nil
    }

    /// Whether a location is the redirect URI, whatever query and fragment the response adds.
    func isReached(at location: String) -> Bool {
        if let url {
            guard let other = WebURL(location) else { return false }
            return url.hasSamePlace(as: other)
        }
        // A URI of another scheme, as applications register, is compared as text.
        return Self.withoutParameters(location) == Self.withoutParameters(text)
    }

    /// Whether a location is on the redirect URI's host and port, so that fetching it would meet the relying party.
    func sharesHost(with location: WebURL) -> Bool {
        guard let url else { return false }
        return url.host == location.host && url.effectivePort == location.effectivePort
    }

    private static func withoutParameters(_ text: String) -> Substring { text.prefix { $0 != "?" && $0 != "#" } }
}
