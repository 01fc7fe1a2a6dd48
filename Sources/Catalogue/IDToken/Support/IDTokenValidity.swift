import Conformance
import JSONTree

/// What every client asks of an ID Token before it believes it, whatever it was asked for with (Core section 3.1.3.7).
///
/// The tokens of the plain flows are judged rule by rule; all others by this, so that one of several servers that signs
/// with an old key is seen whichever conversation it answers. No finding holds a value that differs from token to
/// token: what is wrong with many is told once.
enum IDTokenValidity {
    /// - Parameter namesPartiesAnew: Whether issuer, subject and audience are judged here and not by a comparison.
    static func faults(_ token: RawIDToken, _ facts: Facts, namesPartiesAnew: Bool = true) -> [Finding] {
        // What was asked for cannot be read here; the checks of the plain flows are undecided for it.
        if token.isEncrypted, facts.expectsEncryption(token.asked) { return [] }
        guard let form = formFault(token) else {
            guard let header = token.facts.headerObject, let claims = token.facts.claimsObject else { return [] }
            return signatureFaults(token, header, facts) + (namesPartiesAnew ? partyFaults(token, claims, facts) : [])
                + timeFaults(token, claims, facts)
        }
        return [form]
    }

    private static func formFault(_ token: RawIDToken) -> Finding? {
        let parts = token.facts.partCount
        guard parts == 3, token.facts.partFaults.allSatisfy({ $0 == nil }) else {
            let fault = token.facts.partFaults.compactMap(\.self).first
            return fault.map { _ in parts == 3 } == true
                ? finding("is not encoded in base64url", found: fault?.shown(), "Encode every part without padding.")
                : finding("has another number of parts than three", found: "\(parts)", "Return a signed JWT.")
        }
        guard token.facts.headerObject != nil, token.facts.claimsObject != nil else {
            return finding("has a header or claims that are no JSON object", found: nil, "Encode JSON objects.")
        }
        return nil
    }

    private static func signatureFaults(_ token: RawIDToken, _ header: JSONObject, _ facts: Facts) -> [Finding] {
        guard token.facts.isVerified else {
            // Without a key set nothing can be said of a signature.
            guard facts.keySet.value != nil || !token.facts.trials.isEmpty else { return [] }
            let alg = header["alg"]?.stringValue ?? "none"
            return [
                finding(
                    "is not signed by a published key",
                    at: "signature",
                    found: "alg \(alg.shown()), which no published key verifies",
                    "Sign every ID Token with a published key: on every server, and for every kind of request."
                )
            ]
        }
        guard facts.keySet.value != nil, let kid = header["kid"]?.stringValue,
            token.facts.trials.contains(where: { $0.isVerified && $0.key != .clientSecret }),
            // A key need not state its kid (RFC 7517 section 4.5); the one that verified may be the one that is named.
            !facts.isPublished(kid), !facts.hasKeyWithoutName(for: header["alg"]?.stringValue)
        else { return SigningKey.obstacles("ID Token", token.facts, facts) }
        return [
            finding("names a key that is not published", at: "/kid", found: kid.shown(), "Write the signing key's kid.")
        ]
    }

    private static func partyFaults(_ token: RawIDToken, _ claims: JSONObject, _ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        // Where the flows bring tokens of issuers that discovery does not state, and a platform takes those, they may differ
        // from person to person.
        let flows = Conversations.idTokens.samples(facts).compactMap(\.observation.value)
        let isStated = flows.allSatisfy { $0.claims["iss"]?.stringValue.map(facts.isIssuer) ?? false }
        if isStated, claims["iss"]?.stringValue.map(facts.isIssuer) != true {
            findings.append(
                finding(
                    "names another issuer, or none",
                    at: "/iss",
                    expected: facts.issuer.shown(),
                    found: Finding.shown(claims["iss"], beside: facts.issuer.shown()),
                    "Issue every ID Token in the name of the issuer of the discovery document."
                )
            )
        }
        let audiences = claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.strings ?? []
        if !audiences.contains(where: { $0.hasSameOctets(as: token.asked.clientID) }) {
            findings.append(
                finding(
                    "is not meant for the client that asked",
                    at: "/aud",
                    expected: token.asked.clientID.shown(),
                    found: Finding.shown(claims["aud"], beside: token.asked.clientID.shown()),
                    "Write the client ID into aud of every ID Token."
                )
            )
        }
        if claims["sub"]?.stringValue?.isEmpty ?? true {
            findings.append(
                finding("names nobody", at: "/sub", found: claims["sub"]?.kind.phrase, "Write sub, a string.")
            )
        }
        return findings
    }

    private static func timeFaults(_ token: RawIDToken, _ claims: JSONObject, _ facts: Facts) -> [Finding] {
        let missing = ["exp", "iat"].filter { claims[$0]?.numberValue == nil }
            .map { name in
                finding(
                    "has no \(name), or one that is no number",
                    at: "/" + name,
                    expected: "seconds since 1970",
                    found: claims[name]?.kind.phrase,
                    "Write exp and iat, in seconds since 1970, into every ID Token."
                )
            }
        let receivedAt = token.facts.receivedAt
        let isOtherClock = ProviderTime.whyNot(token.place, claims, receivedAt, facts) != nil
        guard !isOtherClock, let exp = claims["exp"]?.numberValue, exp <= receivedAt - ProviderTime.leeway else {
            return missing
        }
        return missing + [
            finding(
                "had expired when it arrived",
                at: "/exp",
                expected: "a time to come",
                found: "a time before it arrived",
                "Let exp be some minutes after the moment of issue."
            )
        ]
    }

    private static func finding(
        _ what: String,
        at pointer: String? = nil,
        expected: String? = nil,
        found: String?,
        _ fix: String
    ) -> Finding {
        Finding(
            "An ID Token \(what); those of the plain flows are in order.",
            at: pointer,
            expected: expected,
            found: found ?? "missing",
            fix: fix
        )
    }
}
