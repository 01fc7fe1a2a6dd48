import Conformance

/// What the rules of the Firebase platform ask of configuration and profile.
enum Firebase {
    static let registrationUnknown =
        "the configuration does not say which response type is switched on at the platform; add registration.response_types"

    /// The response type that the platform uses: its only one, as registered, or the only one configured; `nil` when it
    /// is not known.
    static func responseType(_ target: Target, _ facts: Facts) -> ResponseType? {
        let known = facts.profile.parameters.responseTypes
        if known.count == 1 { return known.first.map { ResponseType($0) } }
        if target.registration.responseTypes.count == 1 { return target.registration.responseTypes.first }
        if target.registration.responseTypes.isEmpty, target.flows.count == 1 { return target.flows.first }
        return nil
    }

    /// Whether a name fits the platform's grammar; `nil` when the pattern of the profile is no regular expression.
    static func matches(_ name: String, pattern: String) -> Bool? {
        guard let expression = try? Regex(pattern) else { return nil }
        return name.wholeMatch(of: expression) != nil
    }

    /// The only name that a pattern allows; `nil` when it allows several.
    static func fixedName(_ pattern: String) -> String? {
        guard pattern.hasPrefix("^"), pattern.hasSuffix("$") else { return nil }
        let name = pattern.dropFirst().dropLast().replacing("\\.", with: ".")
        return name.utf8.allSatisfy { $0 == 0x2E || (0x61...0x7A).contains($0) } ? String(name) : nil
    }

    /// Whether an address can be the handler of a project, at its own domain or at one of the platform's.
    ///
    /// A rehearsal on this machine has a port.
    static func isHandler(_ uri: String, path: String) -> Bool {
        let address = URIReference(uri)
        guard uri.hasPrefix("https://"), address.path == path, address.query == nil, address.fragment == nil,
            let host = address.host, !host.isEmpty, address.userinfo == nil
        else { return false }
        return address.port == nil || HostKind(host) == .loopback
    }

    static func isNonceOfThePlatform(_ nonce: String) -> Bool {
        nonce.utf8.count == 64
            && nonce.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension AuthorizationAnswer {
    /// The refusal of a request, as a report shows it; `nil` when a page or a code answered it.
    var refusal: String? {
        switch ending {
        case .page(let page): page.isError ? page.phrase + ": " + page.text.shown(limit: 120) : nil
        case .redirected(let redirect): redirect.has("error") ? "the error \(redirect.errorText)" : nil
        }
    }

    /// The finding of a platform that sends no challenge.
    var demandsForPKCE: [Finding] {
        guard let refusal, asksForPKCE else { return [] }
        return [
            Finding(
                "The request without a code_challenge was answered with \(refusal).",
                at: "code_challenge",
                expected: "the sign-in page",
                found: refusal,
                fix: "Make PKCE optional for this client; its secret protects the code."
            )
        ]
    }

    /// Whether the refusal speaks of a missing PKCE challenge (RFC 7636 section 4.4.1 names no code of its own).
    var asksForPKCE: Bool {
        let text = (refusal ?? "").lowercased()
        return text.contains("challenge") || text.contains("pkce")
    }
}
