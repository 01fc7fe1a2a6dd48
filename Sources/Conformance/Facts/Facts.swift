package import JSONTree
import Synchronization

/// The parsed evidence, and the profile whose rules apply.
///
/// Checks see only this: no network, no clock. Their time is ``observedAt``. It is a reference, because hundreds of checks pass
/// it on and nothing changes it.
package final class Facts: Sendable {
    /// The evidence without experiments whose baseline failed, and without inconclusive responses to experiments.
    package let evidence: Evidence
    /// The complete evidence: for the few rules that read the response to a failed baseline.
    package let collected: Evidence
    /// The ordinary scenarios, and what broke in them.
    package let signInSequence: SignInSequence
    /// Recorded if read: see ``verdict(of:)``.
    package var profile: Profile {
        hasReadProfile.store(true, ordering: .relaxed)
        return ownProfile
    }
    private let ownProfile: Profile
    private let hasReadProfile = Atomic(false)
    package let metadata: Observation<Metadata>
    let metadataRefetched: Observation<Metadata>
    package let keySet: Observation<KeySet>
    package let keySetRefetched: Observation<KeySet>
    /// The bodies of answers that are JSON.
    private let bodies: [EndpointAnswer: JSON]
    private let tokens: [TokenFacts: Observation<DecodedToken>]
    /// Results of queries and checks, for every profile.
    private let results: ResultCache

    package init(_ evidence: Evidence, profile: Profile) {
        results = ResultCache()
        collected = evidence
        ownProfile = profile
        self.metadata = evidence.discovery.flatMap { Self.metadata($0, in: evidence) }
        self.metadataRefetched = evidence.discoveryRefetched.flatMap { Self.metadata($0, in: evidence) }
        let keys = evidence.keys.flatMap { Self.keySet($0, in: evidence) }
        signInSequence = SignInSequence(evidence, metadata.value, hasKeys: keys.value != nil)
        var judged = signInSequence.applied(to: evidence).withoutOpenAnswers()
        judged.keys = signInSequence.explained(evidence.keys, as: .keys)
        self.evidence = judged
        keySet = signInSequence.explained(keys, as: .keys)
        self.keySetRefetched = evidence.keysRefetched.flatMap { Self.keySet($0, in: evidence) }
        let answers = evidence.runs.flatMap(\.answers)
        bodies = Dictionary(
            answers.compactMap { answer in answer.body.json.map { (answer, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let found = evidence.runs.flatMap(\.steps).compactMap(\.idToken) + answers.compactMap(\.jwt)
        tokens = Dictionary(found.map { ($0, DecodedToken.of($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same facts for another profile: nothing is parsed or evaluated again.
    package init(_ other: Facts, profile: Profile) {
        evidence = other.evidence
        collected = other.collected
        signInSequence = other.signInSequence
        ownProfile = profile
        metadata = other.metadata
        metadataRefetched = other.metadataRefetched
        keySet = other.keySet
        keySetRefetched = other.keySetRefetched
        bodies = other.bodies
        tokens = other.tokens
        results = other.results
    }

    /// The verdict of a check; evaluated once for all profiles if the check does not read the profile.
    ///
    /// To be called by one caller at a time.
    package func verdict(of check: Check) -> Verdict {
        if let verdict = results.verdict(of: check.id) { return verdict }
        hasReadProfile.store(false, ordering: .relaxed)
        let verdict = check.judge(self)
        if !hasReadProfile.load(ordering: .relaxed) { results.keep(verdict, of: check.id) }
        return verdict
    }

    /// The samples of a query.
    ///
    /// The query must not read the profile, because its samples are kept for every profile.
    func samples<Subject: Sendable>(of query: QueryIdentity, _ read: () -> [Sample<Subject>]) -> [Sample<Subject>] {
        results.samples(of: query, read)
    }

    /// The body of an answer as JSON; `nil` when it is not.
    package func json(of answer: EndpointAnswer) -> JSON? { bodies[answer] ?? answer.body.json }

    /// The header and the claims of a token.
    package func decoded(_ token: TokenFacts) -> Observation<DecodedToken> { tokens[token] ?? DecodedToken.of(token) }

    func decoded(_ token: RawIDToken) -> Observation<IDToken> {
        decoded(token.facts)
            .map {
                IDToken(
                    facts: token.facts,
                    header: $0.header,
                    claims: $0.claims,
                    asked: token.asked,
                    place: token.place
                )
            }
    }

    package var target: Target { evidence.target }
    /// The end of the collection, seconds since 1970: yesterday's run is evaluated with yesterday's clock.
    package var observedAt: Double { evidence.endedAt }

    package static func metadata(_ document: Document, in evidence: Evidence) -> Observation<Metadata> {
        object(of: document, named: "the discovery document", in: evidence)
            .map { parsed, object in
                Metadata(document: parsed, object: object, exchange: document.exchange)
            }
    }

    static func keySet(_ document: Document, in evidence: Evidence) -> Observation<KeySet> {
        object(of: document, named: "the key set", in: evidence)
            .map { parsed, object in
                KeySet(document: parsed, object: object, exchange: document.exchange)
            }
    }

    /// The document as a JSON object; absent when the answer was not a success or not an object.
    static func object(
        of document: Document,
        named name: String,
        in evidence: Evidence
    ) -> Observation<(JSONDocument, JSONObject)> {
        if let response = evidence.exchange(document.exchange)?.response, !(200...299).contains(response.status) {
            return .absent("\(name) has HTTP status \(response.status)")
        }
        guard let bytes = document.body.bytes else { return .absent("\(name) was not kept") }
        do {
            let parsed = try JSONDocument.parse(bytes)
            guard let object = parsed.root.objectValue else {
                return .absent("\(name) is \(parsed.root.kind.phrase), not a JSON object")
            }
            return .observed((parsed, object))
        } catch {
            return .absent("\(name) \(error.verdict): \(error)")
        }
    }
}

/// The discovery document as a JSON object (OpenID Connect Discovery section 4.2).
package struct Metadata: Sendable {
    /// The well-known part of the address of authorization server metadata (RFC 8414, section 3).
    package static let serverMetadataSuffix = "/.well-known/oauth-authorization-server"

    package let document: JSONDocument
    package let object: JSONObject
    package let exchange: Int?

    package subscript(name: String) -> JSON? { object[name] }

    package func has(_ name: String) -> Bool { object.has(name) }

    package func string(_ name: String) -> String? { object[name]?.stringValue }

    /// The member as a list of strings; `nil` when it is missing or anything else.
    package func strings(_ name: String) -> [String]? { object[name]?.strings }

    /// The member's strings, or the value that the specification gives to a missing member.
    package func strings(_ name: String, default fallback: [String]) -> [String] {
        object.has(name) ? strings(name) ?? [] : fallback
    }

    /// Client authentication methods at the token endpoint; `client_secret_basic` when the member is missing
    /// (Discovery section 3).
    package var tokenEndpointAuthMethods: [String] {
        strings("token_endpoint_auth_methods_supported", default: ["client_secret_basic"])
    }
}

/// The published JWK Set as a JSON object (RFC 7517 section 5).
package struct KeySet: Sendable {
    package let document: JSONDocument
    package let object: JSONObject
    package let exchange: Int?
    package let keys: [PublishedKey]
    /// The keys as checks read them, made once for all that do.
    let samples: [Sample<PublishedKey>]

    init(document: JSONDocument, object: JSONObject, exchange: Int?) {
        self.document = document
        self.object = object
        self.exchange = exchange
        keys = Self.elements(of: object).enumerated()
            .compactMap { index, element in
                element.objectValue.map { PublishedKey(index: index, object: $0, exchange: exchange) }
            }
        samples = keys.map { Sample(.observed($0), label: $0.label, exchange: exchange) }
    }

    /// The elements of `keys`, whatever they are; empty when there is no such list.
    package var elements: [JSON] { Self.elements(of: object) }

    private static func elements(of object: JSONObject) -> [JSON] { object["keys"]?.arrayValue ?? [] }
}

/// One JWK of the published set.
///
/// A reference, because some thirty checks hand each of up to thousands of keys on, and copying one must cost nothing.
package final class PublishedKey: Sendable {
    /// Its place in `keys`.
    package let index: Int
    package let object: JSONObject
    package let exchange: Int?
    package let kid: String?
    /// How a report names it.
    package let label: String
    /// Values that checks computed from it.
    package let cache = ValueCache()

    init(index: Int, object: JSONObject, exchange: Int?) {
        self.index = index
        self.object = object
        self.exchange = exchange
        kid = object["kid"]?.stringValue
        label = "key \(index)" + (kid.map { " (kid \($0.quoted))" } ?? "")
    }

    package var pointer: String { "/keys/\(index)" }
}

/// Header and claims of a decoded token.
package struct DecodedToken: Sendable {
    package let header: JSONObject
    package let claims: JSONObject

    fileprivate static func of(_ token: TokenFacts) -> Observation<DecodedToken> {
        guard let header = token.header?.json?.objectValue else {
            return .absent("the ID Token's header could not be decoded")
        }
        guard let claims = token.claims?.json?.objectValue else {
            return .absent("the ID Token's claims could not be decoded")
        }
        return .observed(DecodedToken(header: header, claims: claims))
    }
}

extension Body {
    /// The body as JSON; `nil` when it is not.
    package var json: JSON? { bytes.flatMap { try? JSONDocument.parse($0).root } }
}

extension ScenarioRun {
    /// Every answer of an endpoint that the client called by itself.
    fileprivate var answers: [EndpointAnswer] {
        let registrations = [
            registration?.answer, registration?.reading, registration?.readingWithoutToken, registration?.deletion,
        ]
        .compactMap { $0?.value }
        return steps.compactMap(\.answer.value) + registrations
    }
}

/// A step of a scenario as checks see it: the request, and the other results of its authorization request.
package struct StepEvidence: Sendable {
    package let run: ScenarioRun
    package let step: StepRun

    package init(_ run: ScenarioRun, _ step: StepRun) {
        self.run = run
        self.step = step
    }

    package var scenario: ScenarioID { run.scenario }
    package var clientID: String { run.clientID }
    package var responseType: ResponseType { run.responseType }
    package var title: String { step.title }
    /// The parameters of the authorization request that the step makes, or completes, as sent.
    package var sent: [Field] { run[step.id.completed]?.sent ?? [] }
    package var authorization: Observation<AuthorizationAnswer> { run.authorization(step.id.completed) }
    package var token: Observation<EndpointAnswer> { run.answer(step.id.completed.token) }
    package var userInfo: Observation<EndpointAnswer> { run.userInfo }

    package func sentParameter(_ name: String) -> String? { sent.first { $0.name == name }?.value }

    /// The metadata member of the endpoint that the step calls; `nil` for an authorization request.
    var endpoint: String? { Scenario.named(scenario)?.step(step.id)?.call?.endpoint }
}

/// An ID Token whose header and claims are JSON objects.
package struct IDToken: Sendable {
    package let facts: TokenFacts
    package let header: JSONObject
    package let claims: JSONObject
    package let asked: StepEvidence
    package let place: IDTokenPlace

    package var alg: String? { header["alg"]?.stringValue }
}

/// The endpoint that returned an ID Token.
package enum IDTokenPlace: String, Sendable {
    case authorizationEndpoint = "authorization endpoint"
    case tokenEndpoint = "token endpoint"
    /// Given on the command line.
    case offlineInput = "the given token"
}

/// An ID Token as it arrived, decodable or not.
package struct RawIDToken: Sendable {
    package let facts: TokenFacts
    package let asked: StepEvidence
    package let place: IDTokenPlace

    package init(facts: TokenFacts, asked: StepEvidence, place: IDTokenPlace) {
        self.facts = facts
        self.asked = asked
        self.place = place
    }
}

/// A scenario whose authorization request was answered.
package struct AuthorizationResult: Sendable {
    package let asked: StepEvidence
    package let answer: AuthorizationAnswer

    package let outcome: Outcome

    /// Why the response does not show whether the request is granted; `nil` when it does.
    package var isInconclusive: String? { outcome.open?.reason.text }

    /// The error with which the request was rejected, by a redirect or when it was pushed; `nil` without one.
    package var errorCode: String? {
        if case .refused(.error(let code)) = outcome { code } else { nil }
    }
}

/// A call that was answered.
package struct CallResult: Sendable {
    package let asked: StepEvidence
    package let answer: EndpointAnswer
    package let response: Exchange.Response
    /// The body as JSON; `nil` when it is not.
    package let json: JSON?
    package let outcome: Outcome
}
