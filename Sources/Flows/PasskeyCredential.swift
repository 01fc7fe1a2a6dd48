import Browsing
package import JOSE
import SignIn
import Transport

/// The data of the test user's passkey, from the configuration.
package struct PasskeyCredential: Sendable {
    var credentialID: [UInt8]
    /// A P-256 key.
    package var key: PrivateKey
    var userHandle: [UInt8]?
    /// The host that the passkey is for; that of the issuer when `nil`.
    var relyingParty: String?
    /// The counter of the last signature; when `nil` the seconds since 1970, which are more with every run.
    var signCount: UInt32?

    package init(
        credentialID: [UInt8],
        key: PrivateKey,
        userHandle: [UInt8]? = nil,
        relyingParty: String? = nil,
        signCount: UInt32? = nil
    ) {
        self.credentialID = credentialID
        self.key = key
        self.userHandle = userHandle
        self.relyingParty = relyingParty
        self.signCount = signCount
    }

    /// The passkey for a run against an issuer; `nil` where the key cannot be encoded.
    func passkey(issuer: String, now: Double) -> Passkey? {
        guard let der = try? key.der() else { return nil }
        let credential = BrowserPasskey(
            credentialID: credentialID,
            privateKey: der,
            userHandle: userHandle,
            relyingParty: relyingParty ?? WebURL(issuer)?.host ?? ""
        )
        return Passkey(credential, count: signCount ?? UInt32(exactly: max(0, now).rounded(.down)) ?? 0)
    }
}
