package import Conformance
package import JOSE
package import SignIn

/// Values that are sent to the provider and must not appear anywhere else.
package struct Secrets: Sendable {
    /// By client identifier.
    package var clientSecrets: [String: Secret]
    /// The keys with which clients sign assertions and request objects, by client identifier.
    package var clientKeys: [String: PrivateKey] = [:]
    /// The keys that decrypt ID Tokens and UserInfo, by client identifier.
    package var decryptionKeys: [String: PrivateKey] = [:]
    /// The name that the user signs in with; not a secret, but of no use without the password.
    package var username: String?
    package var password: Secret?
    /// A session in which the user has signed in before, instead of the password; `nil` if the run signs in.
    package var session: SavedSession?
    /// The data of the user's authenticator app; `nil` for a user without one.
    package var authenticator: Authenticator?
    /// The environment values for `{env:NAME}` in steps, by the names of the variables.
    package var stepVariables: [String: Secret] = [:]
    /// The user's passkey; `nil` for a user without one.
    package var passkey: PasskeyCredential?
    /// A second user, whom the provider must distinguish from the first.
    package var other: User?

    package struct User: Sendable {
        package var username: String
        package var password: Secret
        package var authenticator: Authenticator?

        package init(username: String, password: Secret, authenticator: Authenticator? = nil) {
            self.username = username
            self.password = password
            self.authenticator = authenticator
        }
    }
    /// The token for registering clients (RFC 7591 section 1.2).
    package var initialAccessToken: Secret?

    package init(
        clientSecrets: [String: Secret] = [:],
        username: String? = nil,
        password: Secret? = nil,
        initialAccessToken: Secret? = nil
    ) {
        self.clientSecrets = clientSecrets
        self.username = username
        self.password = password
        self.initialAccessToken = initialAccessToken
    }
}
