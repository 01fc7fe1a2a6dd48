import Conformance
import JSONTree

extension NamedProvider {
    /// Auth0: the issuer has a trailing slash; grant types and logout are not advertised.
    static let auth0: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "firebase-oidc"
        provider.offer.issuerPath = "/"
        provider.offer.responseTypes = ["code", "id_token", "id_token token", "code id_token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.hasRevocation = true
        provider.offer.sendsIssuer = false
        provider.flows = ["code", "id_token"]
        provider.providerID = "oidc.auth0"
        provider.demonstration = ["idtoken.iss.matches-issuer#auth0-without-slash"]
        provider.habits = { hooks in
            hooks.discovery = { document, _ in document["grant_types_supported"] = nil }
        }
        provider.expectedWarnings = [
            "discovery.issuer.has-no-terminating-slash", "discovery.grant-types-supported.is-stated",
            "token.refresh.grant-is-listed",
        ]
        return provider
    }()
}
