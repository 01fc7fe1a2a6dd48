import JOSE
import JSONTree

/// The virtual authenticator of Chromium: the WebAuthn extension of WebDriver (Web Authentication Level 2 section 11).
extension ChromiumWindow {
    /// Takes away whatever authenticator the browser was given.
    func dropAuthenticator() async throws(BrowserFailure) {
        guard let authenticator else { return }
        self.authenticator = nil
        try await driver.command("DELETE", "\(path)/webauthn/authenticator/\(authenticator)")
    }

    /// Gives the browser an authenticator with the passkey, whose owner is there and says yes to whatever page asks.
    ///
    /// - Parameter count: Its signature counter; the next signature has one more.
    func take(_ passkey: BrowserPasskey, count: UInt32) async throws(BrowserFailure) {
        try await dropAuthenticator()
        let options: JSON = [
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
            "isUserConsenting": true, "isUserVerified": true,
        ]
        let made = try await driver.command("POST", path + "/webauthn/authenticator", options)
        guard let identifier = made.stringValue else {
            throw BrowserFailure("the browser could not create a virtual authenticator for the passkey")
        }
        authenticator = identifier
        var members: [JSONObject.Member] = [
            .init(name: "credentialId", value: .string(Base64URL.encode(passkey.credentialID))),
            .init(name: "isResidentCredential", value: .bool(passkey.userHandle != nil)),
            .init(name: "rpId", value: .string(passkey.relyingParty)),
            .init(name: "privateKey", value: .string(Base64URL.encode(passkey.privateKey))),
            .init(name: "signCount", value: .integer(Int64(count))),
        ]
        if let handle = passkey.userHandle {
            members.append(.init(name: "userHandle", value: .string(Base64URL.encode(handle))))
        }
        try await driver.command(
            "POST",
            "\(path)/webauthn/authenticator/\(identifier)/credential",
            .object(JSONObject(members))
        )
    }

    /// The signature counter of the passkey as it is now; `nil` where the browser has none.
    func passkeyCount() async -> UInt32? {
        guard let authenticator else { return nil }
        let credentials = try? await driver.command(
            "GET",
            "\(path)/webauthn/authenticator/\(authenticator)/credentials"
        )
        return credentials?.arrayValue?.first?["signCount"]?.integerValue.flatMap { UInt32(exactly: $0) }
    }
}
