import Conformance
import JOSE
import JSONTree
import Synchronization

extension NamedProvider {
    /// Apple: code flow, form_post, one subject per team, no UserInfo endpoint.
    ///
    /// The scopes name and email require form_post, and the name is returned only the first time, in its own form
    /// field. `client_secret` is a JWT that the client signs with ES256.
    static let apple = ordinary { provider in
        provider.offer.responseTypes = ["code", "code id_token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.scopes = ["openid", "email", "name"]
        provider.offer.subjectTypes = ["pairwise"]
        provider.offer.hasUserInfo = false
        provider.offer.hasRevocation = true
        provider.authentication = .clientSecretPost
        provider.clientSecret = { AppleSecret.made(at: Clock.now()) }
        // Other scopes require form_post; the flows of a run use redirects.
        provider.scopes = ["openid"]
        provider.providerID = "oidc.apple"
        provider.demonstration = ["idtoken.email-verified.is-a-boolean#apple-words"]
        provider.expectedWarnings = ["discovery.userinfo-endpoint.is-present"]
        provider.habits = { hooks in
            hooks.acceptsSecret = { given, _, _ in AppleSecret.isGood(given, at: Clock.now()) }
            let names = AppleNames()
            hooks.authorizationError = { request, error in
                let scopes = (request["scope"] ?? "").split(separator: " ")
                guard error == nil, scopes.contains("name") || scopes.contains("email") else { return error }
                if request["response_mode"] != "form_post" {
                    return OAuthError(
                        "invalid_request",
                        "response_mode must be form_post when name or email scope is requested."
                    )
                }
                if scopes.contains("name"), let state = request["state"] { names.isAsked(in: state) }
                return nil
            }
            hooks.authorizationResponse = { response in
                guard response.mode == .formPost, !response.isError, names.isDue(in: response["state"]) else { return }
                response.parameters.append(
                    Field("user", #"{"name":{"firstName":"Alice","lastName":"Example"},"email":"alice@example.com"}"#)
                )
            }
        }
    }
}

/// The client secret as a JWT that the client signs with its own key.
private enum AppleSecret {
    private static let audience = "https://appleid.apple.com"
    /// It is valid for half a year at most.
    private static let lifetime = 15_777_000.0

    /// - Parameter now: Seconds since 1970.
    static func made(at now: Double) -> Secret? {
        guard let key = RegisteredClient.keyPair else { return nil }
        let claims: JSONObject = [
            "iss": "TEAM123456", "iat": .integer(Int64(now)), "exp": .integer(Int64(now + lifetime) - 60),
            "aud": .string(audience), "sub": .string(RegisteredClient.confidential.id),
        ]
        let text = try? JWS.sign(Array(claims.serialized().utf8), with: key, algorithm: .es256)
        return text.map { Secret($0) }
    }

    static func isGood(_ text: String, at now: Double) -> Bool {
        guard let key = RegisteredClient.keyPair?.publicKey, let token = try? JWS.parse(compact: text),
            (try? token.verify(with: key, algorithm: .es256)) != nil,
            let claims = try? JSONDocument.parse(token.payload).root,
            let end = claims["exp"]?.numberValue
        else { return false }
        return claims["aud"]?.stringValue == audience && end > now && end <= now + lifetime
            && claims["sub"]?.stringValue == RegisteredClient.confidential.id
    }
}

/// The authorizations that requested the user's name, which is returned only once.
private final class AppleNames: Sendable {
    private struct Known {
        var states: Set<String> = []
        var isReported = false
    }

    private let known = Mutex(Known())

    func isAsked(in state: String) {
        known.withLock { _ = $0.states.insert(state) }
    }

    func isDue(in state: String?) -> Bool {
        known.withLock { known in
            guard let state, known.states.contains(state), !known.isReported else { return false }
            known.isReported = true
            return true
        }
    }
}
