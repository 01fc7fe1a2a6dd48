import Conformance

/// Documentation and observed behaviour of Identity Platform and Firebase Authentication.
extension Specification {
    /// The REST reference of Identity Platform: `oauthIdpConfigs`, `createAuthUri`, `signInWithIdp`.
    ///
    /// Methods are in version 1 of the reference, configuration types in version 2.
    static let identityPlatformREST = Specification("Identity Platform REST reference") { section in
        let page =
            switch section {
            case "OAuthResponseType": "v2/OAuthResponseType"
            case _ where section.hasPrefix("accounts."): "v1/accounts/" + section.dropFirst("accounts.".count)
            default: "v2/projects.oauthIdpConfigs"
            }
        return "https://cloud.google.com/identity-platform/docs/reference/rest/" + page
    }
    /// Behaviour recorded against the platform in production, by a named third party.
    static let identityPlatformObserved = Specification(
        "Identity Platform, observed in production",
        at: "https://github.com/t-k/fireemu/blob/10680dff2e16a0404399358e68fee9b775bc944d/conformance/"
            + "auth-federation-production.json",
        isQuoted: false
    )
    /// A public report of the platform's response in production to a provider without a UserInfo endpoint.
    static let userInfoReport = Specification(
        "https://github.com/openwallet-foundation/acapy-vc-authn-oidc/issues/940",
        at: "https://github.com/openwallet-foundation/acapy-vc-authn-oidc/issues/940"
    )
    static let firebaseOIDC = Specification(
        "https://firebase.google.com/docs/auth/web/openid-connect",
        at: "https://firebase.google.com/docs/auth/web/openid-connect"
    )
    static let firebaseGitHub = Specification(
        "https://firebase.google.com/docs/auth/web/github-auth",
        at: "https://firebase.google.com/docs/auth/web/github-auth"
    )
    static let firebaseTwitter = Specification(
        "https://firebase.google.com/docs/auth/ios/twitter-login",
        at: "https://firebase.google.com/docs/auth/ios/twitter-login"
    )
    static let firebaseMicrosoft = Specification(
        "https://firebase.google.com/docs/auth/web/microsoft-oauth",
        at: "https://firebase.google.com/docs/auth/web/microsoft-oauth"
    )
    static let firebaseYahoo = Specification(
        "https://firebase.google.com/docs/auth/web/yahoo-oauth",
        at: "https://firebase.google.com/docs/auth/web/yahoo-oauth"
    )
}
