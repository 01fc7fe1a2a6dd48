/// The address of an issuer's discovery document.
///
/// OpenID Connect Discovery section 4: "If the Issuer value contains a path component, any terminating / MUST be removed before
/// appending /.well-known/openid-configuration."
package enum WellKnown {
    package static let suffix = "/.well-known/openid-configuration"

    package static func address(of issuer: String) -> String { withoutSlash(issuer) + suffix }

    /// The issuer whose document has the address; `nil` for other addresses.
    package static func issuer(of address: String) -> String? {
        let text = withoutSlash(address)
        return text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : nil
    }

    package static func withoutSlash(_ issuer: String) -> String {
        issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    }
}

extension Evidence {
    /// The fix for a missing document: the configured issuer may have the well-known suffix, or the document another address.
    package var missingDocumentAdvice: String {
        if let issuer = WellKnown.issuer(of: target.issuer) {
            return
                "Use \(issuer.quoted) as the issuer, without \(WellKnown.suffix): clients append this suffix themselves."
        }
        if let found = suggestions.first {
            return
                "Use \(found.issuer.quoted) as the issuer: the discovery document at \(found.address.quoted) states it."
        }
        return "Use the issuer that the provider's documentation names, or serve the document at the issuer's address "
            + "followed by \(WellKnown.suffix)."
    }

    /// The same where the response is one of a wrong issuer: not found, or a page; `nil` for any other, such as a server error.
    package var wrongIssuerAdvice: String? {
        guard let response = exchange(discoveryHops.last)?.response else { return nil }
        let isMissing = [404, 410].contains(response.status) || response.status < 400 && response.isPage
        return isMissing || !suggestions.isEmpty ? missingDocumentAdvice : nil
    }
}
