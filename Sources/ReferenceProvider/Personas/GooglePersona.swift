import Conformance

extension NamedProvider {
    /// Google: code and ID Tokens, RS256, public subjects, no logout.
    ///
    /// Its endpoints are on other hosts than its issuer, except the authorization endpoint.
    static let google = ordinary { provider in
        provider.profile = "google-identity-platform"
        provider.offer.responseTypes = ["code", "id_token", "code id_token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.hasRevocation = true
        provider.offer.scopes = ["openid", "email", "profile"]
        provider.offer.paths = [
            .authorization: "/o/oauth2/v2/auth", .token: "/token", .revocation: "/revoke", .userInfo: "/v1/userinfo",
            .keys: "/oauth2/v3/certs",
        ]
        provider.offer.endpointHosts = [
            .token: "oauth2.googleapis.com", .revocation: "oauth2.googleapis.com",
            .userInfo: "openidconnect.googleapis.com", .keys: "www.googleapis.com",
        ]
        provider.expectedWarnings = ["discovery.endpoints.are-on-the-issuers-host"]
        provider.flows = ["code", "id_token"]
        provider.providerID = "oidc.google"
        provider.demonstration = ["idtoken.iss.matches-issuer#google-without-scheme"]
    }
}
