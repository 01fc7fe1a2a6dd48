import Conformance
import JOSE
import Transport

/// The credentials of `client_secret_basic` (RFC 6749 section 2.3.1).
enum BasicCredentials {
    /// Identifier and secret, each form-urlencoded before they are joined and encoded in base64.
    static func encoded(id: String, secret: Secret) -> String {
        let pair = PercentEncoding.encodeFormValue(id) + ":" + PercentEncoding.encodeFormValue(secret.reveal())
        return Base64.encode(Array(pair.utf8))
    }
}

/// A token request with an authorization code (RFC 6749 section 4.1.3).
struct TokenRequest: Sendable {
    var code: Secret
    var redirectURI: String?
    var verifier: Secret?
    var clientID: String
    var authentication: ClientAuthentication
    /// `nil` for a public client.
    var clientSecret: Secret?

    func request(to endpoint: String) -> HTTPRequest {
        var parameters: FormParameters = [("grant_type", "authorization_code"), ("code", code.reveal())]
        if let redirectURI { parameters.append("redirect_uri", redirectURI) }
        if let verifier { parameters.append("code_verifier", verifier.reveal()) }
        var headers = [HTTPField(name: "Accept", value: "application/json")]
        switch (authentication, clientSecret) {
        case (.clientSecretBasic, let secret?):
            let credentials = BasicCredentials.encoded(id: clientID, secret: secret)
            headers.append(HTTPField(name: "Authorization", value: "Basic \(credentials)"))
        case (.clientSecretPost, let secret?):
            parameters.append("client_id", clientID)
            parameters.append("client_secret", secret.reveal())
        case (.none, _), (_, nil):
            parameters.append("client_id", clientID)
        }
        return .form(url: endpoint, parameters, headers: headers)
    }
}
