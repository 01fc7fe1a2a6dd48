import Conformance
import JSONTree
import Transport

extension Collection {
    /// The provider's metadata, from a discovery document or from configured addresses.
    enum Provider: Sendable {
        /// A discovery document, with the configured addresses.
        case known(JSONObject)
        /// Only addresses that no discovery document states, and why there is no such document.
        case addresses(JSONObject, Reason)
        case unknown(Reason)

        var metadata: JSONObject? {
            switch self {
            case .known(let metadata), .addresses(let metadata, _): metadata
            case .unknown: nil
            }
        }

        /// True if the metadata is all that the provider publishes, so that a missing member is a statement.
        var isDocument: Bool {
            if case .known = self { true } else { false }
        }

        /// Why a member is not there.
        func whyMissing(_ member: String) -> Reason {
            switch self {
            case .known: "the discovery document names no \(member)"
            case .addresses(_, let why): "\(why), and neither the configuration nor the profile names a \(member)"
            case .unknown(let why): "no discovery document: \(why)"
            }
        }

        /// The values in the queries of the addresses: they are public, so they are not values of a page.
        var publishedValues: [String] {
            (metadata?.members ?? []).compactMap { $0.value.stringValue.flatMap(WebURL.init)?.query }
                .flatMap { FormParameters(parsing: $0).items.map(\.value) }
        }

        /// A member that must be a string to be used.
        func address(_ member: String) -> Observation<String> {
            if let address = metadata?[member]?.stringValue { return .observed(address) }
            if case .addresses = self { return .notAttempted(whyMissing(member)) }
            return .absent(whyMissing(member))
        }
    }

    /// Whether the flows run on the provider's discovery document.
    var readsDiscovery: Bool { plan.profile.parameters.readsDiscovery }

    /// The discovery document for the flows; if the platform does not need one, it is fetched only for the checks that read it.
    func discoveryDocument(_ evidence: inout Evidence) async -> FetchedDocument {
        guard readsDiscovery else {
            if plan.needs.contains(.publication) { evidence.published = await fetchDiscovery().observation }
            let none = FetchedDocument.notAttempted(
                "the flows of profile \(plan.profile.name) need no discovery document"
            )
            evidence.discovery = none.observation
            return none
        }
        let discovery = await fetchDiscovery()
        evidence.discovery = discovery.observation
        evidence.discoveryHops = discovery.hops
        return discovery
    }

    private func fetchDiscovery() async -> FetchedDocument {
        await reporting("discovery document") { await discovery(step: "discovery document", lane: Lanes.discovery) }
    }

    /// The discovery document; for a platform that reads authorization server metadata, the first document in its order.
    func discovery(step: String, lane: Recorder.Lane) async -> FetchedDocument {
        let issuer = plan.target.issuer
        for address in plan.profile.parameters.readsServerMetadata ? DiscoveryAddress.inserted(issuer) : [] {
            let document = await http.document(at: address, step: step, lane: lane)
            if document.object != nil { return document }
            for hop in document.hops { await http.recorder.supersede(hop) }
        }
        return await http.document(at: WellKnown.address(of: issuer), step: step, lane: lane)
    }

    /// Requests the OAuth 2.0 authorization server metadata (RFC 8414, section 3.1).
    ///
    /// Redirects are not followed, because clients differ in whether they follow one. `nil` when no chosen check reads the metadata.
    func serverMetadata(_ provider: Provider) async -> Observation<Document>? {
        guard plan.needs.contains(.serverMetadata) else { return nil }
        guard readsDiscovery, provider.isDocument else {
            return .absent("there is no discovery document to compare it with")
        }
        guard let address = DiscoveryAddress.serverMetadata(of: plan.target.issuer) else {
            return .absent("the issuer is not an http or https URL")
        }
        let request = HTTPRequest(url: address, headers: [HTTPField(name: "Accept", value: "application/json")])
        let answer = await http.send(
            request,
            step: "authorization server metadata",
            lane: Lanes.serverMetadata,
            content: .document
        )
        guard let response = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "authorization server metadata: no response arrived")
        }
        return .observed(Document(origin: .exchange(answer.id), body: response.body))
    }

    /// The metadata that the flows use: the discovery document with the configured addresses, or these addresses only.
    func provider(_ discovery: FetchedDocument) -> Provider {
        let addresses = plan.knownAddresses
        let canBegin = addresses.contains { $0.member == "authorization_endpoint" && $0.source == .configuration }
        var metadata = discovery.object ?? JSONObject()
        for known in addresses { metadata[known.member] = .string(known.address) }
        if discovery.object != nil { return .known(metadata) }
        let why = discovery.whyNoObject
        if !readsDiscovery { return .addresses(metadata, why) }
        return canBegin ? .addresses(metadata, "there is no discovery document: \(why)") : .unknown(why)
    }
}
