import Conformance
import JSONTree

/// The validation that every client performs on an ID Token (Core section 3.1.3.7), whatever the request was.
///
/// The tokens of the plain flows are checked rule by rule; all others are checked here. This detects one server of
/// several that signs with an old key, in whichever scenario it responds. No finding contains a value that differs
/// from token to token, so that a fault of many tokens is reported once.
enum IDTokenValidity {
    /// A fault whose own check the profile lowers is left out: the platform accepts it in every token.
    ///
    /// - Parameter checksParties: Whether issuer, subject and audience are checked here and not by a comparison.
    static func faults(_ token: RawIDToken, _ facts: Facts, checksParties: Bool = true) -> [Finding] {
        // A token that is encrypted as registered cannot be read here; the checks of the plain flows are inconclusive.
        if token.isEncrypted, facts.isRegisteredForEncryption(token) { return [] }
        guard let form = formFault(token) else {
            guard let header = token.facts.headerObject, let claims = token.facts.claimsObject else { return [] }
            let faults =
                signatureFaults(token, header, facts) + (checksParties ? partyFaults(token, claims, facts) : [])
                + timeFaults(token, claims, facts)
            return faults.filter { !facts.profile.lowers($0.check) }.map(\.finding)
        }
        return [form]
    }

    /// A fault, and the check that reports it for the tokens of the plain flows.
    private typealias Fault = (check: CheckID, finding: Finding)

    private static func formFault(_ token: RawIDToken) -> Finding? {
        let parts = token.facts.partCount
        guard parts == 3, token.facts.partFaults.allSatisfy({ $0 == nil }) else {
            let fault = token.facts.partFaults.compactMap(\.self).first
            return fault.map { _ in parts == 3 } == true
                ? finding(
                    "is not valid base64url",
                    found: fault?.shown(),
                    "Encode every part in base64url without padding."
                )
                : finding(
                    "does not have three parts",
                    found: counted(parts, "part"),
                    "Return the ID Token as a signed JWT in compact form."
                )
        }
        guard token.facts.headerObject != nil, token.facts.claimsObject != nil else {
            return finding(
                "has a header or claims that are not a JSON object",
                found: nil,
                "Encode the header and the claims as JSON objects."
            )
        }
        return nil
    }

    private static func signatureFaults(_ token: RawIDToken, _ header: JSONObject, _ facts: Facts) -> [Fault] {
        guard token.facts.isVerified else {
            // Without a key set the signature cannot be checked.
            guard facts.keySet.value != nil || !token.facts.trials.isEmpty else { return [] }
            let alg = header["alg"]?.stringValue ?? "none"
            let unsigned = finding(
                "is not signed with a published key",
                at: "signature",
                found: "alg \(alg.shown()), which no published key verifies",
                "Sign every ID Token with a published key, on every server and for every kind of request."
            )
            return [("idtoken.signature.verifies", unsigned)]
        }
        guard facts.keySet.value != nil, let kid = header["kid"]?.stringValue,
            token.facts.trials.contains(where: { $0.isVerified && $0.key != .clientSecret }),
            // kid is optional in a key (RFC 7517 section 4.5); the key that verified may be the one that is named.
            !facts.isPublished(kid), !facts.hasKeyWithoutName(for: header["alg"]?.stringValue)
        else {
            return SigningKey.blockers("ID Token", token.facts, facts)
                .map { ("idtoken.signature.key-is-for-signatures", $0) } + algorithmFaults(token, header, facts)
        }
        let unknown = finding(
            "names a key that is not published",
            at: "/kid",
            found: kid.shown(),
            "Set kid in the header to the kid of the published signing key."
        )
        return [("idtoken.kid.is-published", unknown)]
    }

