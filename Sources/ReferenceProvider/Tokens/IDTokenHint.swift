import Conformance
import JOSE
import JSONTree

/// An ID Token that a client sends back to say whom it means.
struct IDTokenHint: Sendable {
    var subject: String
    var clientID: String
}

extension Provider {
    /// The person and the client of an ID Token that this provider issued; `nil` when it did not.
    ///
    /// One that has expired is as good a hint as any (Core section 3.1.2.1, RP-Initiated Logout section 2).
    func hint(_ token: String) -> IDTokenHint? {
        guard let jws = try? JWS.parse(compact: token), let algorithm = jws.algorithm,
            offer.signingAlgorithms.contains(algorithm),
            (try? jws.verify(with: keys.key(algorithm).publicKey, algorithm: algorithm)) != nil,
            let claims = try? JSONDocument.parse(jws.payload).root.objectValue,
            claims["iss"]?.stringValue == issuer, let subject = claims["sub"]?.stringValue,
            let audience = claims["aud"]?.stringValue ?? claims["aud"]?.strings?.first
        else { return nil }
        return IDTokenHint(subject: subject, clientID: audience)
    }
}
