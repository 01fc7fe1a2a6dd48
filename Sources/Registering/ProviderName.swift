internal import Conformance

/// The name of the provider at a platform.
enum ProviderName {
    /// The configured name without a platform's prefix; the issuer's host if none is configured.
    static func short(_ target: Target) -> String {
        guard let id = target.registration.providerID else {
            return Target.providerName(from: target.issuer)
        }
        // By code points: the next character may combine with the last one of the prefix.
        for prefix in ["oidc.", "custom:"] where id.unicodeScalars.starts(with: prefix.unicodeScalars) {
            return String(String.UnicodeScalarView(id.unicodeScalars.dropFirst(prefix.count)))
        }
        return id
    }

    /// The providers that Firebase supports by name, with only a client ID and secret, and that have a profile here with the
    /// rules for such a registration.
    static let knownToFirebase = ["github.com", "microsoft.com", "twitter.com", "yahoo.com"]

    /// Further providers that Firebase supports by name, without a profile here.
    static let withoutRules = [
        "apple.com", "facebook.com", "gc.apple.com", "google.com", "linkedin.com", "playgames.google.com",
    ]

    /// Whether the registration at Firebase is one of ``knownToFirebase``.
    static func isKnownToFirebase(_ target: Target) -> Bool {
        knownToFirebase.contains(target.registration.providerID ?? "")
    }
}

/// Requirements on the configuration that several platforms share.
enum ConfigurationRequirement {
    static func secret(_ target: Target, of type: ResponseType, _ platform: String) -> [String] {
        guard let client = target.client(for: type), client.hasSecret else {
            return [
                "\(platform) requires a client with a secret: add  secret: { env: OIDC_CLIENT_SECRET }  to the client"
            ]
        }
        return []
    }

    static func flow(_ target: Target, _ type: ResponseType, _ platform: String) -> [String] {
        target.flows.contains(type)
            ? [] : ["\(platform) signs in with response_type \(type): add \(type) to flows to prove it"]
    }

    /// Parameters that the platform sets itself.
    static func reserved(_ target: Target, _ names: [String], _ platform: String) -> [String] {
        target.customParameters.filter { names.contains($0.name) }
            .map {
                "custom_parameters: \(platform) sets \($0.name.quoted) itself and ignores or rejects a custom value; remove it"
            }
    }

    /// Objections to values that the platform would change.
    ///
    /// - Parameters:
    ///   - characters: Those that have a meaning there.
    ///   - meaning: Their effect, as the end of a sentence.
    static func plain(_ target: Target, _ platform: String, without characters: String, _ meaning: String) -> [String] {
        let values =
            [("the issuer", target.issuer), ("the client ID", target.client(for: "code")?.id ?? "")]
            + [("the redirect URI", target.redirectURI ?? "")] + target.scopes.map { ("the scope", $0) }
        return values.filter { _, value in value.contains { characters.contains($0) } }
            .map { name, value in "\(name) \(value.quoted) cannot be written for \(platform), which \(meaning)" }
    }

    /// Objections to an issuer that is not https or has parts that the platform rejects.
    ///
    /// - Parameter ports: The allowed ports; `nil` for any.
    static func issuer(_ target: Target, _ platform: String, ports: [String]? = nil) -> [String] {
        let issuer = target.issuer
        guard issuer.lowercased().hasPrefix("https://") else { return ["\(platform) accepts only an https issuer"] }
        var objections: [String] = []
        if issuer.contains("?") || issuer.contains("#") {
            objections.append("\(platform) rejects an issuer with a query or a fragment")
        }
        if let ports, let port = Target.authority(of: issuer).firstMatch(of: #/:(\d+)$/#)?.1,
            !ports.contains(String(port))
        {
            objections.append("\(platform) rejects an issuer with the port \(port)")
        }
        return objections
    }
}

/// Notes that several platforms share.
enum Note {
    /// The platform uses another redirect URI than the tested one.
    static func callback(_ target: Target, _ path: String, _ example: String) -> [String] {
        guard let uri = target.redirectURI, !uri.hasSuffix(path) else { return [] }
        return [
            "The run tested the redirect URI \(uri.quoted). The platform uses \(example): register that one with the"
                + " provider, too."
        ]
    }

    /// The registration does not include the custom parameters.
    static func parameters(_ target: Target) -> [String] {
        guard !target.customParameters.isEmpty else { return [] }
        let names = target.customParameters.map { $0.name.shown(limit: 60) }.joined(separator: ", ")
        return ["The custom parameters (\(names)) are not part of this registration."]
    }
}
