import Conformance
import JOSE
import Transport

/// Client credentials for HTTP Basic (RFC 6749 section 2.3.1).
enum BasicCredentials {
    /// Identifier and secret, each form-urlencoded before they are joined and encoded in base64.
    static func encoded(id: String, secret: Secret) -> String {
        let pair = PercentEncoding.encodeFormValue(id) + ":" + PercentEncoding.encodeFormValue(secret.reveal())
        return Base64.encode(Array(pair.utf8))
    }

    /// The same, with the first character of the secret percent-encoded whatever it is.
    static func percentEncoded(id: String, secret: Secret) -> String {
        let text = secret.reveal()
        let first = text.prefix(1).utf8.map { "%" + Hexadecimal.text(of: [$0]).uppercased() }.joined()
        let rest = PercentEncoding.encodeFormValue(String(text.dropFirst()))
        return Base64.encode(Array((PercentEncoding.encodeFormValue(id) + ":" + first + rest).utf8))
    }

    /// Identifier and secret joined without encoding, as RFC 7617 says.
    static func unencoded(id: String, secret: Secret) -> String {
        Base64.encode(Array((id + ":" + secret.reveal()).utf8))
    }
}

/// A request to the token endpoint, or to another endpoint at which a client authenticates.
struct ClientRequest: Sendable {
    var parameters: FormParameters
    var headers = [HTTPField(name: "Accept", value: "application/json")]
    /// Whether the media type of the form has a charset, which it does not define and many clients add.
    var statesCharset = false
    /// Whether a POST has neither a body nor a media type.
    var hasNoBody = false

    init(_ parameters: FormParameters = []) {
        self.parameters = parameters
    }

    /// Adds the client's credentials (RFC 6749 section 2.3, Core section 9).
    ///
    /// - Parameter secret: `nil` for a public client, whatever the method.
    mutating func authenticate(_ clientID: String, by method: ClientAuthentication, secret: Secret?) {
        switch (method, secret) {
        case (.clientSecretBasic, let secret?):
            let credentials = BasicCredentials.encoded(id: clientID, secret: secret)
            headers.append(HTTPField(name: "Authorization", value: "Basic \(credentials)"))
        case (.clientSecretPost, let secret?):
            parameters.append("client_id", clientID)
            parameters.append("client_secret", secret.reveal())
        case (.none, _), (_, nil), (.clientSecretJWT, _), (.privateKeyJWT, _):
            parameters.append("client_id", clientID)
        }
    }

    /// Adds the secret to the header with a character percent-encoded that need not be.
    mutating func authenticatePercentEncoded(_ clientID: String, secret: Secret) {
        let credentials = BasicCredentials.percentEncoded(id: clientID, secret: secret)
        headers.append(HTTPField(name: "Authorization", value: "Basic \(credentials)"))
    }

    /// Writes the scheme of the Authorization field in lower case.
    mutating func writeSchemeInLowerCase() {
        for place in headers.indices where headers[place].name == "Authorization" {
            let scheme = headers[place].value.prefix { $0 != " " }
            headers[place].value = scheme.lowercased() + headers[place].value.dropFirst(scheme.count)
        }
    }

    /// Adds a signed assertion, and the identifier for providers that look it up first (RFC 7521 section 4.2).
    mutating func authenticate(_ clientID: String, assertion: String) {
        parameters.append("client_id", clientID)
        parameters.append("client_assertion_type", ClientAssertion.type)
        parameters.append("client_assertion", assertion)
    }

    /// Adds identifier and secret to the header without encoding them first.
    mutating func authenticateUnencoded(_ clientID: String, secret: Secret) {
        let credentials = BasicCredentials.unencoded(id: clientID, secret: secret)
        headers.append(HTTPField(name: "Authorization", value: "Basic \(credentials)"))
    }

    /// A POST with the parameters in the body, or another method with them in the query.
    func request(to endpoint: String, method: String = "POST") -> HTTPRequest {
        if method == "POST", hasNoBody { return HTTPRequest(method: "POST", url: endpoint, headers: headers, body: []) }
        if method == "POST" {
            return .form(url: endpoint, parameters, headers: headers, charset: statesCharset ? "UTF-8" : nil)
        }
        let address = parameters.items.isEmpty ? endpoint : WebURL(endpoint)?.adding(parameters) ?? endpoint
        return HTTPRequest(method: method, url: address, headers: headers)
    }
}
