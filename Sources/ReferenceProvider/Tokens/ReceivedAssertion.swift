import Conformance
import JOSE
import JSONTree

/// A client assertion as it was received (RFC 7523 section 3).
struct ReceivedAssertion: Sendable {
    /// The assertion as sent.
    let compact: String
    private let token: JWS?
    private let claims: JSONObject

    init(_ text: String) {
        compact = text
        token = try? JWS.parse(compact: text)
        claims = token.flatMap { try? JSONDocument.parse($0.payload).root.objectValue } ?? [:]
    }

    var isSymmetric: Bool { token?.algorithm?.isSymmetric == true }

    func text(_ claim: String) -> String? { claims[claim]?.stringValue }

    /// Its audiences: a string, or an array.
    var audiences: [String] { claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.strings ?? [] }

    /// Why it does not authenticate the client; `nil` if it does.
    ///
    /// - Parameters:
    ///   - client: The client that it names.
    ///   - audiences: The accepted audiences: issuer and token endpoint.
    ///   - now: Seconds since 1970.
    ///   - requirement: A requirement beyond the specification's.
    func problem(
        _ client: RegisteredClient,
        audiences: [String],
        now: Double,
        _ requirement: AssertionRequirement?
    ) -> RejectionReason? {
        guard let token else { return "the assertion is no JWS" }
        if token.algorithmName == "none" { return .unsignedAssertion }
        if !isSigned(token, by: client) { return .wrongAssertionSignature }
        if text("iss") != client.id || text("sub") != client.id { return "the assertion is about another client" }
        if !self.audiences.contains(where: audiences.contains) { return .wrongAssertionAudience }
        guard let expiry = claims["exp"]?.numberValue else { return "the assertion has no end" }
        if expiry <= now { return .expiredAssertion }
        if let requirement {
            if let algorithm = requirement.algorithm, token.algorithm != algorithm {
                return "alg must be \(algorithm.rawValue)"
            }
            let lifetime = Int(requirement.lifetime)
            if expiry - now > requirement.lifetime { return "exp must be at most \(lifetime) s from now" }
        }
        return text("jti") == nil ? "the assertion has no jti" : nil
    }

    private func isSigned(_ token: JWS, by client: RegisteredClient) -> Bool {
        if isSymmetric {
            guard let secret = client.secret else { return false }
            return (try? token.verify(with: SymmetricKey(Array(secret.reveal().utf8)))) != nil
        }
        guard let key = client.key else { return false }
        return (try? token.verify(with: key)) != nil
    }
}
