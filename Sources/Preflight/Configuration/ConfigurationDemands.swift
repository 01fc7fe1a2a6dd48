package import Conformance
internal import Flows
internal import SignIn
internal import Transport

/// What a configuration must hold before anything is sent.
extension Configuration {
    /// Why a text cannot be asked as an issuer, and what was perhaps meant; `nil` when it can.
    ///
    /// Only what leaves no address to ask is refused: a query or a terminating slash is for the checks to judge.
    package static func problem(ofIssuer text: String) -> String? {
        if text.isEmpty { return "the issuer is empty: write its whole URL, as in https://idp.example.com" }
        if text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) {
            return "the issuer \(text.quoted) holds white space: write its URL alone"
        }
        guard let separator = text.firstRange(of: "://") else {
            return "the issuer \(text.quoted) is not a whole URL: did you mean \("https://\(text)".quoted)?"
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else {
            return "an issuer begins with https:// (or http:// in a test), not with \("\(scheme)://".quoted)"
        }
        let rest = text[separator.upperBound...]
        guard let first = rest.first, !"/?#".contains(first), let url = WebURL(text) else {
            return "the issuer \(text.quoted) names no host: write it as in https://idp.example.com"
        }
        // The password is not repeated: this message goes to a log.
        return url.userInfo == nil ? nil : "the issuer carries a user name or password before “@”: leave it out"
    }

    /// What the configuration lacks for a tier, by the names of its keys.
    package func missing(for tier: Tier) -> [String] {
        var keys: [String] = []
        if tier >= .unauthenticated {
            if target.client == nil { keys.append("client") }
            if target.redirectURI == nil { keys.append("redirect_uri") }
        }
        if tier >= .full {
            if secrets.username == nil, conduct.driver != .manual { keys.append("sign_in") }
            if target.flows.isEmpty, !needsNoFlows { keys.append("flows") }
        }
        return keys
    }
}

extension Environment {
    /// Why a file cannot be trusted as certificate authorities; `nil` when it holds certificates.
    package func problem(ofAuthorities path: String) -> String? {
        switch readFile(path) {
        case .failure(let error): return "the file of certificate authorities \(path) cannot be read: \(error.reason)"
        case .success(let octets):
            return octets.firstRange(of: Array("CERTIFICATE-----".utf8)) == nil
                ? "\(path) holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)" : nil
        }
    }
}
