package import Conformance

/// How relying platforms fetch discovery document and key set, and what they put up with.
package enum DocumentRuleChecks {
    package static let arriveInTime = RuledChecks.check(
        .documentSeconds,
        "The documents arrive before the platform gives up",
        why: "The platform gives up, and neither registers the provider nor verifies its tokens.",
        reads: answers,
        demands: { $0.number(.documentSeconds) },
        rule: { exchange, limit, _ in
            guard exchange.timings.total > Double(limit) else { return [] }
            // A tenth of a second is what a measurement over a network is good for.
            let seconds = Double(Int(exchange.timings.total * 10)) / 10
            return [
                Finding(
                    "\(exchange.request.url.quoted) took longer than the platform waits.",
                    at: "total",
                    expected: "at most \(limit) s",
                    found: exchange.timings.total < 0.1 ? "less than 0.1 s" : "\(seconds) s",
                    fix: "Serve the document from memory or a cache: it changes rarely."
                )
            ]
        }
    )

    package static let areSmallEnough = RuledChecks.check(
        .documentOctets,
        "The documents are no larger than the platform reads",
        why: "The platform reads so much and no more, and what it has read is no JSON then.",
        reads: answers,
        demands: { $0.number(.documentOctets) },
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

    package static let stayOnTheirHost = RuledChecks.check(
        .documentHosts,
        "No document is redirected to another host",
        why: "The platform follows no redirect to another host: what answers there may be somebody else's.",
        reads: hops,
        demands: { $0.states(.documentHosts) },
        rule: { exchange, _, _ in
            guard let response = exchange.response, (300...399).contains(response.status),
                let location = response.header("Location"), let host = URIReference(location).host,
                host.lowercased() != (URIReference(exchange.request.url).host ?? "").lowercased()
            else { return [] }
            return [
                Finding(
                    "The request is redirected to \(host.quoted).",
                    at: "Location",
                    expected: "an address at \((URIReference(exchange.request.url).host ?? "").quoted)",
                    found: location.shown(),
                    fix: "Serve the document at the address that is asked for.",
                    exchange: exchange.id
                )
            ]
        }
    )

    package static let all: [Check] = [arriveInTime, areSmallEnough, stayOnTheirHost]

    /// The answers that the two documents came with.
    private static let answers = Slot<Exchange>(
        "answers with discovery document and key set",
        needs: [.discovery, .keys]
    ) { facts in
        [(facts.evidence.discovery, facts.evidence.discoveryHops), (facts.evidence.keys, facts.evidence.keysHops)]
            .map { document, hops in DiscoverySlots.lastAnswer(document, hops: hops, facts) }
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
