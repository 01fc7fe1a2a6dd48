/// A place in the evidence that checks read, with what must be collected for it.
package struct Query<Subject: Sendable>: Sendable {
    package let name: String
    package let needs: Set<Need>
    /// The explicit ``features``; needed for few checks of a run, so not computed at every start.
    private let statedFeatures: @Sendable () -> Set<Feature>?
    /// The reason given when there is no subject at all: nothing to check.
    package let whenEmpty: String
    private let read: @Sendable (Facts) -> [Sample<Subject>]
    /// Copies of a query are one query.
    private let identity = QueryIdentity()

    /// The features that a relying party must use to be affected; empty if every one is.
    package var features: Set<Feature> { statedFeatures() ?? needs.features }

    /// - Parameter features: `nil` for what all that is collected has in common.
    package init(
        _ name: String,
        needs: Set<Need>,
        features: @autoclosure @escaping @Sendable () -> Set<Feature>? = nil,
        whenEmpty: String = "nothing of this kind was found",
        samples: @escaping @Sendable (Facts) -> [Sample<Subject>]
    ) {
        self.name = name
        self.needs = needs
        statedFeatures = features
        self.whenEmpty = whenEmpty
        read = samples
    }

    /// The subjects that are in the evidence, in its order; read once of the same evidence, however many checks ask.
    package func samples(_ facts: Facts) -> [Sample<Subject>] {
        facts.samples(of: identity) { read(facts) }
    }

    /// A query with more required evidence than its own, or with subjects left out or changed.
    package func narrowed<Other>(
        _ name: String,
        needing more: Set<Need> = [],
        whenEmpty: String? = nil,
        _ transform: @escaping @Sendable (Sample<Subject>, Facts) -> Sample<Other>?
    ) -> Query<Other> {
        Query<Other>(
            name,
            needs: needs.union(more),
            features: more.contains(.scripts) ? features.union([.scripts]) : features,
            whenEmpty: whenEmpty ?? self.whenEmpty
        ) { facts in
            samples(facts).compactMap { transform($0, facts) }
        }
    }
}

/// One subject of a query.
package struct Sample<Subject: Sendable>: Sendable {
    /// Which of several: a flow, a key, a host; `nil` when there is only one.
    package let label: String?
    /// The exchange that findings are pinned to when they name none.
    package let exchange: Int?
    package let observation: Observation<Subject>

    package init(_ observation: Observation<Subject>, label: String? = nil, exchange: Int? = nil) {
        self.observation = observation
        self.label = label
        self.exchange = exchange
    }

    /// Whether the run requested it, whatever the result.
    package var wasTried: Bool { observation.wasTried }

    /// The sample under another name.
    package func labelled(_ label: String?) -> Sample { Sample(observation, label: label, exchange: exchange) }
}

