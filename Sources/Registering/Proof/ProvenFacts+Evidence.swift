package import Conformance
internal import JSONTree

extension ProvenFacts {
    /// The facts that the flows of a run proved.
    package init(_ evidence: Evidence) {
        var flows: [ProvenFlow] = []
        var failures: [Failure] = []
        for type in evidence.target.flows {
            let outcome = Self.outcome(of: type, in: evidence)
            if let flow = outcome.value { flows.append(flow) }
            if let why = outcome.whyNot { failures.append(Failure(responseType: type, reason: why.text)) }
        }
        let isPrivate = evidence.hosts.contains { $0.tls.value?.usedPrivateAuthority == true }
        self.init(
            flows: flows,
            failures: failures,
            oauth1: evidence.oauth1.map { Self.proof($0, evidence) },
            endpoints: Self.endpoints(evidence),
            usedPrivateAuthority: isPrivate
        )
    }

    private static func endpoints(_ evidence: Evidence) -> [String: String] {
        let metadata = evidence.discovery.flatMap { Facts.metadata($0, in: evidence) }.value
        let names = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in metadata?.string(name).map { (name, $0) } })
    }

    /// A sign-in with OAuth 1.0a is complete once the provider has issued token credentials.
    private static func proof(_ run: OAuth1Run, _ evidence: Evidence) -> OAuth1Proof {
        let outcomes = run.sessions.map { _, session in evidence.arrival(by: session) }
        var proof = OAuth1Proof(signIns: 0)
        for outcome in outcomes {
            if outcome.value != nil { proof.signIns += 1 }
            proof.failure = proof.failure ?? outcome.whyNot?.text
        }
        return proof
    }

    private static func outcome(of type: ResponseType, in evidence: Evidence) -> Observation<ProvenFlow> {
        evidence.arrival(by: type)
            .map { arrival in flow(arrival.run, arrival.answer, token: arrival.token, evidence) }
            .flatMap(complete)
    }

    /// A flow with an ID Token must have returned one with a verified signature.
    private static func complete(_ flow: ProvenFlow) -> Observation<ProvenFlow> {
        guard flow.responseType.hasIDToken, flow.algorithm == nil else { return .observed(flow) }
        return .absent("it returned no ID Token with a verified signature")
    }

    private static func flow(
        _ run: ScenarioRun,
        _ answer: AuthorizationAnswer,
        token: EndpointAnswer?,
        _ evidence: Evidence
    ) -> ProvenFlow {
        let asked = words(run.sentParameter("scope") ?? evidence.target.scopes.joined(separator: " "))
        let granted = granted(token, evidence.target)
        // `openid` is not a permission but the kind of the request; providers omit it from their lists.
        let refused = granted.map { granted in asked.filter { $0 != "openid" && !granted.contains($0) } } ?? []
        let idTokens = [token?.idToken, answer.idToken].compactMap { $0 }
            .filter { $0.trials.contains(where: \.isVerified) }
        let userInfo = run.userInfo.value
        let exchange = userInfo.flatMap { evidence.exchange($0.exchange) }
        let isAnswered = exchange?.response?.status == 200
        return ProvenFlow(
            responseType: run.responseType,
            clientID: run.clientID,
            scopes: asked.filter { !refused.contains($0) },
            refusedScopes: refused,
            idTokenClaims: merged(idTokens.map { claims(object($0.claims)) }),
            userInfoClaims: isAnswered ? claims(object(userInfo?.body)) : [],
            algorithm: idTokens.compactMap { object($0.header)?["alg"]?.stringValue }.first,
            sentPKCE: run.sentParameter("code_challenge") != nil,
            userInfoMethod: isAnswered ? exchange?.request.method : nil
        )
    }

    /// The scopes of the token response; `nil` if it has none, or if they cannot be compared.
    ///
    /// Providers such as GitHub return their own names for equivalent scopes.
    private static func granted(_ token: EndpointAnswer?, _ target: Target) -> [String]? {
        if ProviderName.isKnownToFirebase(target) { return nil }
        return token.flatMap { object($0.body)?["scope"]?.stringValue }.map(words)
    }

    private static func claims(_ object: JSONObject?) -> [ProvenClaim] {
        (object?.members ?? []).map { ProvenClaim($0.name, kind(of: $0.value)) }
    }

    private static func kind(of value: JSON) -> ProvenClaim.Kind {
        switch value {
        case .string: .text
        case .integer, .bigInteger, .real: .number
        case .bool: .flag
        case .array: value.strings == nil ? .other : .texts
        case .null, .object: .other
        }
    }

    private static func merged(_ lists: [[ProvenClaim]]) -> [ProvenClaim] {
        var result: [ProvenClaim] = []
        for claim in lists.joined() where !result.contains(where: { $0.name == claim.name }) { result.append(claim) }
        return result
    }

    private static func object(_ body: Body?) -> JSONObject? {
        body?.bytes.flatMap { bytes in try? JSONDocument.parse(bytes).root.objectValue }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
