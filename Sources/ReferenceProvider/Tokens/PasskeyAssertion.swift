import Conformance
import JOSE
import JSONTree

/// An authenticator's assertion, as submitted by a page's script (Web Authentication Level 2 section 7.2).
struct PasskeyAssertion: Sendable {
    let credentialID: [UInt8]
    private let clientData: [UInt8]
    private let authenticatorData: [UInt8]
    private let signature: [UInt8]
    private let userHandle: [UInt8]

    init(_ form: [Field]) {
        func bytes(_ name: String) -> [UInt8] { form.first(name).flatMap { try? Base64URL.decode($0) } ?? [] }
        credentialID = bytes("credential")
        clientData = bytes("client_data")
        authenticatorData = bytes("authenticator_data")
        signature = bytes("signature")
        userHandle = bytes("user_handle")
    }

    /// The signature counter (section 6.1); `nil` if the data is too short.
    var count: Int? {
        guard authenticatorData.count >= 37 else { return nil }
        return authenticatorData[33..<37].reduce(0) { $0 * 256 + Int($1) }
    }

    /// Why it does not authenticate the passkey's owner; `nil` if it does (section 7.2, steps 6 to 20).
    ///
    /// - Parameters:
    ///   - challenge: The challenge to be signed.
    ///   - origin: Scheme, host and port of the page.
    ///   - relyingParty: The host.
    func problem(_ passkey: AccountPasskey, challenge: String, origin: String, relyingParty: String) -> String? {
        let data = (try? JSONDocument.parse(clientData))?.root
        guard data?["type"]?.stringValue == "webauthn.get" else { return "The passkey signed something else." }
        guard data?["challenge"]?.stringValue == Base64URL.encode(Array(challenge.utf8)) else {
            return "The passkey signed another challenge."
        }
        guard data?["origin"]?.stringValue == origin else { return "The passkey was used at another origin." }
        guard userHandle.isEmpty || userHandle == passkey.userHandle else { return "The passkey is somebody else's." }
        guard authenticatorData.count >= 37, Array(authenticatorData[..<32]) == Hashes.sha256(Array(relyingParty.utf8))
        else { return "The passkey is for another host." }
        // Bit 0: user present; bit 2: user verified.
        guard authenticatorData[32] & 0b101 == 0b101 else { return "Nobody has unlocked the passkey." }
        let signed = authenticatorData + Hashes.sha256(clientData)
        let isSigned = Self.raw(signature)
            .flatMap { try? passkey.publicKey.isValid($0, over: signed, algorithm: .es256) }
        return isSigned == true ? nil : "The passkey's signature does not match."
    }

    /// An ECDSA signature in JOSE's format, from its DER encoding (RFC 3279 section 2.2.3).
    static func raw(_ der: [UInt8]) -> [UInt8]? {
        guard der.count >= 8, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var rest = der[2...]
        func number() -> [UInt8]? {
            guard rest.count >= 2, rest.removeFirst() == 0x02 else { return nil }
            let length = Int(rest.removeFirst())
            guard length > 0, length <= rest.count else { return nil }
            let bytes = rest.prefix(length).drop { $0 == 0 }
            rest = rest.dropFirst(length)
            guard bytes.count <= 32 else { return nil }
            return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
        }
        guard let first = number(), let second = number(), rest.isEmpty else { return nil }
        return first + second
    }
}
