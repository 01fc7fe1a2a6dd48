internal import Conformance

/// What the provider is called at a platform.
enum ProviderName {
    /// The configured name without the prefix that one platform wants; the issuer's host when none is configured.
    static func short(_ target: Target) -> String {
        guard let id = target.registration.providerID else {
            return host(of: target.issuer).replacing(".", with: "-").replacing(":", with: "-")
        }
        // By code points: what follows may combine with the prefix's last letter.
        for prefix in ["oidc.", "custom:"] where id.unicodeScalars.starts(with: prefix.unicodeScalars) {
            return String(String.UnicodeScalarView(id.unicodeScalars.dropFirst(prefix.count)))
        }
        return id
    }

    /// Host and port of an address; empty when it has none.
    static func host(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return "" }
        return String(address[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    /// The providers that Firebase knows by name, takes with a client and its secret alone, and has a profile here for:
    /// without its rules nothing could be said of such a registration.
    static let knownToFirebase = ["github.com", "microsoft.com", "twitter.com", "yahoo.com"]

    /// Those that Firebase knows as well, and no profile does.
    static let withoutRules = [
        "apple.com", "facebook.com", "gc.apple.com", "google.com", "linkedin.com", "playgames.google.com",
    ]

    /// Whether the registration at Firebase is one of ``knownToFirebase``.
    static func isKnownToFirebase(_ target: Target) -> Bool {
        knownToFirebase.contains(target.registration.providerID ?? "")
    }
}

/// What several platforms demand of a configuration.
enum Demand {
    static func secret(_ target: Target, of type: ResponseType, _ platform: String) -> [String] {
        guard let client = target.client(for: type), client.hasSecret else {
            return [
                "\(platform) takes a client with a secret alone: add  secret: { env: OIDC_CLIENT_SECRET }  to the client"
            ]
        }
        return []
    }

    static func flow(_ target: Target, _ type: ResponseType, _ platform: String) -> [String] {
        target.flows.contains(type)
            ? [] : ["\(platform) signs in with response_type \(type): add \(type) to flows, so that it is proven"]
    }

    /// Parameters that the platform sets itself.
    static func reserved(_ target: Target, _ names: [String], _ platform: String) -> [String] {
        target.customParameters.filter { names.contains($0.name) }
            .map {
                "custom_parameters: \(platform) sets \($0.name.quoted) itself and ignores or refuses another; leave it out"
            }
    }

    /// An https address without the parts that the platform refuses.
    ///
    /// - Parameter ports: The ports that may stand in it; `nil` for any.
    static func issuer(_ target: Target, _ platform: String, ports: [String]? = nil) -> [String] {
        let issuer = target.issuer
        guard issuer.lowercased().hasPrefix("https://") else { return ["\(platform) takes an https issuer alone"] }
        var objections: [String] = []
        if issuer.contains("?") || issuer.contains("#") {
            objections.append("\(platform) takes no issuer with a query or a fragment")
        }
        if let ports, let port = ProviderName.host(of: issuer).firstMatch(of: #/:(\d+)$/#)?.1,
            !ports.contains(String(port))
        {
            objections.append("\(platform) takes no issuer with the port \(port)")
        }
        return objections
    }
}

/// What several platforms must be told besides.
enum Note {
    /// That the platform comes back to another address than the one that was tried.
    static func callback(_ target: Target, _ path: String, _ example: String) -> [String] {
        guard let uri = target.redirectURI, !uri.hasSuffix(path) else { return [] }
        return [
            "The run proved the redirect URI \(uri.quoted). The platform comes back to \(example): register that one at"
                + " the provider, too."
        ]
    }

    /// That custom parameters are no part of this registration.
    static func parameters(_ target: Target) -> [String] {
        guard !target.customParameters.isEmpty else { return [] }
        let names = target.customParameters.map { $0.name.shown(limit: 60) }.joined(separator: ", ")
        return ["The custom parameters (\(names)) are no part of this registration."]
    }
}
