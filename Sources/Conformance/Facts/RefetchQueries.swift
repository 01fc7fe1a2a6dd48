/// The queries of second observations: responses to other clients than the tool.
package enum Refetched {
    /// A document's response to the tool and to another agent.
    package struct AgentResponses: Sendable {
        package let agent: AgentAnswer.Agent
        package let own: Exchange
        package let other: Exchange
    }

    /// One address of a host, and its response; several if several documents were requested.
    package struct Address: Sendable {
        package let host: String
        package let address: String
        /// Why nothing came, for each question; `nil` where something did.
        package let failures: [String?]
    }

    /// A document at another address than the one that gave it first.
    package struct DocumentAtAddress<Parsed: Sendable>: Sendable {
        package let address: AddressAnswer
        package let first: Parsed
        package let exchange: Exchange
        /// `nil` if the response is not a successful JSON object.
        package let other: Parsed?
    }

    /// An answer that a script would read, and the origin that it asked from.
    package struct Script: Sendable {
        package let origin: String
        package let exchange: Exchange
    }

    private static func notCollected(_ facts: Facts) -> Reason {
        facts.evidence.offlineInput == nil
            ? "the evidence was collected by a version that did not request it again" : OfflineInput.needsARun
    }

    // MARK: Agents

    /// - Parameters:
    ///   - document: The document that each agent requested.
    ///   - isMeant: Which agents; by default those that must receive the same document.
    package static func agents(
        _ document: PublicDocument,
        where isMeant: @escaping @Sendable (AgentAnswer.Agent) -> Bool = \.isAlike
    ) -> Query<AgentResponses> {
        Query(
            "\(document.name) for other agents",
            needs: needs(document).union([.agents(document)]),
            whenEmpty: "no other agent sent a request"
        ) { facts in
            guard let second = facts.evidence.refetches else { return [Sample(.notAttempted(notCollected(facts)))] }
            return second.agents.filter { $0.document == document && isMeant($0.agent) }
                .map { answer in
                    Sample(
                        first(document, facts)
                            .flatMap { own in
                                exchange(answer.answer, facts)
                                    .map { AgentResponses(agent: answer.agent, own: own, other: $0) }
                            },
                        label: answer.agent.name,
                        exchange: answer.answer.value?.exchange
                    )
                }
        }
    }

    // MARK: Addresses

    /// Every address of every host that has several.
    package static let addresses = Query<Address>(
        "each address of each host",
        needs: [.discovery, .addresses],
        whenEmpty: oneAddress
    ) { facts in
        guard let second = facts.evidence.refetches else { return [Sample(.notAttempted(notCollected(facts)))] }
        var places: [AddressAnswer] = []
        for answer in second.addresses
        where !places.contains(where: { $0.host == answer.host && $0.address == answer.address }) {
            places.append(answer)
        }
        return unasked(second)
            + places.map { place in
                let answers = second.addresses.filter { $0.host == place.host && $0.address == place.address }
                if case .notAttempted(let why) = place.answer { return Sample(.notAttempted(why)) }
                let failures = answers.map { answer -> String? in
                    guard case .absent(let why) = answer.answer else { return nil }
                    return why.text
                }
                return Sample(
                    .observed(Address(host: place.host, address: place.address, failures: failures)),
                    label: "\(place.address) of \(place.host)"
                )
            }
    }

    /// The discovery document at every address that answered but the first.
    package static let discoveryElsewhere = Query<DocumentAtAddress<Metadata>>(
        "discovery document from each address",
        needs: [.discovery, .addresses],
        whenEmpty: oneAddress
    ) { facts in
        elsewhere(.discovery, facts.metadata, facts) { Facts.metadata($0, in: facts.evidence).value }
    }

    /// The key set at every address that answered but the first.
    package static let keysElsewhere = Query<DocumentAtAddress<KeySet>>(
        "key set from each address",
        needs: [.discovery, .keys, .addresses],
        whenEmpty: oneAddress
    ) { facts in
        elsewhere(.keys, facts.keySet, facts) { Facts.keySet($0, in: facts.evidence).value }
    }

    private static let oneAddress = "no host has a second address that responds"

    private static func elsewhere<Parsed: Sendable>(
        _ document: PublicDocument,
        _ first: Observation<Parsed>,
        _ facts: Facts,
        _ parse: (Document) -> Parsed?
    ) -> [Sample<DocumentAtAddress<Parsed>>] {
        guard let second = facts.evidence.refetches else { return [Sample(.notAttempted(notCollected(facts)))] }
        let own = (document == .discovery ? facts.evidence.discovery : facts.evidence.keys).value?.exchange
        return unasked(second)
            + second.addresses.filter { $0.document == document }
            .compactMap { address in
                // A missing response is reported by its own check; the first response is not compared with itself.
                guard let found = address.answer.value, found.exchange != own,
                    let exchange = facts.evidence.exchange(found.exchange)
                else { return nil }
                return Sample(
                    first.map {
                        DocumentAtAddress(address: address, first: $0, exchange: exchange, other: parse(found))
                    },
                    label: "\(address.address) of \(address.host)",
                    exchange: exchange.id
                )
            }
    }

    private static func unasked<Subject>(_ second: Refetches) -> [Sample<Subject>] {
        second.unaskedHosts.map { Sample(.notAttempted($0.why), label: $0.host) }
    }

    // MARK: Scripts

    /// The response to a script without a token.
    ///
    /// - Parameter request: Which of its requests.
    package static func script(_ request: ScriptAnswer.Request) -> Query<Script> {
        let needs: Set<Need> = request == .keys ? [.discovery, .keys, .scripts] : [.discovery, .scripts]
        return Query("response to a script: \(request.rawValue)", needs: needs, whenEmpty: "there is no such endpoint")
        {
            facts in
            guard let second = facts.evidence.refetches else { return [Sample(.notAttempted(notCollected(facts)))] }
            if second.origin.value == nil { return [Sample(second.origin.flatMap { _ in .absent("no origin") })] }
            return second.scripts.filter { $0.request == request }
                .map { answer in
                    Sample(
                        exchange(answer.answer, facts)
                            .flatMap { exchange in
                                second.origin.map { Script(origin: $0, exchange: exchange) }
                            },
                        exchange: answer.answer.value?.exchange
                    )
                }
        }
    }

    /// The token responses of the flows, requested with `Origin`.
    package static let scriptTokens = StepResults.tokenResponses
        .narrowed("token response to a script, of each flow", needing: [.scripts]) { sample, facts in
            Sample(asked(sample, facts), label: sample.label, exchange: sample.exchange)
        }

    /// The UserInfo responses of the flows, requested with `Origin`.
    package static let scriptUserInfo = StepResults.userInfo
        .narrowed("UserInfo response to a script, of each flow", needing: [.scripts]) { sample, facts in
            Sample(asked(sample, facts), label: sample.label, exchange: sample.exchange)
        }

    private static func asked<Subject>(_ sample: Sample<Subject>, _ facts: Facts) -> Observation<Script> {
        sample.observation.flatMap { _ in
            guard let exchange = facts.evidence.exchange(sample.exchange),
                let origin = exchange.request.headers.first(where: { $0.isNamed("origin") })?.value
            else { return .notAttempted("the request was not sent as by a script") }
            return .observed(Script(origin: origin, exchange: exchange))
        }
    }

    // MARK: Exchanges

    private static func needs(_ document: PublicDocument) -> Set<Need> {
        document == .discovery ? [.discovery] : [.discovery, .keys]
    }

    /// The last exchange of the first fetch.
    private static func first(_ document: PublicDocument, _ facts: Facts) -> Observation<Exchange> {
        exchange(document == .discovery ? facts.evidence.discovery : facts.evidence.keys, facts)
    }

    private static func exchange(_ document: Observation<Document>, _ facts: Facts) -> Observation<Exchange> {
        document.flatMap { document in
            facts.evidence.exchange(document.exchange).map { .observed($0) }
                ?? .notAttempted("the document was read from a file")
        }
    }
}
