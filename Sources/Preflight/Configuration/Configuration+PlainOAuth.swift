package import Conformance
package import Profiles

/// Providers that their platform uses as plain OAuth: no discovery document, no ID Token, no scope `openid`.
extension Configuration {
    /// With what the platform sends where the configuration says nothing: the scopes of a provider without `openid`, and the
    /// audience of client assertions.
    func completed(by profile: Profile) -> Configuration {
        var configuration = self
        if !profile.parameters.readsDiscovery, target.scopes == Target(issuer: "").scopes {
            configuration.target.scopes = profile.parameters.scopes
        }
        if profile.parameters.states(.assertionAudience) {
            configuration.target.changeClients { $0.assertionAudience = $0.assertionAudience ?? .issuer }
        }
        return configuration
    }
}

extension PreflightRun {
    /// Whether the flows of a profile need the provider's discovery document.
    package static func readsDiscovery(
        _ profile: String,
        _ environment: Environment
    ) throws(ConfigurationError) -> Bool {
        try environment.profiles.profile(profile).parameters.readsDiscovery
    }

    /// The evidence of a run that sends nothing.
    package var emptyEvidence: Evidence {
        Evidence(
            tool: Tool.nameAndVersion,
            startedAt: 0,
            target: plan.target,
            tier: .static,
            because: "nothing was sent"
        )
    }
}

/// The template for such a provider.
struct PlainTemplate {
    let profile: Profile
    let issuer: String

    /// `nil` for a profile that reads the discovery document.
    init?(_ profile: Profile, issuer: String) {
        guard !profile.parameters.readsDiscovery else { return nil }
        self.profile = profile
        self.issuer = issuer
    }

    /// The endpoints of the profile, or those to configure because the installation is another one.
    var endpoints: [String] {
        let known = KnownAddress.all(Target(issuer: issuer), profile.parameters)
        let missing = profile.parameters.endpoints.filter { member, _ in !known.contains { $0.member == member } }
        guard !missing.isEmpty else {
            return [
                "# The profile contains the endpoints. To override one:", "# endpoints: { token_endpoint: https://… }",
                "",
            ]
        }
        let lines = missing.sorted { $0.key < $1.key }
            .map { "  # of \(profile.parameters.owner ?? profile.title): \($0.value)\n  \($0.key): https://…" }
        return ["# Endpoints of this installation, which the profile does not contain.", "endpoints:"] + lines + [""]
    }
}
