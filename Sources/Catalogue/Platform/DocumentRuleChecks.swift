package import Conformance

/// How relying platforms fetch discovery document and key set, and what they put up with.
package enum DocumentRuleChecks {
    package static let arriveInTime = arrival(
        .documentSeconds,
        "The documents arrive before the platform gives up",
        why: "The platform gives up, and neither registers the provider nor verifies its tokens.",
        of: [.discovery, .keys]
    )

    package static let discoveryArrivesInTime = arrival(
        .discoverySeconds,
        "The discovery document arrives before the platform gives up",
        why: "The platform gives up, and does not register the provider.",
        of: [.discovery]
    )

    package static let keySetArrivesInTime = arrival(
        .keySetSeconds,
        "The key set arrives before the platform gives up",
        why: "The platform gives up, and verifies no token of the provider.",
        of: [.keys]
    )

    package static let areSmallEnough = size(
        .documentOctets,
        "The documents are no larger than the platform reads",
        of: [.discovery, .keys]
    )

    package static let discoveryIsSmallEnough = size(
        .discoveryOctets,
        "The discovery document is no larger than the platform reads",
        of: [.discovery]
    )

    package static let stayOnTheirHost = RuledChecks.check(
        .documentHosts,
        "No document is redirected to another host or port",
        .signIn,
        why: "The platform follows no redirect to another host or port: what answers there may be somebody else's.",
        reads: hops,
        rule: { exchange, _, _ in
            let asked = place(exchange.request.url) ?? ""
            guard let response = exchange.response, (300...399).contains(response.status),
                let location = response.header("Location"), let named = place(location), named != asked
            else { return [] }
            return [
                Finding(
                    "The request is redirected to \(named.quoted).",
                    at: "Location",
                    expected: "an address at \(asked.quoted)",
                    found: location.shown(),
                    fix: "Serve the document at the address that is asked for.",
                    exchange: exchange.id
                )
            ]
        }
    )

    package static let all: [Check] = [
        arriveInTime, discoveryArrivesInTime, keySetArrivesInTime, areSmallEnough, discoveryIsSmallEnough,
        stayOnTheirHost,
    ]

    /// A document that does not arrive in time does not arrive.
    private static func arrival(
        _ rule: Rule<Int>,
        _ title: String,
        why: String,
        of documents: [PublicDocument]
    ) -> Check {
        RuledChecks.check(
            rule,
            title,
            .signIn,
            why: why,
            reads: arrivals(of: documents, within: rule),
            rule: { exchange, limit, _ in
                let total = exchange.timings.total
                guard total > Double(limit) || exchange.failure != nil else { return [] }
                // A tenth of a second is what a measurement over a network is good for.
                let seconds = total < 0.1 ? "less than 0.1 s" : "\(Double(Int(total * 10)) / 10) s"
                return [
                    Finding(
                        "\(exchange.request.url.quoted) took longer than the platform waits.",
                        at: "total",
                        expected: "at most \(limit) s",
                        found: exchange.failure == nil ? seconds : "no whole answer after \(seconds)",
                        fix: "Serve the document from memory or a cache: it changes rarely."
                    )
                ]
            }
        )
    }

    private static func size(_ rule: Rule<Int>, _ title: String, of documents: [PublicDocument]) -> Check {
        RuledChecks.check(
            rule,
            title,
            .signIn,
            why: "The platform reads so much and no more, and what it has read is no JSON then.",
            reads: answers(to: documents),
            rule: { exchange, limit, _ in
                guard let count = exchange.response?.body.octets?.count, count > limit else { return [] }
                return [
                    Finding(
                        "\(exchange.request.url.quoted) has \(count) octets.",
                        at: "body",
                        expected: "at most \(limit)",
                        found: String(count),
                        fix: "Leave out of the document what is optional and long, or keys that are no longer used."
                    )
                ]
            }
        )
    }

    /// Host and port of an address, the port as it is written; `nil` for a relative one.
    ///
    /// Platforms compare the two texts.
    private static func place(_ address: String) -> String? {
        let reference = URIReference(address)
        return reference.host.map { host in host.lowercased() + (reference.port.map { ":" + $0 } ?? "") }
    }

    /// The answers that documents came with.
    private static func answers(to documents: [PublicDocument]) -> Slot<Exchange> {
        Slot(name(of: documents), needs: [.discovery, .keys]) { facts in
            documents.map { lastAnswer($0, facts) }
        }
    }

    /// Likewise, and what did not come in as many seconds as the platform waits, or more.
    ///
    /// Where this tool gave up earlier than the platform would, nothing is known.
    private static func arrivals(of documents: [PublicDocument], within rule: Rule<Int>) -> Slot<Exchange> {
        Slot(name(of: documents), needs: [.discovery, .keys]) { facts in
            documents.map { document in
                let sample = lastAnswer(document, facts)
                guard sample.observation.value == nil, let exchange = facts.evidence.exchange(sample.exchange),
                    exchange.failure?.kind == .timedOut, let limit = facts.profile.parameters[rule],
                    exchange.timings.total >= Double(limit)
                else { return sample }
                return Sample(.observed(exchange), exchange: exchange.id)
            }
        }
    }

    private static func name(of documents: [PublicDocument]) -> String {
        documents.count > 1
            ? "answers with discovery document and key set"
            : documents == [.keys] ? "answer with the key set" : "answer with the discovery document"
    }

    private static func lastAnswer(_ document: PublicDocument, _ facts: Facts) -> Sample<Exchange> {
        let evidence = facts.evidence
        return switch document {
        case .discovery: DiscoverySlots.lastAnswer(evidence.discovery, hops: evidence.discoveryHops, facts)
        case .keys: DiscoverySlots.lastAnswer(evidence.keys, hops: evidence.keysHops, facts)
        }
    }

    /// Every answer on the way to them.
    private static let hops = Slot<Exchange>(
        "answers on the way to discovery document and key set",
        needs: [.discovery, .keys],
        whenEmpty: "the documents were read from files"
    ) { facts in
        (facts.evidence.discoveryHops + facts.evidence.keysHops).compactMap(facts.evidence.exchange)
            .map { Sample(.observed($0), exchange: $0.id) }
    }
}
