import Conformance
import Transport

/// Every address of the provider's hosts, queried one by one.
extension Collection {
    /// The limits of addresses per family and of hosts: a provider decides how many there are.
    private static let addressLimit = 4
    private static let hostLimit = 4

    /// A host, and the URL to request from it.
    private struct Place: Sendable {
        var url: WebURL
        var documents: [(document: PublicDocument, first: FetchedDocument, url: String)] = []
    }

    /// - Parameters:
    ///   - provider: The discovery document's content.
    ///   - first: The documents as they were first given.
    /// - Returns: The response of each address, and the hosts that could not be reached.
    func addressAnswers(
        _ provider: Provider,
        _ first: [(PublicDocument, FetchedDocument)]
    ) async -> ([AddressAnswer], [UncheckedHost]) {
        guard plan.needs.contains(.addresses), provider.metadata != nil else { return ([], []) }
        let results = await mapConcurrently(places(provider, first)) { place -> ([AddressAnswer], [UncheckedHost]) in
            switch await http.client.addresses(of: place.url) {
            case .itself: return ([], [])
            case .unknown(let why): return ([], [UncheckedHost(host: place.url.hostAndPort, why: why)])
            case .known(let addresses): return (await answers(at: place, Self.bounded(addresses)), [])
            }
        }
        return (results.flatMap(\.0), results.flatMap(\.1))
    }

    /// The hosts of the documents, and those of the endpoints that a sign-in needs.
    private func places(_ provider: Provider, _ first: [(PublicDocument, FetchedDocument)]) -> [Place] {
        var places: [Place] = []
        func place(_ text: String) -> Int? {
            guard let url = WebURL(text) else { return nil }
            if let index = places.firstIndex(where: { $0.url.origin == url.origin }) { return index }
            places.append(Place(url: url))
            return places.count - 1
        }
        for (document, fetched) in first {
            if let url = fetched.url, let index = place(url) {
                places[index].documents.append((document, fetched, url))
            }
        }
        for member in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] {
            if case .observed(let address) = provider.address(member) { _ = place(address) }
        }
        return Array(places.prefix(Self.hostLimit))
    }

    private static func bounded(_ addresses: [String]) -> [String] {
        let isSix = { (address: String) in address.contains(":") }
        return Array(
            addresses.filter { !isSix($0) }.prefix(addressLimit) + addresses.filter(isSix).prefix(addressLimit)
        )
    }

    /// Requests every address except the one that has already responded; a host with one address is not queried.
    private func answers(at place: Place, _ addresses: [String]) async -> [AddressAnswer] {
        guard addresses.count > 1 else { return [] }
        var questions: [(address: String, document: PublicDocument?, url: String)] = []
        var answers: [AddressAnswer] = []
        for address in addresses {
            for (document, first, url) in place.documents {
                if first.peer == address {
                    answers.append(answer(place, address, document, first.observation))
                } else {
                    questions.append((address, document, url))
                }
            }
            if place.documents.isEmpty { questions.append((address, nil, place.url.origin + "/")) }
        }
        return answers
            + (await mapConcurrently(questions) { question in
                guard http.client.hasRoute(to: question.address) else {
                    let why = "this machine has no route to \(question.address)"
                    return answer(place, question.address, question.document, .notAttempted(why))
                }
                let observation = await ask(question.url, question.document, at: question.address)
                return answer(place, question.address, question.document, observation)
            })
    }

    private func answer(
        _ place: Place,
        _ address: String,
        _ document: PublicDocument?,
        _ observation: Observation<Document>
    ) -> AddressAnswer {
        AddressAnswer(host: place.url.hostAndPort, address: address, document: document, answer: observation)
    }

    /// No redirect is followed: the response is compared with the first one from the same address of the document.
    private func ask(_ url: String, _ document: PublicDocument?, at address: String) async -> Observation<Document> {
        var request = HTTPRequest(url: url, headers: [HTTPField(name: "Accept", value: "application/json")])
        request.address = address
        let step = "\(document?.name ?? "the first page") from \(address)"
        let answer = await http.send(request, step: step, lane: Lanes.addresses, content: .document)
        if let failure = answer.recorded.failure, [.addressRefused, .cancelled].contains(failure.kind) {
            return .notAttempted(failure.message)
        }
        guard let response = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "\(step): no response arrived")
        }
        return .observed(Document(origin: .exchange(answer.id), body: response.body))
    }
}
