import Foundation
import Synchronization

/// A small OpenID Provider: the authorization code flow for one client and one account, in memory.
package final class OwnServer: Sendable {
    /// Faults that a careless change of the server may introduce.
    package enum Fault: String, Sendable, CaseIterable {
        /// The `aud` of ID Tokens is not the client.
        case wrongAudience
        /// A code can be redeemed more than once.
        case codesAreKept
        /// The user is redirected to any redirect URI that a request names.
        case anyRedirectURI
    }

    package struct Client: Sendable {
        package let id: String
        package let secret: String
        package let redirectURI: String
    }

    package let issuer: String
    package let client = Client(
        id: "web",
        secret: "a-secret-of-the-example",
        redirectURI: "https://example-app.firebaseapp.com/__/auth/handler"
    )
    package let account = (name: "alice", password: "a-password-of-the-example")
    let fault: Fault?
    let key: SigningKey
    let state = Mutex(State())

    struct State {
        var sessions: [String: Session] = [:]
        var grants: [String: Grant] = [:]
        var accessTokens: [String: Grant] = [:]
    }

    struct Session {
        var subject: String
        var signedInAt: Int
    }

    /// The authorization behind a code.
    struct Grant {
        var session: Session
        var scopes: [String]
        var nonce: String?
        var challenge: String?
        var redirectURI: String
        var endsAt: Int
        var isUsed = false
        var accessTokens: [String] = []
    }

    package init(issuer: String, fault: Fault? = nil) throws {
        self.issuer = issuer
        self.fault = fault
        key = try SigningKey()
    }

    /// Answers a request; the server's framework calls it.
    package func answer(_ request: ServerRequest) async -> ServerResponse {
        switch (request.method, request.path) {
        case ("GET", "/.well-known/openid-configuration"): .json(metadata, isPublic: true)
        case ("GET", "/keys"): .json(["keys": [key.jwk]], isPublic: true)
        case ("GET", "/authorize"), ("POST", "/authorize"): authorize(request)
        case ("POST", "/sign-in"): signIn(request)
        case ("POST", "/token"): token(request)
        case ("GET", "/userinfo"), ("POST", "/userinfo"): userInfo(request)
        default: .page("Not found", "<p>There is no such page.</p>", status: 404)
        }
    }

    static var now: Int { Int(Date().timeIntervalSince1970) }

    private var metadata: [String: Any] {
        [
            "issuer": issuer,
            "authorization_endpoint": issuer + "/authorize",
            "token_endpoint": issuer + "/token",
            "userinfo_endpoint": issuer + "/userinfo",
            "jwks_uri": issuer + "/keys",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["openid", "profile", "email"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "email", "email_verified",
            ],
            "claims_parameter_supported": false,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "authorization_response_iss_parameter_supported": true,
        ]
    }
}
