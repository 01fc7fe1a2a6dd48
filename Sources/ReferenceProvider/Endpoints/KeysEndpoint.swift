import JOSE
import JSONTree

/// The key set (RFC 7517 section 5): only public keys, each for signatures.
extension Provider {
    func keySet() -> JSONObject {
        let members = offer.signingAlgorithms.map { algorithm -> JSON in
            let key = keys.key(algorithm).publicKey
            var jwk = key.jwk(kid: key.thumbprint, alg: algorithm.rawValue, use: "sig").object
            if algorithm.keyType == .rsa, let certificate {
                jwk["x5c"] = [.string(certificate.x5c)]
                jwk["x5t"] = .string(certificate.x5t)
                jwk["x5t#S256"] = .string(certificate.x5tS256)
            }
            return .object(jwk)
        }
        var set: JSONObject = ["keys": .array(members)]
        hooks.keySet(&set)
        return set
    }
}
