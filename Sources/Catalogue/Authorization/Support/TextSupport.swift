import Conformance
import JSONTree

/// Helpers that the checks share: comparing text, and reading requests and metadata.
extension String {
    /// Byte by byte: `==` would also accept canonically equivalent text.
    func hasSameBytes(as other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }

    /// Only characters that `error` and `error_description` may contain: %x20-21 / %x23-5B / %x5D-7E
    /// (RFC 6749 sections 4.1.2.1 and 5.2).
    var isErrorText: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C } }

    /// Only characters that `error_uri` and a scope value may contain: %x21 / %x23-5B / %x5D-7E
    /// (RFC 6749 sections 4.1.2.1 and 3.3).
    var isErrorURIText: Bool { isErrorText && !utf8.contains(0x20) }

    /// Only characters that a URI reference is made of, each percent sign with its two digits (RFC 3986 section 2).
    var isURIReference: Bool {
        let bytes = Array(utf8)
        return !bytes.isEmpty
            && bytes.indices.allSatisfy { index in
                switch bytes[index] {
                case UInt8(ascii: "%"):
                    index + 2 < bytes.count && bytes[(index + 1)...(index + 2)].allSatisfy(\.isHexadecimalDigit)
                case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: false
                default: (0x21...0x7E).contains(bytes[index])
                }
            }
    }

    var containsOnlyDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension JSON {
    /// Whether it is a number below 2^63, with or without a fraction, or a string of its digits.
    var isReadableAsSeconds: Bool {
        if let text = stringValue { return text.containsOnlyDigits && Int64(text) != nil }
        return numberValue.map { abs($0) < 9_223_372_036_854_775_808 } ?? false
    }
}

extension Facts {
    /// The issuer in the metadata, and the configured one.
    ///
    /// They should be equal; if they differ, the discovery checks report it and no other check repeats it. A platform whose
    /// profile lowers that check by name takes the issuer from the document, and compares tokens with that one alone; one whose
    /// profile lowers it with all others reads no document, and compares them with the registered issuer.
    var issuers: [String] {
        let compares: CheckID = "discovery.issuer.matches-request"
        let stated = [metadata.value?.string("issuer")].compactMap(\.self)
        if stated.contains(where: { $0.hasSameBytes(as: target.issuer) }) { return stated }
        if let adjustment = profile.adjustment(for: compares), (adjustment.level ?? .error) < .error {
            let isNamed = adjustment.checks == CheckPattern(compares.rawValue)
            return isNamed && !stated.isEmpty ? stated : [target.issuer]
        }
        return stated + [target.issuer]
    }

    /// The issuer that responses and tokens should contain.
    var issuer: String { issuers.first ?? target.issuer }

    func isIssuer(_ text: String) -> Bool { issuers.contains { $0.hasSameBytes(as: text) } }

    /// Whether the metadata advertises the `iss` parameter (RFC 9207 section 3; the default is false).
    var advertisesIssParameter: Bool {
        metadata.value?["authorization_response_iss_parameter_supported"]?.boolValue == true
    }
}

extension StepEvidence {
    /// The scope values of the request.
    var askedScopes: [String] { (sentParameter("scope") ?? "").split(separator: " ").map(String.init) }
}

extension RedirectAnswer {
    func isInQuery(_ name: String) -> Bool { query.contains { $0.name == name } }

    func isInFragment(_ name: String) -> Bool { fragment.contains { $0.name == name } }

    func first(_ name: String) -> String? { values(name).first }

    /// Whether the parameter is present and not empty; of a secret one only the length is recorded.
    func hasValue(_ name: String) -> Bool {
        parameters.contains { $0.name == name && ($0.length ?? $0.value.count) > 0 }
    }

    /// The error as a report shows it.
    var errorText: String { (error ?? "").quoted + (first("error_description").map { " (\($0.shown()))" } ?? "") }
}

extension JSON {
    /// The value as a report shows it, bounded.
    var shown: String { serialized().shown(limit: 120) }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
