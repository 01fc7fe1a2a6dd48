import Conformance

/// X, which signs people in by OAuth 1.0a: no discovery document, no scopes, no ID Token.
extension NamedProvider {
    static let twitter: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "firebase-twitter"
        provider.providerID = "twitter.com"
        provider.offer.hasOAuth1 = true
        provider.offer.speaksOAuth1Alone = true
        provider.flows = []
        provider.scopes = []
        provider.demonstration = [
            "platform.twitter.request-token.bad-signature-is-refused",
            "platform.twitter.authorization.returns-a-verifier",
        ]
        return provider
    }()
}
