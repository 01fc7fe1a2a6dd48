package import JSONTree

/// What the evidence says, parsed once, and the profile by whose rules it is read.
///
/// Checks see this and nothing else: no network, no clock. The time they judge at is ``observedAt``.
package struct Facts: Sendable {
    /// What was collected, without the experiments whose control broke.
    package let evidence: Evidence
    /// What was collected, as it came: for the few rules that read what a broken control answered.
    package let collected: Evidence
    /// The ordinary conversations, and what broke in them.
    package let ladder: Ladder
    package let profile: Profile
    package let metadata: Observation<Metadata>
    package let metadataAgain: Observation<Metadata>
    package let keySet: Observation<KeySet>
    package let keySetAgain: Observation<KeySet>

    package init(_ evidence: Evidence, profile: Profile) {
        collected = evidence
        self.profile = profile
        self.metadata = evidence.discovery.flatMap { Self.metadata($0, in: evidence) }
        self.metadataAgain = evidence.discoveryAgain.flatMap { Self.metadata($0, in: evidence) }
        self.keySet = evidence.keys.flatMap { Self.keySet($0, in: evidence) }
        ladder = Ladder(evidence, metadata.value)
        self.evidence = ladder.applied(to: evidence)
        self.keySetAgain = evidence.keysAgain.flatMap { Self.keySet($0, in: evidence) }
    }

    package var target: Target { evidence.target }
    /// The end of the collection, seconds since 1970: yesterday's run is judged by yesterday's clock.
    package var observedAt: Double { evidence.endedAt }

    static func metadata(_ document: Document, in evidence: Evidence) -> Observation<Metadata> {
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
    private static func object(
        of document: Document,
        named name: String,
        in evidence: Evidence
    ) -> Observation<(JSONDocument, JSONObject)> {
        if let response = evidence.exchange(document.exchange)?.response, !(200...299).contains(response.status) {
            return .absent("\(name) was answered with HTTP status \(response.status)")
        }
        guard let octets = document.body.octets else { return .absent("\(name) was not kept") }
        do {
            let parsed = try JSONDocument.parse(octets)
            guard let object = parsed.root.objectValue else {
                return .absent("\(name) is \(parsed.root.kind.phrase), not a JSON object")
            }
            return .observed((parsed, object))
        } catch {
            return .absent("\(name) is not JSON: \(error)")
        }
    }
}

/// The discovery document as a JSON object (OpenID Connect Discovery section 4.2).
package struct Metadata: Sendable {
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

    /// The elements of `keys`, whatever they are; empty when there is no such list.
    package var elements: [JSON] { object["keys"]?.arrayValue ?? [] }

    package var keys: [PublishedKey] {
        elements.enumerated()
            .compactMap { index, element in
                element.objectValue.map { PublishedKey(index: index, object: $0, exchange: exchange) }
            }
    }
}

/// One JWK of the published set.
package struct PublishedKey: Sendable {
    /// Its place in `keys`.
    package let index: Int
    package let object: JSONObject
    package let exchange: Int?

    package var pointer: String { "/keys/\(index)" }
    package var kid: String? { object["kid"]?.stringValue }

    /// How a report names it.
    package var label: String {
        "key \(index)" + (kid.map { " (kid \($0.quoted))" } ?? "")
    }
}

/// An ID Token whose header and claims are JSON objects.
package struct IDToken: Sendable {
    package let facts: TokenFacts
    package let header: JSONObject
    package let claims: JSONObject
    package let run: ScenarioRun
    package let place: IDTokenPlace

    package var alg: String? { header["alg"]?.stringValue }
}

/// Where an ID Token was returned.
package enum IDTokenPlace: String, Sendable {
    case authorizationEndpoint = "authorization endpoint"
    case tokenEndpoint = "token endpoint"
    /// Given on the command line.
    case handedIn = "token handed in"
}

/// An ID Token as it arrived, decodable or not.
package struct RawIDToken: Sendable {
    package let facts: TokenFacts
    package let run: ScenarioRun
    package let place: IDTokenPlace
}

/// A scenario whose authorization request was answered.
package struct AnsweredAuthorization: Sendable {
    package let run: ScenarioRun
    package let answer: AuthorizationAnswer

    /// Why the answer does not tell whether the request is granted; `nil` when it does.
    package var isUndecided: String? {
        guard let page = answer.page, !page.isError else { return nil }
        // No text says when an error must come: a provider may ask who is there first.
        return page.asksForSignIn
            ? "the provider asks for a sign-in before it looks at the request; the full tier shows what follows"
            : "\(page.phrase), has no form by which it could be told from an error page"
    }
}

/// A token request that was answered.
package struct AnsweredToken: Sendable {
    package let run: ScenarioRun
    package let answer: TokenAnswer
    package let response: Exchange.Response
    /// The body as JSON; `nil` when it is not.
    package let json: JSON?
}

/// A UserInfo request that was answered.
package struct AnsweredUserInfo: Sendable {
    package let run: ScenarioRun
    package let response: Exchange.Response
    package let json: JSON?
}
