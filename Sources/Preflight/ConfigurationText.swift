internal import Conformance
internal import Flows

extension JointRun {
    /// A summary of a configuration, line by line; secrets by their source.
    ///
    /// - Parameter readsSecrets: Whether the secrets were read.
    package func configurationText(readsSecrets: Bool) -> String {
        let first = runs[0]
        let (configuration, target) = (first.configuration, first.configuration.target)
        let tier = configuration.highestTier
        let client = target.client.map { "\($0.id.shown(limit: 200)), \($0.authentication.rawValue)" }
        let others = target.clients.map { "\($0.client.id.shown(limit: 200)) for \($0.responseType.text)" }
        let further = Tier.allCases.first { $0 > tier }
            .map { ": \($0.rawValue) needs \(configuration.missing(for: $0).joined(separator: ", "))" }
        let rows: [(String, String?)] = [
            ("target", configuration.name),
            ("issuer", target.issuer.shown(limit: 300)),
            ("profile", runs.map(\.profileName).joined(separator: ", ").shown(limit: 300)),
            ("tier", tier.rawValue + (further ?? "")),
            ("client", client),
            ("clients", others.isEmpty ? nil : others.joined(separator: ", ")),
            ("other client", target.otherClient?.id.shown(limit: 200)),
            ("redirect URI", target.redirectURI?.shown(limit: 300)),
            ("flows", target.flows.isEmpty ? nil : target.flows.map(\.text).joined(separator: ", ")),
            ("scopes", target.client == nil ? nil : target.scopes.joined(separator: " ").shown(limit: 300)),
            ("signs in", configuration.username?.shown(limit: 200)),
            ("", configuration.secrets.other.map { "\($0.username.shown(limit: 200)), as a second user" }),
            ("registers", target.dynamicRegistration?.isEnabled == true ? "temporary clients, and deletes them" : nil),
            ("waivers", configuration.waivers.isEmpty ? nil : counted(configuration.waivers.count, "check")),
        ]
        let secrets = configuration.secretSources.map { source in
            let place =
                switch source.kind {
                case .variable(let name) where VariableName.mayBeShown(name, isSet: readsSecrets):
                    "the variable \(name.shown(limit: 100))\(readsSecrets ? ", which is set" : "")"
                case .variable: "a variable"
                case .file(let path): "the file \(path.shown(limit: 200))\(readsSecrets ? ", which can be read" : "")"
                }
            return (source.key, "from \(place)")
        }
        let reported = rows.compactMap { name, value in value.map { (name, $0) } } + secrets
        let width = (reported.map(\.0.count).max() ?? 0) + 2
        return reported.map { name, value in name + String(repeating: " ", count: width - name.count) + value + "\n" }
            .joined()
    }
}
