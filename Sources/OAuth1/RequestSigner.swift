package import Conformance

/// The credentials with which a client signs requests: its own, and temporary or token credentials.
package struct RequestSigner: Sendable {
    package var consumerKey: String
    package var consumerSecret: Secret
    /// Temporary or token credentials; `nil` before there are any.
    package var token: TokenCredentials?

    package init(consumerKey: String, consumerSecret: Secret, token: TokenCredentials? = nil) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
    }

    /// The protocol parameters of a request, signature included (RFC 5849 section 3.1).
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: With the query that is signed.
    ///   - more: `oauth_callback`, `oauth_verifier`, where the request has one.
    ///   - form: The fields of a form in the body.
    ///   - nonce: A value that no other request has.
    ///   - timestamp: Seconds since 1970.
    /// - Returns: `nil` when the address is not absolute.
    package func parameters(
        method: String,
        url: String,
        more: [Field] = [],
        form: [Field] = [],
        nonce: String,
        timestamp: Int
    ) -> [Field]? {
        var parameters = [
            Field("oauth_consumer_key", consumerKey),
            Field("oauth_nonce", nonce),
            Field("oauth_signature_method", RequestSignature.method),
            Field("oauth_timestamp", String(timestamp)),
            Field("oauth_version", "1.0"),
        ]
        if let token { parameters.append(Field("oauth_token", token.identifier.reveal())) }
        parameters += more
        let signed = BaseString.query(of: url) + parameters + form
        guard let base = BaseString.text(method: method, url: url, parameters: signed) else { return nil }
        let signature = RequestSignature.hmacSHA1(base, clientSecret: consumerSecret, tokenSecret: token?.secret)
        return parameters + [Field("oauth_signature", signature)]
    }
}

/// Temporary credentials, or token credentials: an identifier and a shared secret (RFC 5849 section 1.1).
package struct TokenCredentials: Sendable, Hashable {
    package var identifier: Secret
    package var secret: Secret

    package init(identifier: Secret, secret: Secret) {
        self.identifier = identifier
        self.secret = secret
    }
}
