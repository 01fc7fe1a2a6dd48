import Conformance
import OAuth1

/// The rules of RFC 5849 section 3.2 for every signed request.
extension Provider {
    /// The request and the client that signed it, or why it is rejected.
    ///
    /// - Parameter secret: The secret of a token; `nil` if there is no such token.
    func verified(
        _ request: ProviderRequest,
        at place: OAuth1Place,
        secret: (String?) -> Secret?
    ) -> Result<(SignedRequest, RegisteredClient), OAuth1Problem> {
        // The base URI is the public one, even behind a proxy.
        let path = String(request.path.dropFirst(offer.basePath.count))
        let signed = SignedRequest(
            method: request.method,
            url: base + path,
            authorization: request.header("Authorization"),
            otherParameters: request.query + (request.form ?? [])
        )
        guard let signed else { return .failure(OAuth1Problem(400, 215, "Bad Authentication data.")) }
        if let fault = signed.fault { return .failure(OAuth1Problem(400, 215, fault)) }
        guard let client = client(signed["oauth_consumer_key"]), let clientSecret = client.secret else {
            return .failure(OAuth1Problem(401, 32, "Could not authenticate you."))
        }
        guard let tokenSecret = secret(signed["oauth_token"]) else {
            return .failure(OAuth1Problem(401, 89, "Invalid or expired token."))
        }
        let isRight = signed.isSigned(clientSecret: clientSecret, tokenSecret: tokenSecret)
        guard hooks.oauth1.acceptsSignature(place, isRight) else {
            return .failure(OAuth1Problem(401, 32, "Could not authenticate you."))
        }
        if let problem = freshness(of: signed, client) { return .failure(problem) }
        return .success((signed, client))
    }

    /// The nonce must be new, and the timestamp recent (section 3.3).
    private func freshness(of signed: SignedRequest, _ client: RegisteredClient) -> OAuth1Problem? {
        let timestamp = Double(signed["oauth_timestamp"] ?? "") ?? 0
        guard abs(timestamp - now()) <= OAuth1Store.tolerance else {
            return OAuth1Problem(401, 135, "Timestamp out of bounds.")
        }
        let names = ["oauth_token", "oauth_timestamp", "oauth_nonce"]
        let request = ([client.id] + names.map { signed[$0] ?? "" }).joined(separator: "\n")
        guard oauth1.note(request) || !hooks.oauth1.remembersRequests else {
            return OAuth1Problem(401, 32, "The nonce was used before.")
        }
        return nil
    }
}
