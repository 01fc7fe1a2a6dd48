import JSONTree

/// The lookup of an issuer by a user's address (Discovery section 2, RFC 7033).
package enum WebFinger {
    /// The relation of the issuer's link.
    package static let relation = "http://openid.net/specs/connect/1.0/issuer"

    /// The response to the lookup, with the issuer of the discovery document.
    package struct Answer: Sendable {
        package let exchange: Exchange
        package let issuer: String

        /// The target of the first link to an issuer, the preferred one (RFC 7033 section 4.4.4); `nil` without any.
        package var named: String? {
            guard exchange.response?.isSuccess == true else { return nil }
            let links = exchange.response?.body.json?["links"]?.arrayValue ?? []
            return links.first { $0["rel"]?.stringValue == WebFinger.relation }?["href"]?.stringValue
        }
    }

    /// The response, where the configuration names a user's address.
    package static let answer = Query<Answer>(
        "WebFinger response",
        needs: [.discovery, .webFinger],
        whenEmpty: "the configuration names no address; to check WebFinger, add webfinger: user@example.com"
    ) { facts in
        guard facts.target.webFinger != nil, let document = facts.evidence.webFinger else { return [] }
        let answer = facts.metadata.flatMap { metadata in
            document.flatMap { document in
                facts.evidence.exchange(document.exchange)
                    .map { .observed(Answer(exchange: $0, issuer: metadata.string("issuer") ?? facts.target.issuer)) }
                    ?? .notAttempted(OfflineInput.needsARun)
            }
        }
        return [Sample(answer, exchange: answer.value?.exchange.id)]
    }
}
