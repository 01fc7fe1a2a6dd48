import Conformance
import JSONTree

extension NamedProvider {
    /// An Amazon Cognito user pool: the issuer has a path, and UserInfo returns `email_verified` as a string.
    ///
    /// Its endpoints are on the user pool's domain; only discovery document and key set are at the issuer. The string
    /// violates the specifications; a Kubernetes cluster, which reads only ID Tokens, accepts its users.
    static let cognito = ordinary { provider in
        provider.profile = "kubernetes"
        provider.offer.issuerPath = "/eu-central-1_Reference"
        provider.offer.responseTypes = ["code"]
        provider.offer.hasRevocation = true
        provider.offer.hasEndSession = true
        provider.offer.scopes = ["openid", "email", "phone", "profile"]
        provider.offer.paths = [
            .authorization: "/oauth2/authorize", .token: "/oauth2/token", .revocation: "/oauth2/revoke",
            .userInfo: "/oauth2/userInfo", .endSession: "/logout", .keys: "/.well-known/jwks.json",
        ]
        let domain = "reference.auth.eu-central-1.amazoncognito.com"
        for route in [Provider.Route.authorization, .token, .revocation, .userInfo, .endSession] {
            provider.offer.endpointHosts[route] = domain
        }
        provider.expectedWarnings = ["discovery.endpoints.are-on-the-issuers-host"]
        provider.demonstration = [
            "idtoken.iss.matches-issuer#cognito-other-pool", "idtoken.email-verified.is-a-boolean#cognito-words",
        ]
        provider.providerID = "oidc.cognito"
        provider.habits = { $0.returnsEmailVerifiedAsText() }
    }
}

extension Hooks {
    /// Returns `"true"` instead of `true`, which Core section 5.1 requires.
    mutating func returnsEmailVerifiedAsText() {
        userInfo = { claims in
            if let value = claims["email_verified"]?.boolValue { claims["email_verified"] = .string(String(value)) }
        }
    }
}
