import Conformance
import JSONTree
import ReferenceProvider

/// A provider that exists only as documents; its evidence is that of a run, without a network.
struct DocumentProvider {
    static let issuer = "https://127.0.0.1:8443"
    static let now = 1_900_000_000.0

    /// Whether the request for the document goes to an address without one.
    private var isMissed = false
    var target = Target(issuer: issuer)
    var discovery: JSONObject = reference
    var keySet: JSONObject = ["keys": .array([rsaKey])]
    var hooks = Hooks()
    /// The requirements of a platform.
    var parameters = ProfileParameters()
    /// The host of the connection.
    var hostName = "127.0.0.1"

    init() {
        target.scopes = ["openid", "profile", "email"]
        target.flows = ["code", "id_token", "id_token token"]
        target.client = Client(id: "client", authentication: .clientSecretBasic, hasSecret: true)
    }

    /// The provider with a fault; the persona with several keys has one for ES256.
    init(_ fault: Fault) {
        self.init()
        if fault.persona == .manyKeys { keySet.append(Self.ecKey, to: "keys") }
        // The authority of a certificate matters only for a public host.
        if fault.trips == "transport.authority.is-public" { hostName = "op.example" }
        fault.change(&hooks)
        fault.configure(&target)
        fault.demand(&parameters)
        isMissed = target.issuer.contains("/.well-known/")
    }

    /// The verdict of one check.
    func judge(_ check: Check) -> Verdict { check.judge(facts) }

    /// The identifiers of the checks that fail and are not superseded by another failure.
    func failures(of checks: [Check]) -> Set<CheckID> {
        let facts = facts
        let failed = checks.filter { if case .failed = $0.judge(facts) { true } else { false } }
        let ids = Set(failed.map(\.id))
        return Set(failed.filter { ids.isDisjoint(with: $0.supersededBy) }.map(\.id))
    }

    var facts: Facts {
        var profile = Profile(name: "test", title: "Test")
        profile.parameters = parameters
        return Facts(evidence, profile: profile)
    }

    var evidence: Evidence {
        var evidence = Evidence(tool: "test", startedAt: Self.now, target: target, tier: .static, because: "not asked")
        let wellKnown = target.issuer + "/.well-known/openid-configuration"
        for again in [false, true] {
            let metadata = fetch(.discovery, wellKnown, again, into: &evidence) {
                var document = discovery
                hooks.discovery(&document, Self.issuer)
                return document
            }
            let address = metadata.value?.body.bytes
                .flatMap { try? JSONDocument.parse($0).root["jwks_uri"]?.stringValue }
            let keys: Observation<Document> =
                if let address {
                    fetch(.keys, address, again, into: &evidence) {
                        var set = keySet
                        hooks.keySet(&set)
                        return set
                    }
                } else {
                    .absent("there is no jwks_uri")
                }
            if again {
                (evidence.discoveryRefetched, evidence.keysRefetched) = (metadata, keys)
            } else {
                (evidence.discovery, evidence.keys) = (metadata, keys)
            }
        }
        evidence.serverMetadata = serverMetadata(into: &evidence)
        evidence.webFinger = webFinger(into: &evidence)
        evidence.hosts = [host]
        evidence.refetches = second(wellKnown, into: &evidence)
        return evidence
    }

    private func serverMetadata(into evidence: inout Evidence) -> Observation<Document> {
        var object = discovery
        hooks.discovery(&object, Self.issuer)
        var answer = HTTPAnswer(status: 200, headers: Self.headers, body: Array(object.serialized().utf8))
        hooks.serverMetadata(&answer)
        return document("authorization server metadata", "oauth-authorization-server", answer, into: &evidence)
    }

    private func webFinger(into evidence: inout Evidence) -> Observation<Document>? {
        guard target.webFinger != nil else { return nil }
        let object: JSON = ["links": [["rel": .string(WebFinger.relation), "href": .string(Self.issuer)]]]
        var answer = HTTPAnswer(status: 200, headers: Self.headers, body: Array(object.serialized().utf8))
        hooks.webFinger(&answer)
        return document("WebFinger", "webfinger", answer, into: &evidence)
    }

    private func document(
        _ step: String,
        _ name: String,
        _ answer: HTTPAnswer,
        into evidence: inout Evidence
    ) -> Observation<Document> {
        let exchange = Exchange(
            id: evidence.exchanges.count,
            step: step,
            request: .init(method: "GET", url: Self.issuer + "/.well-known/" + name),
            response: .init(status: answer.status, headers: answer.headers, body: Body(answer.body)),
            startedAt: Self.now
        )
        evidence.exchanges.append(exchange)
        return .observed(Document(origin: .exchange(exchange.id), body: Body(answer.body)))
    }

