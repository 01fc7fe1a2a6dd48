import Conformance
import JSONTree

extension NamedProvider {
    /// LinkedIn: codes only, the secret in the body only though the document does not say so, no nonce in the ID Token,
    /// `email_verified` as a string, and no PKCE: a `code_verifier` makes the client an invalid one.
    static let linkedIn: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.issuerPath = "/oauth"
        provider.offer.grantTypes = ["authorization_code"]
        provider.offer.scopes = ["openid", "profile", "email"]
        provider.offer.sendsIssuer = false
        provider.offer.contextClasses = []
        provider.offer.hasFormPost = false
        provider.authentication = .clientSecretPost
        provider.providerID = "oidc.linkedin"
        provider.habits = { seams in
            seams.discovery = { document, _ in
                document["token_endpoint_auth_methods_supported"] = nil
                document["code_challenge_methods_supported"] = nil
            }
            seams.acceptsSecret = { given, registered, method in given == registered && method == .clientSecretPost }
            seams.tokenError = { $0["code_verifier"] == nil ? $1 : OAuthError("invalid_client") }
            seams.idTokenClaims = { claims, _ in claims["nonce"] = nil }
            seams.saysEmailVerifiedInWords()
        }
        provider.configure = { $0.client?.sendsPKCE = false }
        provider.remarks = [
            "discovery.token-endpoint-auth-methods-supported.is-stated",
            "discovery.code-challenge-methods-supported.is-present",
            "token.client-authentication.other-methods-are-accepted",
        ]
        provider.demonstration = [
            "discovery.issuer.matches-request#linkedin-before-2024", "userinfo.sub.matches-id-token#linkedin-member",
        ]
        provider.failures = ["idtoken.nonce.is-echoed", "userinfo.email-verified.is-a-boolean"]
        return provider
    }()
}
