package import Conformance
package import JOSE
package import SignIn

/// What must be sent to the provider and must be seen nowhere else.
package struct Secrets: Sendable {
    /// By client identifier.
    package var clientSecrets: [String: Secret]
    /// What clients sign assertions with, by client identifier.
    package var clientKeys: [String: PrivateKey] = [:]
    /// The name that the person signs in with; not a secret, but of no use without the password.
    package var username: String?
    package var password: Secret?
    /// A session in which the person has signed in before, in the place of the password; `nil` where somebody signs in.
    package var session: SavedSession?
    /// What the person's authenticator app keeps; `nil` for somebody without one.
    package var authenticator: Authenticator?
    /// What the environment holds for `{env:NAME}` in steps, by the names of the variables.
    package var stepVariables: [String: Secret] = [:]
    /// The person's passkey; `nil` for somebody without one.
    package var passkey: PasskeyCredential?
    /// A second person, whom the provider must not take for the first.
    package var other: Person?

    package struct Person: Sendable {
        package var username: String
        package var password: Secret
        package var authenticator: Authenticator?

        package init(username: String, password: Secret, authenticator: Authenticator? = nil) {
            self.username = username
            self.password = password
            self.authenticator = authenticator
        }
    }
    /// What registering a client takes (RFC 7591 section 1.2).
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
