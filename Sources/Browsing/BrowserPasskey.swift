/// A passkey that an account has: what a virtual authenticator signs with (Web Authentication Level 2 section 11.6).
package struct BrowserPasskey: Sendable {
    var credentialID: [UInt8]
    /// PKCS #8, of a P-256 key.
    var privateKey: [UInt8]
    /// The account's identifier in the credential; without it, the provider has to name the credential that it requires.
    var userHandle: [UInt8]?
    /// The relying party's identifier, a host's name.
    var relyingParty: String

    package init(credentialID: [UInt8], privateKey: [UInt8], userHandle: [UInt8]?, relyingParty: String) {
        self.credentialID = credentialID
        self.privateKey = privateKey
        self.userHandle = userHandle
        self.relyingParty = relyingParty
    }
}

/// Its description does not show the key.
extension BrowserPasskey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a passkey for \(relyingParty)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
