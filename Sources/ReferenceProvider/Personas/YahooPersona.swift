import Conformance
import JOSE
import JSONTree

/// Yahoo: ID Tokens are signed with ES256, the key set contains several key types, redirect URIs are registered by
/// domain, and CORS is not allowed.
extension NamedProvider {
    static let yahoo: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "firebase-yahoo"
        provider.providerID = "yahoo.com"
        provider.offer = yahooOffer
        provider.scopes = ["openid", "profile", "email", "mail-r", "sdct-w"]
        provider.habits = { hooks in
            hooks.acceptsRedirectURI = { asked, registered in
                registered.contains { isOfSameDomain(asked, $0) }
            }
            // The application is registered for reading and writing contacts.
            hooks.authorizationError = { request, error in
                let scopes = (request["scope"] ?? "").split(separator: " ")
                return error ?? (scopes.contains("sdct-r") ? OAuthError("invalid_scope", "sdct-r") : nil)
            }
            hooks.answer = { _, answer in answer.setHeader("Access-Control-Allow-Origin", nil) }
        }
        provider.configure = { target in
            target.client?.idTokenSignedResponseAlg = "ES256"
            target.customParameters = [Field("prompt", "login"), Field("language", "fr")]
            target.endpoints = ["user_api_endpoint": target.issuer + "/v1/user/{sub}/profile?format=json"]
        }
        provider.demonstration = [
            "platform.yahoo.keys.are-told-apart", "authorization.redirect-uri.sub-domain-is-refused#yahoo",
            "platform.yahoo.scopes.hold-one-for-contacts",
        ]
        return provider
    }()

    private static let yahooOffer: Offer = {
        var offer = Offer()
        offer.responseTypes = [
            "code", "id_token", "code id_token", "id_token token", "code token", "code id_token token",
        ]
        offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        offer.scopes = ["openid", "profile", "email", "mail-r", "sdct-r", "sdct-w"]
        offer.signingAlgorithms = [.es256, .rs256]
        offer.idTokenAlgorithm = .es256
        offer.hasRevocation = true
        offer.userAPI = UserAPIOffer(
            path: "/v1/user/{sub}/profile",
            user: { account, _ in
                ["profile": ["guid": .string(account.subject), "nickname": account.claims["given_name"] ?? .null]]
            }
        )
        offer.sendsIssuer = false
        return offer
    }()

    /// Both https URIs have the same host and port, and no part that could redirect elsewhere.
    private static func isOfSameDomain(_ asked: String, _ registered: String) -> Bool {
        func origin(_ uri: String) -> Substring? {
            guard uri.hasPrefix("https://"), !uri.contains("#") else { return nil }
            let authority = uri.dropFirst("https://".count).prefix { !"/?".contains($0) }
            return authority.contains("@") ? nil : authority
        }
        return origin(asked) != nil && origin(asked) == origin(registered)
    }
}
