import JOSE
import JSONTree

/// Clients that authenticate with a signed JWT (RFC 7523 section 3, Core section 9 `private_key_jwt`).
extension Provider {
    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// The client that an assertion authenticates, if every rule is met.
    func client(assertedBy assertion: String) -> RegisteredClient? {
        guard let token = try? JWS.parse(compact: assertion), let algorithm = token.algorithm,
            offer.assertionAlgorithms.contains(algorithm),
            let claims = try? JSONDocument.parse(token.payload).root.objectValue,
            let client = client(claims["sub"]?.stringValue), claims["iss"] == claims["sub"],
            client.registration?.metadata["token_endpoint_auth_method"] == "private_key_jwt"
        else { return nil }
        let isSigned = (try? token.verify(with: JWKSet(keys: keys(of: client)), algorithm: algorithm)) != nil
        let audiences = claims["aud"]?.strings ?? claims["aud"]?.stringValue.map { [$0] } ?? []
        let rules = AssertionRules(
            isSigned: isSigned,
            isForThis: audiences.contains { [issuer, address(.token)].contains($0) },
            isInTime: (claims["exp"]?.numberValue).map { $0 > now() } ?? false
        )
        return hooks.registration.acceptsAssertion(rules) ? client : nil
    }
}

/// The rules for a client assertion, and whether the assertion satisfies each.
package struct AssertionRules: Sendable {
    /// Signed with a key that the client registered.
    var isSigned: Bool
    /// Its audience is this provider or its token endpoint.
    var isForThis: Bool
    var isInTime: Bool

    var areMet: Bool { isSigned && isForThis && isInTime }
}
