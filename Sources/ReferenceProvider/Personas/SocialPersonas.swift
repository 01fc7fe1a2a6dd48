import Conformance
import JSONTree

/// Social providers that answer in their own formats.
extension NamedProvider {
    /// Twitch: only `client_secret_post`, `scope` as a JSON array, and errors with `status` and `message`.
    ///
    /// See dev.twitch.tv/docs/authentication/getting-tokens-oidc.
    static let twitch: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.issuerPath = "/oauth2"
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.scopes = ["openid"]
        provider.offer.contextClasses = []
        provider.offer.hasClaimsParameter = true
        provider.offer.sendsIssuer = false
        provider.authentication = .clientSecretPost
        provider.scopes = ["openid"]
        provider.habits = { hooks in
            hooks.tokenResponse = { body in
                if let scope = body["scope"]?.stringValue {
                    body["scope"] = .array(scope.split(separator: " ").map { .string(String($0)) })
                }
            }
            hooks.tokenErrorResponse = { body in
                body = ["status": 400, "message": body["error_description"] ?? body["error"] ?? .null]
            }
        }
        provider.failures = ["token.scope.is-legal", "token.error.has-error-member"]
        return provider
    }()

    /// Slack: `ok` in every response, and errors with status 200.
    ///
    /// See docs.slack.dev/authentication/sign-in-with-slack and api.slack.com/methods/openid.connect.userInfo.
    static let slack: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.grantTypes = ["authorization_code"]
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.scopes = ["openid", "profile", "email"]
        provider.offer.contextClasses = []
        provider.offer.sendsIssuer = false
        provider.offer.hasFormPost = true
        provider.authentication = .clientSecretPost
        provider.habits = { hooks in
            hooks.tokenResponse = { $0["ok"] = true }
            hooks.userInfo = { $0["ok"] = true }
            hooks.answer = { endpoint, answer in
                guard endpoint == .token || endpoint == .userInfo, answer.status >= 400, answer.status != 405 else {
                    return
                }
                let error = (try? JSONDocument.parse(answer.body).root["error"]?.stringValue) ?? "not_authed"
                answer.status = 200
                answer.setHeader("WWW-Authenticate", nil)
                answer.setHeader("Content-Type", "application/json")
                answer.text = JSON.object(["ok": false, "error": .string(error)]).serialized()
            }
        }
        provider.remarks = ["userinfo.no-token.has-401"]
        provider.failures = ["token.error.status-is-400-or-401", "userinfo.no-token.has-bearer-challenge"]
        return provider
    }()
}
