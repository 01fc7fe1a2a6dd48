internal import Flows
internal import JOSE
internal import Profiles

/// The test user's passkey.
extension ConfigurationReader {
    /// Reads `passkey`; each problem is reported at its key.
    func passkey(_ value: StrictYAML.Value) -> PasskeyCredential? {
        guard let mapping = value.mapping() else { return nil }
        let identifier = mapping[Keys.Passkey.credentialID].flatMap(bytes)
        let stated = mapping[Keys.Passkey.privateKey]
        let key = stated.flatMap(privateKey)
        let handle = mapping[Keys.Passkey.userHandle].flatMap(bytes)
        let party = mapping[Keys.Passkey.relyingParty]?.string()
        let count = mapping[Keys.Passkey.signCount].flatMap(signCount)
        if let key, key.type != .ec || key.curve != .p256 {
            stated?.report("the key of a passkey must be an EC key on the curve P-256")
            return nil
        }
        guard let identifier, let key else { return nil }
        return PasskeyCredential(
            credentialID: identifier,
            key: key,
            userHandle: handle,
            relyingParty: party,
            signCount: count
        )
    }

    private func bytes(_ value: StrictYAML.Value) -> [UInt8]? {
        guard let text = value.string() else { return nil }
        let isInAlphabet = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isInAlphabet, !text.isEmpty, text.utf8.count % 4 != 1, let bytes = Base64URL.decodeLeniently(text) else {
            value.report("“\(value.path)” must be base64url without padding: letters, digits, - and _")
            return nil
        }
        return bytes
    }

    private func signCount(_ value: StrictYAML.Value) -> UInt32? {
        guard let number = value.number() else { return nil }
        guard number >= 0, number <= 4_294_967_294, number == number.rounded() else {
            value.report("“\(value.path)” must be a whole number from 0 to 4294967294")
            return nil
        }
        return UInt32(number)
    }
}
