import Conformance
import JSONTree

/// GitHub as an OAuth 2.0 provider: no ID Token, form-encoded token responses, errors with status 200.
///
/// See its documentation (Authorizing OAuth apps; Troubleshooting OAuth app access token request errors).
extension NamedProvider {
    static let gitHub: NamedProvider = {
        var provider = NamedProvider()
        provider.profile = "firebase-github"
        provider.providerID = "github.com"
        provider.offer = gitHubOffer
        provider.authentication = .clientSecretPost
        provider.scopes = ["read:user", "user:email"]
        provider.demonstration = [
            "platform.github.redirect-uri.mismatch-brings-no-code", "platform.github.scope.is-granted",
            "platform.user-api.subject-is-stable",
        ]
        provider.habits = { hooks in
            // A path below the registered one is accepted, and nothing else.
            hooks.acceptsRedirectURI = { asked, registered in
                registered.contains { asked == $0 || asked.hasPrefix($0 + "/") }
            }
        }
        provider.configure = { target in
            let origin = target.issuer.dropLast(gitHubOffer.issuerPath.count)
            target.endpoints = [
                "user_api_endpoint": "\(origin)/user", "user_emails_endpoint": "\(origin)/user/emails",
            ]
        }
        return provider
    }()

    private static let gitHubOffer: Offer = {
        var offer = Offer()
        offer.issuerPath = "/login/oauth"
        offer.paths = [.token: "/access_token"]
        offer.grantTypes = ["authorization_code"]
        // The last is for a registration without a secret, which the platform cannot use.
        offer.authenticationMethods = [.clientSecretPost, .clientSecretBasic, .none]
        offer.scopes = ["user", "read:user", "user:email", "repo"]
        offer.hasUserInfo = false
        offer.hasFormPost = false
        offer.contextClasses = []
        // There is a discovery document although there is no ID Token.
        offer.statedMembers = [
            "issuer", "authorization_endpoint", "token_endpoint", "response_types_supported", "grant_types_supported",
            "scopes_supported", "code_challenge_methods_supported",
            "authorization_response_iss_parameter_supported",
        ]
        offer.reportsMismatchAtClient = true
        offer.tokenDialect = dialect
        offer.userAPI = UserAPIOffer(
            path: "/user",
            emailsPath: "/user/emails",
            needsAgent: true,
            user: { account, _ in user(account) },
            emails: { account in [emailAddress(account)] },
            emailScopes: ["user", "user:email"]
        )
        return offer
    }()

    private static let dialect: TokenDialect = {
        var dialect = TokenDialect()
        dialect.answersForms = true
        dialect.scopeSeparator = ","
        dialect.tokenType = "bearer"
        dialect.statesLifetime = false
        dialect.errorStatus = 200
        dialect.errorName = { error in
            switch error.code {
            case "invalid_client": "incorrect_client_credentials"
            case "invalid_grant" where error.rejection == .otherRedirectURI: "redirect_uri_mismatch"
            case "invalid_grant": "bad_verification_code"
            default: error.code
            }
        }
        return dialect
    }()

    /// A user with a private email address, which only the list of addresses contains.
    private static func user(_ account: Account) -> JSONObject {
        [
            "login": .string(account.username),
            "id": Int64(account.subject).map { .integer($0) } ?? .string(account.subject),
            "type": "User",
            "name": account.claims["name"] ?? .null,
            "email": .null,
        ]
    }

    private static func emailAddress(_ account: Account) -> JSON {
        [
            "email": account.claims["email"] ?? .null,
            "primary": true,
            "verified": account.claims["email_verified"] ?? false,
            "visibility": "private",
        ]
    }
}
