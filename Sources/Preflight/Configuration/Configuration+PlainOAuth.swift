internal import Conformance

/// Providers that are no OpenID Providers to their platform: no discovery document, no ID Token, no scope `openid`.
extension Configuration {
    /// With the scopes that the platform asks for, where the configuration names none and the provider has no `openid`.
    func withScopes(of profile: Profile) -> Configuration {
        guard !profile.parameters.readsDiscovery, target.scopes == Target(issuer: "").scopes else { return self }
        var configuration = self
        configuration.target.scopes = profile.parameters.scopes
        return configuration
    }
}