/// The queries of the static tier.
package enum Documents {
    private static let fromFile = "the document was read from a file, so there is no HTTP response"

    /// The response to the first request for the discovery document, redirect or not.
    package static let discoveryResponse = Query<Exchange>("discovery response", needs: [.discovery]) { facts in
        [response(facts.evidence.discovery, hops: facts.evidence.discoveryHops, facts)]
    }

    package static let discovery = Query<Metadata>("discovery document", needs: [.discovery]) { facts in
        [Sample(facts.metadata, exchange: facts.metadata.value?.exchange)]
    }

    /// The discovery document at the beginning and at the end of the run, and whenever another agent asked meanwhile.
    package static let discoveryTwice = Query<(Metadata, Metadata)>(
        "discovery document, twice",
        needs: [.discovery, .again]
    ) { facts in
        [Sample(facts.metadata.flatMap { first in facts.metadataRefetched.map { (first, $0) } })]
            + meanwhile(.discovery, facts.metadata, facts) { Facts.metadata($0, in: facts.evidence).value }
    }

    /// The response to the first request for the key set, redirect or not.
    package static let keysResponse = Query<Exchange>("key set response", needs: [.discovery, .keys]) { facts in
        [response(facts.evidence.keys, hops: facts.evidence.keysHops, facts)]
    }

    package static let keySet = Query<KeySet>("key set", needs: [.discovery, .keys]) { facts in
        [Sample(facts.keySet, exchange: facts.keySet.value?.exchange)]
    }

    package static let keySetTwice = Query<(KeySet, KeySet)>(
        "key set, twice",
        needs: [.discovery, .keys, .again]
    ) { facts in
        [Sample(facts.keySet.flatMap { first in facts.keySetRefetched.map { (first, $0) } })]
            + meanwhile(.keys, facts.keySet, facts) { Facts.keySet($0, in: facts.evidence).value }
    }

    /// The first document with each that another agent was given: of servers that take turns, one answered these.
    private static func meanwhile<Parsed>(
        _ document: PublicDocument,
        _ first: Observation<Parsed>,
        _ facts: Facts,
        _ parse: (Document) -> Parsed?
    ) -> [Sample<(Parsed, Parsed)>] {
        guard let first = first.value else { return [] }
        return (facts.evidence.refetches?.agents ?? []).filter { $0.document == document && $0.agent.isAlike }
            .compactMap { $0.answer.value.flatMap(parse) }
            .map { Sample(.observed((first, $0))) }
    }

    /// Every JWK of the published set that is a JSON object.
    package static let eachKey = Query<PublishedKey>(
        "each published key",
        needs: [.discovery, .keys],
        whenEmpty: "the key set contains no key"
    ) { facts in
        guard let set = facts.keySet.value else { return [Sample(facts.keySet.flatMap { _ in .absent("no key set") })] }
        return set.samples
    }

    /// Discovery document and key set together.
    package static let discoveryAndKeys = Query<(Metadata, KeySet)>(
        "discovery document and key set",
        needs: [.discovery, .keys]
    ) { facts in
        [
            Sample(
                facts.metadata.flatMap { metadata in facts.keySet.map { (metadata, $0) } },
                exchange: facts.keySet.value?.exchange
            )
        ]
    }

    /// The key set, with the discovery document if one was given.
    package static let keysAndDiscovery = Query<(Metadata?, KeySet)>(
        "key set, with the discovery document",
        needs: discoveryAndKeys.needs
    ) { facts in
        // Only a key set that was given alone is read without a document.
        if case .notAttempted = facts.evidence.discovery, case .file? = facts.evidence.keys.value?.origin {
            return [Sample(facts.keySet.map { (nil, $0) })]
        }
        return discoveryAndKeys.samples(facts)
            .map { sample in
                Sample(sample.observation.map { ($0.0, $0.1) }, label: sample.label, exchange: sample.exchange)
            }
    }

    /// Every host of the provider that clients reach over https.
    package static let hosts = Query<HostObservation>(
        "TLS of each host",
        needs: [.discovery, .hosts],
        whenEmpty: "no endpoint uses https"
    ) { facts in
        facts.evidence.hosts.filter(\.matters)
            .map { host in
                // A host without a planned TLS connection shows nothing about https.
                if case .notAttempted(let why) = host.tls { return Sample(.notAttempted(why), label: host.label) }
                return Sample(.observed(host), label: host.label)
            }
    }

    /// The TLS handshake of every host of the provider that clients reach over https.
    package static let handshakes = Query<TLSFacts>(
        "TLS handshake of each host",
        needs: [.discovery, .hosts],
        whenEmpty: "no endpoint uses https"
    ) { facts in
        facts.evidence.hosts.filter(\.matters).map { Sample($0.tls, label: $0.label) }
    }

    /// The target as configured; nothing is sent for it.
    package static let target = Query<Target>("configuration", needs: []) { facts in
        [Sample(.observed(facts.target))]
    }

    private static func response(
        _ document: Observation<Document>,
        hops: [Int],
        _ facts: Facts
    ) -> Sample<Exchange> {
        if let exchange = facts.evidence.exchange(hops.first) {
            guard exchange.response != nil, exchange.failure == nil else {
                return Sample(.absent(exchange.failure?.reason ?? "no response arrived"), exchange: exchange.id)
            }
            return Sample(.observed(exchange), exchange: exchange.id)
        }
        return Sample(document.flatMap { _ in .notAttempted(fromFile) })
    }
}
