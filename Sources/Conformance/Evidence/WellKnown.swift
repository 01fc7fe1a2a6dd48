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
