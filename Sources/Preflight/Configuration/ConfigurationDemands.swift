package import Conformance
internal import Flows
internal import SignIn
internal import Transport

/// The requirements of a configuration before any request.
extension Configuration {
    /// Why a text cannot be used as an issuer, with a suggestion; `nil` if it can.
    ///
    /// Rejects only texts without a usable address; the checks evaluate a query or a final slash.
    package static func problem(ofIssuer text: String) -> String? {
        if text.isEmpty { return "the issuer is empty: write its complete URL, such as https://idp.example.com" }
        if text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) {
            return "the issuer \(text.quoted) contains white space: write only its URL"
        }
        guard let separator = text.firstRange(of: "://") else {
            if text.hasSuffix(".yaml") || text.hasSuffix(".yml") {
                return "the issuer \(text.quoted) is the name of a file: pass a configuration with --config"
            }
            return "the issuer \(text.quoted) is not a complete URL: did you mean \("https://\(text)".quoted)?"
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else {
            return "an issuer must start with https:// (or http:// in a test), not with \("\(scheme)://".quoted)"
        }
        let rest = text[separator.upperBound...]
        guard let first = rest.first, !"/?#".contains(first), let url = WebURL(text) else {
            return "the issuer \(text.quoted) has no host: write a URL such as https://idp.example.com"
        }
        // The message omits the password, because it may be logged.
        return url.userInfo == nil ? nil : "the issuer contains a user name or password before “@”: remove it"
    }

    /// Why a text cannot be a redirect URI; `nil` if it can.
    ///
    /// A scheme of an application is accepted, such as `com.example.app:/callback`, and so are the placeholder of `init`, a text
    /// with variables, and `oob` (OAuth 1.0a).
    package static func problem(ofRedirectURI text: String) -> String? {
        if text.contains(Placeholder.mark) || text.contains("${") || text == "oob" { return nil }
        guard let scheme = WebURL.scheme(of: text) else {
            return "\(text.quoted) must be an absolute URI, such as https://app.example.com/callback"
        }
        guard ["http", "https"].contains(scheme) else { return nil }
        return hasHost(text, scheme)
            ? nil : "\(text.quoted) has no valid host and port: write it exactly as it is registered"
    }

    /// Whether two slashes and a host follow the scheme; libcurl also reads `http:/host`.
    static func hasHost(_ text: String, _ scheme: String) -> Bool {
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://"), let first = rest.dropFirst(3).first else { return false }
        return !"/?#".contains(first) && WebURL(text) != nil
    }

    /// The keys that are missing for a tier.
    package func missing(for tier: Tier) -> [String] {
        var keys: [String] = []
        if tier >= .unauthenticated {
            if target.client == nil { keys.append("client") }
            if target.redirectURI == nil { keys.append("redirect_uri") }
        }
        if tier >= .full {
            if secrets.username == nil, signInSettings.driver != .manual { keys.append("sign_in") }
            if target.flows.isEmpty, !needsNoFlows { keys.append("flows") }
        }
        return keys
    }
}

extension Environment {
    /// Why a file cannot be used for certificate authorities; `nil` if it contains certificates.
    package func problem(ofAuthorities path: String) -> String? {
        switch readFile(path, .authorities) {
        case .failure(let error): return "cannot read the file of certificate authorities \(path): \(error.reason)"
        case .success(let bytes):
            return bytes.firstRange(of: Array("CERTIFICATE-----".utf8)) == nil
                ? "\(path) contains no certificate in PEM form (-----BEGIN CERTIFICATE-----)" : nil
        }
    }
}
