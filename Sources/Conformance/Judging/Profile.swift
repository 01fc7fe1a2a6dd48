/// The rules of one relying platform: which checks count, at which level, with which values.
///
/// This is the composed value; the Profiles room reads it from YAML and resolves `extends`.
package struct Profile: Sendable, Hashable, Codable {
    package var name: String
    package var title: String
    /// The profile and those that it extends, nearest first.
    package var lineage: [String]
    /// The checks that belong to the profile.
    package var include: [CheckPattern]
    /// In order; the last that matches wins.
    package var adjustments: [Adjustment]
    package var parameters: ProfileParameters

    package init(
        name: String,
        title: String,
        lineage: [String] = [],
        include: [CheckPattern] = [],
        adjustments: [Adjustment] = [],
        parameters: ProfileParameters = ProfileParameters()
    ) {
        self.name = name
        self.title = title
        self.lineage = lineage
        self.include = include
        self.adjustments = adjustments
        self.parameters = parameters
    }

    /// A change to a check, and why the platform wants it; the reason reaches the report.
    package struct Adjustment: Sendable, Hashable, Codable {
        package var checks: CheckPattern
        /// `nil` with `drop` false changes nothing.
        package var level: Level?
        package var drop: Bool
        package var because: String

        package init(checks: CheckPattern, level: Level? = nil, drop: Bool = false, because: String) {
            self.checks = checks
            self.level = level
            self.drop = drop
            self.because = because
        }
    }

    /// Whether a check belongs to the profile: by a pattern, or because it judges a rule that the profile states.
    package func holds(_ id: CheckID) -> Bool {
        include.contains { $0.matches(id) } || parameters.rules.keys.contains { $0.check == id }
    }

    package func includes(_ id: CheckID) -> Bool {
        holds(id) && adjustment(for: id)?.drop != true
    }

    /// The last adjustment that matches.
    package func adjustment(for id: CheckID) -> Adjustment? {
        adjustments.last { $0.checks.matches(id) }
    }
}

/// The values that platform checks compare with.
package struct ProfileParameters: Sendable, Hashable, Codable {
    /// Parameters that the platform sets itself: a custom parameter of that name is lost.
    package var reservedParameters: [String] = []
    /// Custom parameters that the platform uses itself and does not pass on.
    package var consumedParameters: [String] = []
    /// The platform's grammar for a provider's name, a regular expression over the whole name; empty when there is none.
    package var providerIDPattern = ""
    /// The redirect URI's required scheme and path: `https`, `/__/auth/handler`; empty when any will do.
    package var redirectURIPath = ""
    /// The response types that the platform can use.
    package var responseTypes: [String] = []
    /// Signature algorithms that the platform is known to accept.
    package var idTokenAlgorithms: [String] = []
    /// Scopes that the platform asks for when the provider lists scopes.
    package var scopes: [String] = []
    /// Claims that the platform maps.
    package var claims: [String] = []
    /// Whether the platform sends a PKCE challenge in the code flow.
    package var sendsPKCE = true
    /// Whether PKCE is left out of every request that does not ask about it, because the provider may refuse it.
    package var avoidsPKCE = false
    /// Claims besides `sub` that the platform identifies a user by: `oid`, `tid`.
    package var subjectClaims: [String] = []
    /// Whether the provider publishes a discovery document that the platform reads.
    package var readsDiscovery = true
    /// Addresses that the platform knows by itself, by the name of their metadata member.
    ///
    /// They stand beside the provider's metadata, or in its place; the configuration's own win. `{issuer}` stands for
    /// the issuer.
    package var endpoints: [String: String] = [:]
    /// The issuer of the one provider that ``endpoints`` belong to, as far as these are not made from the issuer; with a
    /// terminating slash, what the issuers of all its tenants begin with.
    package var issuer = ""
    /// Why a parameter is not what the extended profile says, by its name in the file.
    package var reasons: [String: String] = [:]
    /// The rules that the profile states.
    package var rules: [PlatformRule.Name: PlatformRule] = [:]

    package init() {}

    /// Whether a custom parameter of the application reaches the provider.
    package func passesOn(_ name: String) -> Bool {
        !reservedParameters.contains(name) && !consumedParameters.contains(name)
    }
}
