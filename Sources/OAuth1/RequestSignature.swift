package import Conformance
internal import JOSE

/// `HMAC-SHA1` (RFC 5849 section 3.4.2).
package enum RequestSignature {
    static let method = "HMAC-SHA1"

    /// The value of `oauth_signature`, in base64 and not yet percent-encoded.
    ///
    /// - Parameters:
    ///   - baseString: See ``BaseString``.
    ///   - clientSecret: The shared secret of the client credentials.
    ///   - tokenSecret: That of the temporary or token credentials; `nil` before there are any.
    /// - Returns: Empty when OpenSSL's policy forbids SHA-1: no server takes that for a signature.
    package static func hmacSHA1(_ baseString: String, clientSecret: Secret, tokenSecret: Secret?) -> String {
        let secrets = [clientSecret.reveal(), tokenSecret?.reveal() ?? ""]
        let key = secrets.map { ParameterEncoding.encode($0) }.joined(separator: "&")
        return Base64.encode(Hashes.hmacSHA1(Array(baseString.utf8), key: Array(key.utf8)))
    }

    /// Whether two signatures are equal, in constant time.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        !right.isEmpty && Hashes.areEqual(Array(left.utf8), Array(right.utf8))
    }
}
