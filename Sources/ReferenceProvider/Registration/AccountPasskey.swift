package import JOSE

/// What the provider knows of a person's passkey, as it was registered (Web Authentication Level 2 section 7.1).
package struct AccountPasskey: Sendable {
    package var credentialID: [UInt8]
    /// A P-256 key.
    package var publicKey: PublicKey
    package var userHandle: [UInt8]

    package init(credentialID: [UInt8], publicKey: PublicKey, userHandle: [UInt8]) {
        self.credentialID = credentialID
        self.publicKey = publicKey
        self.userHandle = userHandle
    }
}
