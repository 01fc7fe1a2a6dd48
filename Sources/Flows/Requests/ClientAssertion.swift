import Conformance
import JOSE
import JSONTree
import Transport

/// A JWT by which a client says who it is (RFC 7523 section 2.2, Core section 9 `private_key_jwt`).
enum ClientAssertion {
    /// What `client_assertion_type` must be.
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Seconds that one is good for.
    private static let lifetime = 60.0

    /// - Parameters:
    ///   - kind: Right, or wrong in one way.
    ///   - clientID: Who makes it, about itself.
    ///   - key: That of the client.
    ///   - endpoint: The token endpoint's address.
    ///   - issuer: The provider.
    ///   - now: Seconds since 1970.
    static func make(
        _ kind: EndpointCall.Assertion,
        clientID: String,
        key: PrivateKey,
        endpoint: String,
        issuer: String,
        now: Double
    ) throws(JOSEError) -> Secret {
        let issuedAt = (kind == .expired ? now - 3_600 : now).rounded(.down)
        let audience =
            switch kind {
            case .forIssuer: issuer
            case .forAnother: "https://unregistered.invalid/token"
            case .right, .expired, .byAnotherKey: endpoint
            }
        let claims: JSONObject = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience),
            "jti": .string(Hexadecimal.text(of: Hashes.randomOctets(16))), "iat": .integer(Int64(issuedAt)),
            "exp": .integer(Int64(issuedAt + lifetime)),
        ]
        // The header names the registered key all the same: only the signature tells.
        let signer =
            kind == .byAnotherKey
            ? try PrivateKey.generate(.rsa(bits: 2_048), attributes: key.attributes) : key
        return Secret(
            try JWS.sign(Array(claims.serialized().utf8), with: signer, algorithm: .rs256, header: ["typ": "JWT"])
        )
    }
}

extension Conversation {
    /// Adds an assertion to a request of a client that registered a key for it.
    func assert(_ kind: EndpointCall.Assertion, _ client: Client, _ request: inout ClientRequest) async {
        guard let key = own?.assertionKey else { return }
        let endpoint = endpoint("token_endpoint").address ?? ""
        let issuer = provider.metadata?["issuer"]?.stringValue ?? target.issuer
        let made = Result { () throws(JOSEError) in
            try ClientAssertion.make(
                kind,
                clientID: client.id,
                key: key,
                endpoint: endpoint,
                issuer: issuer,
                now: options.clock()
            )
        }
        guard case .success(let assertion) = made else { return }
        await wire.recorder.learn("client_assertion", assertion.reveal(), .token)
        request.parameters.append("client_id", client.id)
        request.parameters.append("client_assertion_type", ClientAssertion.type)
        request.parameters.append("client_assertion", assertion.reveal())
    }
}
