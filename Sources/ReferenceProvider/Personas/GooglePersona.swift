import Conformance

extension NamedProvider {
    /// Google: code and ID Tokens, RS256, one subject for all clients, no logout.
    ///
    /// Its endpoints are on other hosts than its issuer, which one address of this machine cannot show.
    static let google: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "google-identity-platform"
        provider.offer.responseTypes = ["code", "id_token", "code id_token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.hasRevocation = true
        provider.offer.sendsIssuer = false
        provider.offer.contextClasses = []
        provider.offer.scopes = ["openid", "email", "profile"]
        provider.flows = ["code", "id_token"]
        provider.providerID = "oidc.google"
        provider.demonstration = ["idtoken.iss.matches-issuer#google-without-scheme"]
        return provider
    }()
}
