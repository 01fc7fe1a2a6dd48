internal import Conformance
package import Profiles
internal import Transport

/// Secrets go only to the issuers and hosts of `--allow-issuer`, whatever the configuration names.
extension ConfigurationReader {
    /// Throws if the configuration names another issuer or host, before anything else of it is read.
    ///
    /// - Parameter stated: The issuer from the command line, which overrides the file's.
    func demandAllowedIssuers(_ root: StrictYAML.Mapping, stated: String?) throws(ConfigurationError) {
        guard let allowed = AllowedIssuers(allowedIssuers) else { return }
        var problems: [Problem] = []
        // The value may contain the value of a variable, so the message does not repeat it.
        func refuse(_ value: StrictYAML.Value, _ message: String) {
            let place = value.place
            problems.append(
                Problem(file: value.reader.file, line: place.line, column: place.column, message: message)
            )
        }
        func demand(_ value: StrictYAML.Value?, is isAllowed: (String) -> Bool) {
            guard let value, let text = value.string(), !isAllowed(text) else { return }
            refuse(value, Configuration.notAllowed(value.path, allowed))
        }
        if stated == nil, needsIssuer { demand(root.optional(Keys.issuer), is: allowed.names) }
        if let endpoints = root.optional(Keys.endpoints), endpoints.isMapping, let mapping = endpoints.mapping() {
            for key in Keys.Endpoints.all { demand(mapping[key]) { WebURL($0).map(allowed.allows) ?? true } }
        }
        if let signIn = root.optional(Keys.signIn), signIn.isMapping, let hosts = signIn.mapping()?[Keys.SignIn.hosts],
            hosts.isList
        {
            for host in hosts.list() ?? [] { demand(host) { WebURL("https://\($0)").map(allowed.allows) ?? true } }
        }
        if let network = root.optional(Keys.network), network.isMapping, let mapping = network.mapping() {
            if let hosts = mapping[Keys.Network.allowedHosts], hosts.isList {
                for host in hosts.list() ?? [] { demand(host, is: allowed.allows(host:)) }
            }
            for (key, option) in [(Keys.Network.resolve, "--resolve"), (Keys.Network.connectTo, "--connect-to")] {
                guard let value = mapping[key] else { continue }
                refuse(value, "with --allow-issuer, “\(value.path)” may not lead to another server: use \(option)")
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems) }
    }
}

extension Configuration {
    static func notAllowed(_ key: String, _ allowed: AllowedIssuers) -> String {
        "--allow-issuer does not allow the value of “\(key)”; allowed: \(allowed)"
    }

    /// Why a text names no issuers for `--allow-issuer`; `nil` if it does.
    package static func problem(ofAllowedIssuer pattern: String) -> String? {
        if IssuerPattern(pattern) != nil { return nil }
        return
            "\(pattern.quoted) must be an issuer URL such as https://idp.example.com, a host with an optional port, or "
            + "*.example.com for the hosts below a domain"
    }

    /// Throws if an issuer that no configuration names is not allowed.
    ///
    /// - Parameters:
    ///   - file: Where the issuer was named: an option or a list.
    ///   - patterns: Those of `--allow-issuer`; empty if every issuer is allowed.
    package static func demand(
        issuer: String,
        file: String,
        line: Int? = nil,
        isAmong patterns: [String]
    ) throws(ConfigurationError) {
        guard let allowed = AllowedIssuers(patterns), !allowed.names(issuer: issuer) else { return }
        throw ConfigurationError([Problem(file: file, line: line, message: notAllowed("issuer", allowed))])
    }

    /// Lets only the issuers and hosts of `--allow-issuer` receive secrets; without patterns, any.
    package mutating func allow(issuers patterns: [String]) {
        network.allowedIssuers = AllowedIssuers(patterns)
    }
}
