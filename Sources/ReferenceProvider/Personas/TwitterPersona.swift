import Conformance
import JSONTree

/// X: OAuth 1.0a, with which relying platforms sign users in, and OAuth 2.0 with PKCE for an application's own server.
///
/// There is no discovery document and no ID Token (docs.x.com: OAuth 1.0a, OAuth 2.0 Authorization Code Flow with PKCE).
extension NamedProvider {
    static let twitter: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "firebase-twitter"
        provider.providerID = "twitter.com"
        provider.offer = twitterOffer
        provider.flows = []
        provider.scopes = []
        provider.demonstration = [
            "platform.twitter.request-token.foreign-callback-is-refused",
            "platform.twitter.access-token.names-the-user", "platform.twitter.user.needs-the-token-secret",
        ]
        return provider
    }()

    private static let twitterOffer: Offer = {
        var offer = Offer()
        offer.hasOAuth1 = true
        offer.publishesDocuments = false
        offer.paths = [.authorization: "/i/oauth2/authorize", .token: "/2/oauth2/token"]
        offer.authenticationMethods = [.clientSecretBasic]
        offer.requiresPKCE = true
        offer.takesPlainChallenges = true
        offer.scopes = ["tweet.read", "users.read", "offline.access"]
        offer.hasUserInfo = false
        offer.hasFormPost = false
        offer.sendsIssuer = false
        offer.contextClasses = []
        offer.userAPI = UserAPIOffer(path: "/2/users/me", user: { account, _ in user(account) })
        return offer
    }()

    private static func user(_ account: Account) -> JSONObject {
        [
            "data": [
                "id": .string(account.subject), "username": .string(account.username),
                "name": account.claims["name"] ?? .null,
            ]
        ]
    }
}
