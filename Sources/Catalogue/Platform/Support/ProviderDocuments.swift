import Conformance

/// Documentation of GitHub, Microsoft and X.
extension Specification {
    static let gitHubOAuth = Specification(
        "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
        at: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps"
    )
    static let gitHubOAuthErrors = Specification(
        "GitHub: Troubleshooting OAuth app access token request errors",
        at:
            "https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors"
    )
    static let gitHubDiscovery = Specification(
        "https://docs.github.com/en/apps/github-authentication-discovery-endpoints",
        at: "https://docs.github.com/en/apps/github-authentication-discovery-endpoints"
    )
    static let microsoftClaims = Specification(
        "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference",
        at: "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference"
    )
    static let microsoftProtocol = Specification(
        "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc",
        at: "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc"
    )
    static let microsoftIssuers = Specification(
        "Microsoft identity platform: Access tokens, Validate the issuer",
        at: "https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer"
    )
    static let xAccessToken = Specification(
        "https://developer.x.com/en/docs/authentication/api-reference/access_token",
        at: "https://developer.x.com/en/docs/authentication/api-reference/access_token"
    )
}
