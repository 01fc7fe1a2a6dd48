/// The identifier of an account at Microsoft, as its `oid` claim and as Firebase's federated user ID.
///
/// For an account of a tenant the two are one GUID. For a personal account the federated ID has 16 characters, and `oid` is
/// the same padded to a GUID: `4b2eabcdefghijkl` and `00000000-0000-0000-4b2e-abcdefghijkl` (Firebase, Authenticate Using
/// Microsoft). The example's letters are not all hexadecimal digits, so the transformation looks at the form only, and
/// ``isGUID`` at the digits.
///
/// Cases that the documentation leaves open are accepted: letters in either case, and a shorter federated ID, which is
/// padded with leading zeros.
package struct MicrosoftObjectID: Sendable, Hashable, CustomStringConvertible {
    /// The identifier as a GUID in lower case.
    package let oid: String

    /// The prefix of the GUIDs of personal accounts.
    static let padding = "00000000-0000-0000-"
    /// The tenant of personal accounts.
    package static let consumerTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private static let groups = [8, 4, 4, 4, 12]

    /// `nil` if the text does not have the form of a GUID.
    package init?(oid text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == Self.groups, text.utf8.allSatisfy({ $0 == 0x2D || $0.isAlphanumeric }) else {
            return nil
        }
        self.oid = text.lowercased()
    }

    /// `nil` if the text is neither a GUID nor at most 16 letters and digits.
    package init?(federated text: String) {
        if let whole = MicrosoftObjectID(oid: text) {
            self = whole
            return
        }
        guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy(\.isAlphanumeric) else { return nil }
        let full = String(repeating: "0", count: 16 - text.utf8.count) + text.lowercased()
        self.oid = Self.padding + full.prefix(4) + "-" + full.dropFirst(4)
    }

    /// Whether it belongs to a personal account.
    package var isPadded: Bool { oid.hasPrefix(Self.padding) }

    /// `providerData[0].uid` at Firebase.
    package var federated: String { isPadded ? oid.dropFirst(Self.padding.count).filter { $0 != "-" } : oid }

    /// Whether a text is a GUID of hexadecimal digits, in either case.
    package static func isGUID(_ text: String) -> Bool {
        MicrosoftObjectID(oid: text) != nil && text.utf8.allSatisfy { $0 == 0x2D || $0.isHexadecimal }
    }

    package var description: String { oid }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }

    fileprivate var isAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
