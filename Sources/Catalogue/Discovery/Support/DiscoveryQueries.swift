import Conformance

/// The inputs of the discovery checks besides the document itself.
enum DiscoveryQueries {
    /// The last response to the discovery request after any redirects, with any status.
    static let answer = Query<Exchange>("last response to the discovery request", needs: [.discovery]) { facts in
        [lastAnswer(facts.evidence.discovery, hops: facts.evidence.discoveryHops, facts)]
    }

    /// The bytes of the discovery document, from a response with a success status or from a file.
    static let text = Query<[UInt8]>("text of the discovery document", needs: [.discovery]) { facts in
        [bytes(of: facts.evidence.discovery, facts)]
    }

    /// Checks of a document's response skip error responses.
    static let unlessSuccessful: @Sendable (Exchange, Facts) -> String? = { exchange, _ in
        exchange.response?.status == 200 ? nil : "the response does not have HTTP status 200"
    }

    /// The response that contained a document; not attempted if the document was read from a file.
    static func lastAnswer(_ document: Observation<Document>, hops: [Int], _ facts: Facts) -> Sample<Exchange> {
        guard let exchange = facts.evidence.exchange(hops.last ?? document.value?.exchange) else {
            return Sample(document.flatMap { _ in .notAttempted("the document was read from a file") })
        }
        guard let response = exchange.response, exchange.failure == nil else {
            return Sample(.absent(exchange.failure?.reason ?? "no response arrived"), exchange: exchange.id)
        }
        if let why = response.whyNotNow { return Sample(.absent(why), exchange: exchange.id) }
        return Sample(.observed(exchange), exchange: exchange.id)
    }

    /// The bytes of a document; absent with an error status, which another check reports.
    static func bytes(of document: Observation<Document>, _ facts: Facts) -> Sample<[UInt8]> {
        Sample(
            document.flatMap { document in
                if let status = facts.evidence.exchange(document.exchange)?.response?.status,
                    !(200...299).contains(status)
                {
                    return .absent("the response had HTTP status \(status)")
                }
                return document.body.bytes.map { .observed($0) } ?? .absent("the response body was not stored")
            },
            exchange: document.value?.exchange
        )
    }
}
