/// The queries of the OAuth 2.0 authorization server metadata (RFC 8414 section 3).
package enum ServerMetadata {
    /// Both documents of one issuer.
    package struct Pair: Sendable {
        package let discovery: Metadata
        /// The authorization server metadata.
        package let server: Metadata
    }

    static let whenAbsent = "there is no authorization server metadata"

    /// The response to the request for it, whatever it is.
    package static let answer = Query<Exchange>(
        "authorization server metadata response",
        needs: [.discovery, .serverMetadata]
    ) { facts in
        let exchange = document(facts)
            .flatMap { document in
                facts.evidence.exchange(document.exchange).map { .observed($0) }
                    ?? .notAttempted(OfflineInput.needsARun)
            }
        return [Sample(exchange, exchange: exchange.value?.id)]
    }

    /// The discovery document and the metadata, where the metadata is a JSON object of success.
    package static let pair = Query<Pair>(
        "discovery document and authorization server metadata",
        needs: [.discovery, .serverMetadata],
        whenEmpty: whenAbsent
    ) { facts in
        let server = document(facts).flatMap { Facts.metadata($0, in: facts.evidence) }
        if document(facts).value != nil, server.value == nil { return [] }
        let pair = facts.metadata.flatMap { discovery in server.map { Pair(discovery: discovery, server: $0) } }
        return [Sample(pair, exchange: server.value?.exchange)]
    }

    private static func document(_ facts: Facts) -> Observation<Document> {
        facts.evidence.serverMetadata
            ?? .notAttempted(
                facts.evidence.offlineInput == nil
                    ? "the evidence was collected by a version that did not request it" : OfflineInput.needsARun
            )
    }
}
