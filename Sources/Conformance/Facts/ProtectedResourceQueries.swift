package import JSONTree

/// The queries of the protected resource that the configuration names.
package enum ProtectedResources {
    private static let whenEmpty = "the configuration names no resource with an http or https URL"

    /// The response to a request without a token.
    package static let answer = query("protected resource response") { resource, facts in
        resource.answer.flatMap { id in
            facts.evidence.exchange(id).map { .observed($0) } ?? .notAttempted(OfflineInput.needsARun)
        }
    }

    /// The response with the metadata, whatever it is, or the connection that the stated address refused.
    package static let document = query("protected resource metadata response") { resource, facts in
        if let refused = facts.evidence.exchange(resource.refused) { return .observed(refused) }
        return resource.metadata.flatMap { document in
            facts.evidence.exchange(document.exchange).map { .observed($0) } ?? .notAttempted(OfflineInput.needsARun)
        }
    }

    /// The metadata, where it is a JSON object of success.
    package static let metadata = Query<JSONObject>(
        "protected resource metadata",
        needs: [.discovery, .protectedResource],
        whenEmpty: whenEmpty + ", or the resource has no metadata"
    ) { facts in
        guard let resource = facts.evidence.protectedResource else { return [] }
        let object: Observation<JSONObject> = resource.metadata.flatMap { document in
            Facts.object(of: document, named: "the protected resource metadata", in: facts.evidence).map { $1 }
        }
        // Another check reports a response without metadata.
        if resource.refused != nil || resource.metadata.value != nil, object.value == nil { return [] }
        return [Sample(object, exchange: resource.metadata.value?.exchange)]
    }

    private static func query(
        _ name: String,
        _ read: @escaping @Sendable (ProtectedResource, Facts) -> Observation<Exchange>
    ) -> Query<Exchange> {
        Query<Exchange>(name, needs: [.discovery, .protectedResource], whenEmpty: whenEmpty) { facts in
            guard let resource = facts.evidence.protectedResource else { return [] }
            let exchange = read(resource, facts)
            return [Sample(exchange, exchange: exchange.value?.id)]
        }
    }
}
