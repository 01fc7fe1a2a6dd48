import Conformance
import JOSE
import JSONTree

extension NamedProvider {
    /// LINE: code flow only, one subject per provider account, ES256 according to its discovery document.
    ///
    /// However, ID Tokens for web sign-ins are signed with HS256 and the channel secret; only native applications get
    /// ES256. Client authentication methods are not advertised.
    static let line = ordinary { provider in
        provider.offer.signingAlgorithms = [.es256]
        provider.offer.idTokenAlgorithm = .es256
        provider.offer.subjectTypes = ["pairwise"]
        provider.offer.hasRevocation = true
        provider.offer.scopes = ["openid", "profile", "email"]
        provider.providerID = "oidc.line"
        provider.habits = { hooks in
            hooks.discovery = { document, _ in document["token_endpoint_auth_methods_supported"] = nil }
            hooks.signing = .clientSecret
        }
        provider.configure = { $0.client?.idTokenSignedResponseAlg = "ES256" }
        provider.expectedWarnings = ["discovery.token-endpoint-auth-methods-supported.is-stated"]
        provider.demonstration = [
            "idtoken.nonce.is-echoed#line", "idtoken.aud.holds-client#line-other-channel",
        ]
        provider.failures = [
            "discovery.id-token-signing-alg-values-supported.include-rs256", "idtoken.alg.is-advertised",
        ]
    }
}
