import Conformance
import JOSE
import JSONTree

/// The proofs that a provider requires of its clients (RFC 9449).
extension Provider {
    /// The nonce of proofs, if they need one (RFC 9449 section 8).
    static let proofNonce = "n-0S6_WzA2Mj"
    /// Seconds in which a proof is accepted before and after its `iat`.
    private static let proofLifetime = 60.0

    /// The thumbprint of the key that a request proves, or the reason why it proves none (RFC 9449 section 4.3).
    ///
    /// - Parameter accessToken: The token that the request presents; `nil` for none.
    func proved(
        _ headers: [Field],
        at route: Route,
        by method: String,
        accessToken: String? = nil
    ) -> Result<String, Store.Refusal> {
        let refused = { (code: String, words: String) in
            Result<String, Store.Refusal>.failure(Store.Refusal(error: OAuthError(code, words)))
        }
        let proofs = headers.filter { $0.isNamed("DPoP") }
        guard proofs.count == 1, let proof = proofs.first?.value else {
            return refused("invalid_dpop_proof", "DPoP proof is required")
        }
        guard let token = try? JWS.parse(compact: proof), token.header["typ"] == "dpop+jwt",
            let members = token.header["jwk"]?.objectValue, let key = try? JWK(members).publicKey(),
            token.algorithm?.isSymmetric == false, (try? token.verify(with: key)) != nil,
            let claims = try? JSONDocument.parse(token.payload).root.objectValue
        else { return refused("invalid_dpop_proof", "the proof is not signed by the key in its header") }
        guard claims["htm"]?.stringValue == method, claims["htu"]?.stringValue == address(route) else {
            return refused("invalid_dpop_proof", "the proof is for another request")
        }
        guard let issuedAt = claims["iat"]?.numberValue, abs(now() - issuedAt) <= Self.proofLifetime else {
            return refused("invalid_dpop_proof", "the proof is not of this minute")
        }
        let hash = accessToken.map { Base64URL.encode(Hashes.sha256(Array($0.utf8))) }
        guard hash == nil || claims["ath"]?.stringValue == hash else {
            return refused("invalid_dpop_proof", "the proof is for another access token")
        }
        guard let id = claims["jti"]?.stringValue, store.use(assertion: "dpop " + id) else {
            return refused("invalid_dpop_proof", "the proof was used before")
        }
        guard !hooks.life.proofsNeedNonce || claims["nonce"]?.stringValue == Self.proofNonce else {
            return refused("use_dpop_nonce", "the proof must contain the nonce")
        }
        return .success(key.thumbprint)
    }

    /// The error of a UserInfo request that does not prove the token's key (RFC 9449 section 7.1); `nil` if it does.
    func proofError(_ request: ProviderRequest, of key: String, accessToken: String) -> String? {
        guard request.authorization?.scheme == "dpop" else { return "invalid_token" }
        switch proved(request.headers, at: .userInfo, by: request.method, accessToken: accessToken) {
        case .success(let proved): return proved == key ? nil : "invalid_token"
        case .failure(let refusal): return refusal.error.code
        }
    }
}
