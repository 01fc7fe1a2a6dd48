import Conformance
import JOSE

/// The client authentication of a token request (RFC 6749 section 2.3, Core section 9).
struct ClientCredentials: Sendable {
    var method: ClientAuthentication?
    var id: String?
    var secret: Secret?
    /// A signed client assertion (RFC 7523 section 2.2).
    var assertion: ReceivedAssertion?
    /// The error in the credentials themselves.
    var error: OAuthError?

    /// - Parameters:
    ///   - request: The request with its headers.
    ///   - form: Its parameters.
    ///   - decode: Decodes each half of Basic credentials.
    init(_ request: ProviderRequest, _ form: [Field], decode: (String) -> String) {
        id = form.first("client_id")
        if let posted = form.first("client_secret") {
            method = .clientSecretPost
            secret = Secret(posted)
        } else if id != nil {
            method = ClientAuthentication.none
        }
        if let text = form.first("client_assertion") { takeAssertion(text, type: form.first("client_assertion_type")) }
        guard let (scheme, credentials) = request.authorization else { return }
        // RFC 6749 section 2.3: not more than one method in a request.
        if method == .clientSecretPost || assertion != nil {
            error = OAuthError("invalid_request", .twoAuthentications)
            return
        }
        method = .clientSecretBasic
        guard scheme == "basic", let bytes = try? Base64.decode(credentials),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else {
            error = OAuthError("invalid_client", .malformedBasic)
            return
        }
        // RFC 6749 section 2.3.1: both are form-encoded first.
        let user = decode(String(text[..<colon]))
        secret = Secret(decode(String(text[text.index(after: colon)...])))
        if let id, id != user { error = OAuthError("invalid_request", "there are two client identifiers") }
        id = user
    }

    /// RFC 7521 section 4.2.
    private mutating func takeAssertion(_ text: String, type: String?) {
        guard method != .clientSecretPost else {
            error = OAuthError("invalid_request", .twoAuthentications)
            return
        }
        guard type == Provider.assertionType else {
            error = OAuthError("invalid_request", "client_assertion_type is another one")
            return
        }
        let assertion = ReceivedAssertion(text)
        self.assertion = assertion
        method = assertion.isSymmetric ? .clientSecretJWT : .privateKeyJWT
        guard let id, let subject = assertion.text("sub") else {
            id = assertion.text("sub")
            return
        }
        if id != subject { error = OAuthError("invalid_client", "the assertion is about another client") }
    }
}
