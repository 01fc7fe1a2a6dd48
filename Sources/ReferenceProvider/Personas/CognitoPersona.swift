import Conformance
import JSONTree

extension NamedProvider {
    /// A user pool of Amazon Cognito as provider: the issuer has a path, and UserInfo says `email_verified` as a string.
    ///
    /// Its endpoints are on the user pool's domain and not at the issuer, which one address of this machine cannot show. So
    /// it cannot pass the specifications; a Kubernetes cluster, which looks at ID Tokens only, takes its users.
    static let cognito: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "kubernetes"
        provider.offer.issuerPath = "/eu-central-1_Reference"
        provider.offer.responseTypes = ["code"]
        provider.offer.hasRevocation = true
        provider.offer.hasEndSession = true
        provider.offer.sendsIssuer = false
        provider.offer.contextClasses = []
        provider.offer.scopes = ["openid", "email", "phone", "profile"]
        provider.providerID = "oidc.cognito"
        provider.habits = { $0.saysEmailVerifiedInWords() }
        return provider
    }()
}

extension Seams {
    /// `"true"` in the place of `true`, which Core section 5.1 asks for.
    mutating func saysEmailVerifiedInWords() {
        userInfo = { claims in
            if let value = claims["email_verified"]?.boolValue { claims["email_verified"] = .string(String(value)) }
        }
    }
}
