package import Conformance

/// The checks of a server on a signed request before any lookup (RFC 5849 section 3.2).
package struct SignedRequest: Sendable {
    var method: String
    /// The address as the client wrote it, without the query.
    package var url: String
    /// The protocol parameters of the `Authorization` field.
    var protocolParameters: [Field]
    /// Query and form, decoded.
    package var otherParameters: [Field]

    /// `nil` when the field is missing, or is no OAuth 1.0 field.
    package init?(method: String, url: String, authorization: String?, otherParameters: [Field]) {
        guard let parameters = authorization.flatMap(AuthorizationField.parameters) else { return nil }
        self.method = method
        self.url = url
        self.protocolParameters = parameters
        self.otherParameters = otherParameters
    }

    package subscript(name: String) -> String? { protocolParameters.first { $0.name == name }?.value }

    /// The problem of the parameters themselves: missing, repeated, or with an unsupported method.
    package var fault: String? {
        let names = protocolParameters.map(\.name)
        if Set(names).count != names.count { return "a protocol parameter occurs more than once" }
        let required = [
            "oauth_consumer_key", "oauth_signature_method", "oauth_timestamp", "oauth_nonce", "oauth_signature",
        ]
        if let missing = required.first(where: { !names.contains($0) }) { return "\(missing) is missing" }
        if self["oauth_signature_method"] != RequestSignature.method { return "the signature method is not supported" }
        if let version = self["oauth_version"], version != "1.0" { return "oauth_version is not 1.0" }
        return Int(self["oauth_timestamp"] ?? "").map { $0 > 0 } == true
            ? nil : "oauth_timestamp is not a positive number"
    }

    /// Whether the signature is the one that these secrets make.
    package func isSigned(clientSecret: Secret, tokenSecret: Secret?) -> Bool {
        let all = protocolParameters + otherParameters
        guard let base = BaseString.text(method: method, url: url, parameters: all) else { return false }
        let expected = RequestSignature.hmacSHA1(base, clientSecret: clientSecret, tokenSecret: tokenSecret)
        return RequestSignature.areEqual(self["oauth_signature"] ?? "", expected)
    }
}
