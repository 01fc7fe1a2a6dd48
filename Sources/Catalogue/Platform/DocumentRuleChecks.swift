package import Conformance

/// Platform rules about fetching the discovery document and the key set.
package enum DocumentRuleChecks {
    static let arriveInTime = arrival(
        .documentSeconds,
        "The provider returns its documents within the platform's time limit",
        why: "The platform's request times out, so it neither registers the provider nor verifies its tokens.",
        of: [.discovery, .keys]
    )

    static let discoveryArrivesInTime = arrival(
        .discoverySeconds,
        "The provider returns the discovery document within the platform's time limit",
        why: "The platform's request times out, so it does not register the provider.",
        of: [.discovery]
    )

    static let keySetArrivesInTime = arrival(
        .keySetSeconds,
        "The provider returns the key set within the platform's time limit",
        why: "The platform's request times out, so it cannot verify any token of the provider.",
        of: [.keys]
    )

    static let areSmallEnough = size(
        .documentBytes,
        "The provider's documents are no larger than the platform reads",
        of: [.discovery, .keys]
    )

    static let discoveryIsSmallEnough = size(
        .discoveryBytes,
        "The discovery document is no larger than the platform reads",
        of: [.discovery]
    )

    static let stayOnTheirHost = RuledChecks.check(
        .documentHosts,
        "The provider does not redirect its documents to another host or port",
        .signIn,
        why: "The platform does not follow a redirect to another host or port, because another party may control it.",
        reads: hops,
        rule: { exchange, _, _ in
            let asked = place(exchange.request.url) ?? ""
            guard let response = exchange.response, (300...399).contains(response.status),
                let location = response.header("Location"), let named = place(location), named != asked
            else { return [] }
            return [
                Finding(
                    "The provider redirects the request for a document to \(named.quoted).",
                    at: "Location",
                    expected: "a URL at \(asked.quoted)",
                    found: location.shown(),
                    fix: "Serve the document at the requested URL, without a redirect to another host or port.",
                    exchange: exchange.id
                )
            ]
        }
    )

    package static let all: [Check] = [
        arriveInTime, discoveryArrivesInTime, keySetArrivesInTime, areSmallEnough, discoveryIsSmallEnough,
        stayOnTheirHost,
    ]

    /// A check of a time limit, after which the platform ignores the document.
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
                // Timings over a network are no more precise than a tenth of a second.
                let seconds = total < 0.1 ? "less than 0.1 seconds" : "\(Double(Int(total * 10)) / 10) seconds"
                return [
                    Finding(
                        "The provider takes longer to return \(exchange.request.url.quoted) than the platform waits.",
                        at: "total",
                        expected: "at most \(counted(limit, "second"))",
                        found: exchange.failure != nil
                            ? "no complete response after \(seconds)"
                            : total < 0.1 ? "more than \(counted(limit, "second"))" : seconds,
                        fix: "Serve the document from memory or a cache, because it changes rarely."
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
            why: "The platform stops reading at its limit, and the truncated document is not valid JSON.",
            reads: answers(to: documents),
            rule: { exchange, limit, _ in
                guard let count = exchange.response?.body.bytes?.count, count > limit else { return [] }
                return [
                    Finding(
                        "The document at \(exchange.request.url.quoted) has \(count) bytes.",
                        at: "body",
                        expected: "at most \(counted(limit, "byte"))",
                        found: counted(count, "byte"),
                        fix: "Remove long optional members from the document, or keys that are no longer used."
                    )
                ]
            }
        )
    }

    /// Host and port of a URL, the port as written; `nil` for a relative reference.
    ///
    /// Platforms compare both as text.
    private static func place(_ address: String) -> String? {
        let reference = URIReference(address)
        return reference.host.map { host in host.lowercased() + (reference.port.map { ":" + $0 } ?? "") }
    }

    /// The responses that contain the documents.
    private static func answers(to documents: [PublicDocument]) -> Query<Exchange> {
        Query(name(of: documents), needs: [.discovery, .keys]) { facts in documents.map { lastAnswer($0, facts) } }
    }

    /// The same responses, and requests that timed out no earlier than the platform would.
    ///
    /// The result is unknown if this program timed out earlier than the platform would.
    private static func arrivals(of documents: [PublicDocument], within rule: Rule<Int>) -> Query<Exchange> {
        Query(name(of: documents), needs: [.discovery, .keys]) { facts in
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
            ? "responses with discovery document and key set"
            : documents == [.keys] ? "response with the key set" : "response with the discovery document"
    }

    private static func lastAnswer(_ document: PublicDocument, _ facts: Facts) -> Sample<Exchange> {
        let evidence = facts.evidence
        return switch document {
        case .discovery: DiscoveryQueries.lastAnswer(evidence.discovery, hops: evidence.discoveryHops, facts)
        case .keys: DiscoveryQueries.lastAnswer(evidence.keys, hops: evidence.keysHops, facts)
        }
    }

    /// Every response to the requests for them, including redirects.
    private static let hops = Query<Exchange>(
        "responses to the requests for discovery document and key set",
        needs: [.discovery, .keys],
        whenEmpty: "the documents were read from files"
    ) { facts in
        (facts.evidence.discoveryHops + facts.evidence.keysHops).compactMap(facts.evidence.exchange)
            .map { Sample(.observed($0), exchange: $0.id) }
    }
}
