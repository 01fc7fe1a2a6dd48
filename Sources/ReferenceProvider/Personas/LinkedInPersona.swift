import Conformance
import JSONTree

extension NamedProvider {
    /// LinkedIn: codes only, the secret in the body only though the document does not say so, no nonce in the ID Token, and
    /// `email_verified` as a string.
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
            seams.discovery = { document, _ in document["token_endpoint_auth_methods_supported"] = nil }
            seams.acceptsSecret = { given, registered, method in given == registered && method == .clientSecretPost }
            seams.idTokenClaims = { claims, _ in claims["nonce"] = nil }
            seams.saysEmailVerifiedInWords()
        }
        provider.remarks = [
            "discovery.token-endpoint-auth-methods-supported.is-stated",
            "token.client-authentication.other-methods-are-accepted",
        ]
        provider.failures = ["idtoken.nonce.is-echoed", "userinfo.email-verified.is-a-boolean"]
        return provider
    }()
}
