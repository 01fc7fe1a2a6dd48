import Conformance
import JSONTree

/// Addresses that contain the user's identifier.
extension ScenarioRunner {
    /// An address with the `sub` of the latest ID Token in the place of `{sub}`; `nil` when there is no such token.
    ///
    /// The token's signature is not verified: requesting another user's address does no harm, and the response is checked.
    static func personal(_ address: String, _ captured: CapturedValues) -> String? {
        guard address.contains("{sub}") else { return address }
        guard let sub = captured[.idToken]?.unverifiedClaims?["sub"]?.stringValue, !sub.isEmpty else { return nil }
        return address.replacing("{sub}", with: percentEncoded(sub))
    }

    /// Everything but unreserved characters (RFC 3986 section 2.3).
    private static func percentEncoded(_ text: String) -> String {
        text.utf8
            .map { byte in
                let isUnreserved = byte.isASCIIAlphanumeric || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
                if isUnreserved { return String(UnicodeScalar(byte)) }
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            .joined()
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
