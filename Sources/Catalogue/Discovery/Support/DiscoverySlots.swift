import Conformance

/// What checks of the stage read besides the document itself.
enum DiscoverySlots {
    /// The last answer on the way to the discovery document, whatever its status.
    static let answer = Slot<Exchange>("last answer to the discovery request", needs: [.discovery]) { facts in
        [lastAnswer(facts.evidence.discovery, hops: facts.evidence.discoveryHops, facts)]
    }

    /// The octets of the discovery document, from an answer with a success status or from a file.
    static let text = Slot<[UInt8]>("text of the discovery document", needs: [.discovery]) { facts in
        [octets(of: facts.evidence.discovery, facts)]
    }

    /// A rule about a document's answer says nothing of an error answer.
    static let unlessSuccessful: @Sendable (Exchange, Facts) -> String? = { exchange, _ in
        exchange.response?.status == 200 ? nil : "there was no successful answer"
    }

    /// The answer that a document came with; not attempted when it came from a file.
    static func lastAnswer(_ document: Observation<Document>, hops: [Int], _ facts: Facts) -> Sample<Exchange> {
        guard let exchange = facts.evidence.exchange(hops.last ?? document.value?.exchange) else {
            return Sample(document.flatMap { _ in .notAttempted("the document was read from a file") })
        }
        guard let response = exchange.response, exchange.failure == nil else {
            return Sample(.absent(exchange.failure?.reason ?? "no answer arrived"), exchange: exchange.id)
        }
        if let why = response.whyNotNow { return Sample(.absent(why), exchange: exchange.id) }
        return Sample(.observed(exchange), exchange: exchange.id)
    }

    /// The octets of a document; absent with an error status, which another check tells.
    static func octets(of document: Observation<Document>, _ facts: Facts) -> Sample<[UInt8]> {
        Sample(
            document.flatMap { document in
                if let status = facts.evidence.exchange(document.exchange)?.response?.status,
                    !(200...299).contains(status)
                {
                    return .absent("the answer had HTTP status \(status)")
                }
                return document.body.octets.map { .observed($0) } ?? .absent("the body was not kept")
            },
            exchange: document.value?.exchange
        )
    }
}