    /// The documents for other user agents, and at two addresses.
    private func second(_ wellKnown: String, into evidence: inout Evidence) -> Refetches {
        var second = Refetches()
        for document in [PublicDocument.discovery, .keys] {
            for agent in AgentAnswer.Agent.all(of: document) {
                let userAgent = agent == .browser ? "Mozilla/5.0" : agent == .none ? nil : "tool"
                var visitor = Visitor(userAgent: userAgent, method: agent == .head ? "HEAD" : "GET")
                if agent == .forwarded {
                    for (field, host) in AgentAnswer.forwardedHosts {
                        visitor.forwardedHosts[field.lowercased()] = host
                    }
                }
                let answer = fetch(document, visitor, wellKnown, into: &evidence)
                second.agents.append(AgentAnswer(document: document, agent: agent, answer: answer))
            }
            for address in Persona.publicName.addresses {
                let answer: Observation<Document> =
                    hooks.listens(address)
                    ? fetch(document, Visitor(userAgent: "tool", address: address), wellKnown, into: &evidence)
                    : .absent("the connection was refused")
                second.addresses.append(
                    AddressAnswer(host: hostName, address: address, document: document, answer: answer)
                )
            }
        }
        return second
    }

    private func fetch(
        _ document: PublicDocument,
        _ visitor: Visitor,
        _ wellKnown: String,
        into evidence: inout Evidence
    ) -> Observation<Document> {
        let isDiscovery = document == .discovery
        return fetch(isDiscovery ? .discovery : .keys, isDiscovery ? wellKnown : "", true, visitor, into: &evidence) {
            var object = isDiscovery ? discovery : keySet
            if isDiscovery { hooks.discovery(&object, Self.issuer) } else { hooks.keySet(&object) }
            return object
        }
    }

    /// Requests a document, and follows a redirect once, as the collector would.
    private func fetch(
        _ endpoint: Endpoint,
        _ url: String,
        _ again: Bool,
        _ visitor: Visitor = Visitor(userAgent: "tool"),
        into evidence: inout Evidence,
        _ document: () -> JSONObject
    ) -> Observation<Document> {
        var last: Exchange?
        for _ in 1...2 {
            var answer = HTTPAnswer(status: 200, headers: Self.headers, body: Array(document().serialized().utf8))
            hooks.answer(endpoint, &answer)
            hooks.answerTo(visitor, endpoint, &answer)
            if endpoint == .discovery, isMissed { answer.status = 404 }
            let exchange = Exchange(
                id: evidence.exchanges.count,
                step: endpoint.rawValue,
                request: .init(method: "GET", url: url),
                response: .init(status: answer.status, headers: answer.headers, body: Body(answer.body)),
                startedAt: Self.moment(of: answer)
            )
            evidence.exchanges.append(exchange)
            if !again {
                if endpoint == .discovery { evidence.discoveryHops.append(exchange.id) }
                if endpoint == .keys { evidence.keysHops.append(exchange.id) }
            }
            last = exchange
            if !(300...399).contains(answer.status) { break }
        }
        guard let last, let response = last.response else { return .absent("no answer") }
        return .observed(Document(origin: .exchange(last.id), body: response.body))
    }

    /// Faults set `Date` to the real time; everything else uses a fixed time.
    private static func moment(of answer: HTTPAnswer) -> Double {
        let stated = answer.headers.first { $0.name == "Date" }.flatMap { HTTPDate.seconds($0.value) }
        return stated == nil || stated == now ? now : machineTime()
    }

    private var host: HostObservation {
        var answer = HTTPAnswer(status: 200, headers: Self.headers, body: [])
        hooks.answer(.other, &answer)
        let hsts = answer.headers.first { $0.name == "Strict-Transport-Security" }?.value
        return HostObservation(
            host: hostName,
            port: 8_443,
            members: ["issuer"],
            tls: .observed(tls),
            strictTransportSecurity: hsts
        )
    }

    private var tls: TLSFacts {
        let days = hooks.certificate == .expiresSoon ? 5.0 : 300.0
        let own = CertificateFacts(
            subject: "CN=127.0.0.1",
            issuer: "CN=Intermediate",
            names: hooks.certificate == .commonNameOnly ? [] : ["127.0.0.1"],
            notBefore: Self.now - 86_400,
            notAfter: Self.now + days * 86_400,
            sha256: "00",
            isSelfSigned: false
        )
        if hooks.tlsVersions == .obsolete {
            return TLSFacts(version: nil, chain: [], verification: .refused(reason: .protocolTooOld, detail: "too old"))
        }
        let refusal: TLSFacts.Refusal? =
            switch hooks.certificate {
            case .good, .expiresSoon, .commonNameOnly: nil
            case .expired: .expired
            case .wrongName: .hostNameMismatch
            case .untrusted: .untrusted
            case .intermediateMissing: .intermediateMissing
            case .notYetValid: .notYetValid
            }
        return TLSFacts(
            version: "TLSv1.3",
            chain: [own],
            verification: refusal.map { .refused(reason: $0, detail: "refused") } ?? .verified,
            usedPrivateAuthority: true
        )
    }

    private static let headers = [
        Field("Content-Type", "application/json"), Field("Cache-Control", "public, max-age=300"),
        Field("Date", HTTPDate.text(now)), Field("Strict-Transport-Security", "max-age=31536000"),
    ]
}
