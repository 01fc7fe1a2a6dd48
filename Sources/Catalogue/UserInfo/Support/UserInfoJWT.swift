import Conformance
import JSONTree

/// Rules for signed UserInfo of configured and of dynamically registered clients (Core section 5.3.2).
enum UserInfoJWT {
    static func signatureFaults(_ jwt: TokenFacts, _ facts: Facts) -> [Finding] {
        if jwt.isVerified { return SigningKey.blockers("UserInfo response", jwt, facts) }
        return [
            Finding(
                "The signature of UserInfo does not verify with any published key.",
                at: "signature",
                expected: "a signature by a key in the key set",
                found: jwt.trials.first?.reason?.shown() ?? "no matching published key",
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
                "Signed UserInfo does not have the issuer as iss.",
                expected: facts.issuer.shown(),
                found: iss,
                fix: "Set iss of signed UserInfo to the issuer."
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
                "Signed UserInfo does not contain the client ID in aud.",
                expected: clientID.shown(),
                found: aud,
                fix: "Add the client ID to aud of signed UserInfo."
            )
        ]
    }
}
