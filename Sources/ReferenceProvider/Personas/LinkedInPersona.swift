import Conformance
import JSONTree

extension NamedProvider {
    /// LinkedIn: code flow only; only client_secret_post, which is not advertised; no nonce in the ID Token;
    /// `email_verified` as a string; no PKCE, so that a `code_verifier` returns invalid_client.
    static let linkedIn = ordinary { provider in
        provider.offer.issuerPath = "/oauth"
        provider.offer.grantTypes = ["authorization_code"]
        provider.offer.scopes = ["openid", "profile", "email"]
        provider.offer.hasFormPost = false
        provider.authentication = .clientSecretPost
        provider.providerID = "oidc.linkedin"
        provider.habits = { hooks in
            hooks.discovery = { document, _ in
                document["token_endpoint_auth_methods_supported"] = nil
                document["code_challenge_methods_supported"] = nil
            }
            hooks.acceptsSecret = { given, registered, method in given == registered && method == .clientSecretPost }
            hooks.tokenError = { $0["code_verifier"] == nil ? $1 : OAuthError("invalid_client") }
            hooks.idTokenClaims = { claims, _ in claims["nonce"] = nil }
            hooks.returnsEmailVerifiedAsText()
        }
        provider.configure = { $0.client?.sendsPKCE = false }
        provider.expectedWarnings = [
            "discovery.token-endpoint-auth-methods-supported.is-stated",
            "discovery.code-challenge-methods-supported.is-present",
            "token.client-authentication.other-methods-are-accepted",
        ]
        provider.demonstration = [
            "discovery.issuer.matches-request#linkedin-before-2024", "userinfo.sub.matches-id-token#linkedin-member",
        ]
        provider.failures = ["idtoken.nonce.is-echoed", "userinfo.email-verified.is-a-boolean"]
    }
}
