import Conformance
import JSONTree

/// Rules that hold for signed UserInfo, whoever registered for it (Core section 5.3.2).
enum UserInfoJWT {
    static func signatureFaults(_ jwt: TokenFacts, _ facts: Facts) -> [Finding] {
        if jwt.isVerified { return SigningKey.obstacles("UserInfo response", jwt, facts) }
        return [
            Finding(
                "The signature of UserInfo does not verify with any published key.",
                at: "signature",
                expected: "a signature by a key of the set",
                found: jwt.trials.first?.reason?.shown() ?? "no published key fits",
                fix: "Sign UserInfo with a key that is published at jwks_uri."
            )
        ]
    }

    static func issuerFaults(_ claims: JSONObject, _ facts: Facts) -> [Finding] {
        let iss = claims["iss"]
        guard iss?.stringValue.map(facts.isIssuer) != true else { return [] }
        return [
            .claim(
                "iss",
                "Signed UserInfo does not name the issuer.",
                expected: facts.issuer.shown(),
                found: iss,
                fix: "Add iss with the issuer identifier to signed UserInfo."
            )
        ]
    }

    static func audienceFaults(_ claims: JSONObject, for clientID: String) -> [Finding] {
        let aud = claims["aud"]
        let audiences = aud?.stringValue.map { [$0] } ?? aud?.strings ?? []
        guard !audiences.contains(clientID) else { return [] }
        return [
            .claim(
                "aud",
                "Signed UserInfo does not name the client as its audience.",
                expected: clientID.shown(),
                found: aud,
                fix: "Add aud with the client_id to signed UserInfo."
            )
        ]
    }
}
