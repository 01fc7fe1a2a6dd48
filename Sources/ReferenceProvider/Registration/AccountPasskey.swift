package import JOSE

/// The provider's record of a user's registered passkey (Web Authentication Level 2 section 7.1).
package struct AccountPasskey: Sendable {
    var credentialID: [UInt8]
    /// A P-256 key.
    package var publicKey: PublicKey
    var userHandle: [UInt8]

    package init(credentialID: [UInt8], publicKey: PublicKey, userHandle: [UInt8]) {
        self.credentialID = credentialID
        self.publicKey = publicKey
        self.userHandle = userHandle
    }
}