    /// A client has one algorithm for all its tokens (Registration section 2): the checks of the plain flows are about that one.
    private static func algorithmFaults(_ token: RawIDToken, _ header: JSONObject, _ facts: Facts) -> [Fault] {
        let usual = Set(
            StepResults.idTokens.samples(facts).compactMap(\.observation.value)
                .filter { $0.asked.clientID == token.asked.clientID }.compactMap(\.alg)
        )
        guard let alg = header["alg"]?.stringValue, !usual.isEmpty, !usual.contains(alg) else { return [] }
        let other = finding(
            "is signed with an algorithm other than that of the tokens of the flows",
            at: "/alg",
            expected: usual.sorted().joined(separator: ", ").shown(),
            found: alg.shown(),
            "Sign every ID Token of a client with its registered algorithm, which is RS256 by default."
        )
        return [("idtoken.alg.is-the-registered", other)]
    }

    private static func partyFaults(_ token: RawIDToken, _ claims: JSONObject, _ facts: Facts) -> [Fault] {
        var faults: [Fault] = []
        let isStated = { (claims: JSONObject) in claims["iss"]?.stringValue.map(facts.isIssuer) ?? false }
        // If the flows return tokens of issuers that discovery does not state, and a platform accepts those, the issuer
        // may differ from user to user.
        let flows = StepResults.idTokens.samples(facts).lazy.compactMap(\.observation.value)
        if !isStated(claims), flows.allSatisfy({ isStated($0.claims) }) {
            let other = finding(
                "has a wrong iss, or none",
                at: "/iss",
                expected: facts.issuer.shown(),
                found: Finding.shown(claims["iss"], beside: facts.issuer.shown()),
                "Set iss of every ID Token to the issuer of the discovery document."
            )
            faults.append(("idtoken.iss.matches-issuer", other))
        }
        let audiences = claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.strings ?? []
        if !audiences.contains(where: { $0.hasSameBytes(as: token.asked.clientID) }) {
            let other = finding(
                "does not name the requesting client in aud",
                at: "/aud",
                expected: token.asked.clientID.shown(),
                found: Finding.shown(claims["aud"], beside: token.asked.clientID.shown()),
                "Add the client ID to aud of every ID Token."
            )
            faults.append(("idtoken.aud.holds-client", other))
        }
        if claims["sub"]?.stringValue?.isEmpty ?? true {
            let unusable = finding(
                "has no usable sub",
                at: "/sub",
                found: claims["sub"]?.kind.phrase,
                "Set sub of every ID Token to a string that is not empty."
            )
            faults.append((claims.has("sub") ? "idtoken.sub.is-a-string" : "idtoken.sub.is-present", unusable))
        }
        return faults
    }

    private static func timeFaults(_ token: RawIDToken, _ claims: JSONObject, _ facts: Facts) -> [Fault] {
        let missing = ["exp", "iat"].filter { claims[$0]?.numberValue == nil }
            .map { name -> Fault in
                let missing = finding(
                    "has no numeric \(name)",
                    at: "/" + name,
                    expected: "seconds since 1970",
                    found: claims[name]?.kind.phrase,
                    "Add exp and iat, in seconds since 1970, to every ID Token."
                )
                return (CheckID("idtoken.\(name).\(claims.has(name) ? "is-a-number" : "is-present")"), missing)
            }
        let receivedAt = token.facts.receivedAt
        let isOtherClock = ProviderTime.whyNot(token.place, claims, receivedAt, facts) != nil
        guard !isOtherClock, let exp = claims["exp"]?.numberValue, exp <= receivedAt - ProviderTime.leeway else {
            return missing
        }
        let expired = finding(
            "had expired when it arrived",
            at: "/exp",
            expected: "a time in the future",
            found: "a time before it arrived",
            "Set exp to some minutes after the time of issue."
        )
        return missing + [("idtoken.exp.is-in-the-future", expired)]
    }

    private static func finding(
        _ what: String,
        at pointer: String? = nil,
        expected: String? = nil,
        found: String?,
        _ fix: String
    ) -> Finding {
        Finding("An ID Token \(what).", at: pointer, expected: expected, found: found ?? "missing", fix: fix)
    }
}
