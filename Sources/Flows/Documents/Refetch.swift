import Conformance
import Transport

/// The documents as other clients receive them; each request is a GET that changes nothing, in parallel with the scenarios.
extension Collection {
    /// A widely used browser, at the time of writing.
    private static let browser =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

    /// All but ``agentAnswers(_:)``.
    ///
    /// - Parameters:
    ///   - provider: The discovery document's content.
    ///   - discovery: The document as it was first given.
    ///   - keys: The key set as it was first given; `nil` when no chosen check reads it.
    func refetches(
        _ provider: Provider,
        _ discovery: FetchedDocument,
        _ keys: FetchedDocument?
    ) async -> Refetches {
        let keys: [(PublicDocument, FetchedDocument)] = keys.map { [(.keys, $0)] } ?? []
        let first = [(.discovery, discovery)] + keys
        async let addresses = addressAnswers(provider, first)
        async let scripts = scriptAnswers(provider, first)
        var second = Refetches()
        second.origin = plan.scriptOrigin
        (second.addresses, second.unaskedHosts) = await addresses
        second.scripts = await scripts
        return second
    }

    // MARK: Agents

    /// Documents at their addresses, as clients with another User-Agent receive them.
    func agentAnswers(_ places: [(PublicDocument, Observation<String>)]) async -> [AgentAnswer] {
        let wanted = places.filter { plan.needs.contains(.agents($0.0)) }
            .flatMap { document, place in AgentAnswer.Agent.all(of: document).map { (document, place, $0) } }
        return await mapConcurrently(wanted) { document, place, agent in
            let answer = await ask(place) { url in
                await http.document(
                    at: url,
                    step: "\(document.name) for \(agent.name)",
                    lane: Lanes.agents
                ) {
                    switch agent {
                    case .none:
                        $0.agent = .none
                        $0.headers.append(.acceptsNoCoding)
                    case .browser: $0.agent = .other(Self.browser)
                    case .head: $0.method = "HEAD"
                    case .forwarded:
                        for (field, host) in AgentAnswer.forwardedHosts {
                            $0.headers.append(
                                HTTPField(name: field, value: field == "Forwarded" ? "host=" + host : host)
                            )
                        }
                    }
                }
            }
            return AgentAnswer(document: document, agent: agent, answer: answer)
        }
    }

    /// Requests what is at an address; without one, that is reported, and nothing is sent.
    private func ask(
        _ place: Observation<String>,
        _ fetch: (String) async -> FetchedDocument
    ) async -> Observation<Document> {
        switch place {
        case .observed(let url): await fetch(url).observation
        case .absent(let why): .absent(why)
        case .notAttempted(let why): .notAttempted(why)
        }
    }

    // MARK: Scripts

    private func scriptAnswers(
        _ provider: Provider,
        _ first: [(PublicDocument, FetchedDocument)]
    ) async -> [ScriptAnswer] {
        guard plan.needs.contains(.scripts), let origin = plan.scriptOrigin.value else { return [] }
        let field = HTTPField(name: "Origin", value: origin)
        var answers = await mapConcurrently(first) { document, first in
            let answer = await ask(first.place) { url in
                await http.document(at: url, step: "\(document.name) for a script", lane: Lanes.scripts) {
                    $0.headers.append(field)
                }
            }
            return ScriptAnswer(request: document == .discovery ? .discovery : .keys, answer: answer)
        }
        if case .observed(let endpoint) = provider.address("userinfo_endpoint") {
            answers.append(ScriptAnswer(request: .userInfoPreflight, answer: await preflight(endpoint, field)))
        }
        return answers
    }

    /// The request that a browser sends before a script may send an access token (Fetch, section 4.8, CORS-preflight fetch).
    private func preflight(_ endpoint: String, _ origin: HTTPField) async -> Observation<Document> {
        let request = HTTPRequest(
            method: "OPTIONS",
            url: endpoint,
            headers: [
                HTTPField(name: "Accept", value: "*/*"), origin,
                HTTPField(name: "Access-Control-Request-Method", value: "GET"),
                HTTPField(name: "Access-Control-Request-Headers", value: "authorization"),
            ]
        )
        let answer = await http.send(request, step: "UserInfo preflight", lane: Lanes.scripts, content: .document)
        guard let response = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "the preflight request got no response")
        }
        return .observed(Document(origin: .exchange(answer.id), body: response.body))
    }

    /// Does something with each element at the same time; the results are in the elements' order.
    func mapConcurrently<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        _ work: @escaping @Sendable (Element) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            for (index, element) in elements.enumerated() { group.addTask { (index, await work(element)) } }
            var results: [(Int, Result)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension Plan {
    /// The origin of the client's pages: that of its redirect URI, where a script reads the code.
    var scriptOrigin: Observation<String> {
        guard needs.contains(.scripts) else { return .notAttempted("no chosen check sends requests as a script") }
        guard let redirectURI = target.redirectURI else {
            return .notAttempted("the configuration names no redirect_uri, whose origin a browser would send")
        }
        guard let url = WebURL(redirectURI) else {
            return .notAttempted("the redirect URI is not a web page, so it has no scripts")
        }
        return .observed(url.origin)
    }
}
