import Conformance
import JSONTree

/// The provider serves the same document to every user agent.
enum AgentRule {
    /// The check is skipped if no agent received the document, which other checks report.
    static let unlessServedToAny: @Sendable (Refetched.AgentResponses, Facts) -> String? = { agents, facts in
        if let why = unlessServerError(agents, facts) { return why }
        return isDocument(agents.own) || isDocument(agents.other) ? nil : "no user agent received the document"
    }

    /// The check is skipped if the server failed or limits the rate: that shows nothing about the other request.
    static let unlessServerError: @Sendable (Refetched.AgentResponses, Facts) -> String? = { agents, _ in
        [agents.own, agents.other].compactMap(\.response).filter { $0.isServerError || $0.isTemporary }.first
            .map { $0.whyNotNow ?? "the server returned an error, which another check reports" }
    }

    static func findings(_ agents: Refetched.AgentResponses, _ document: PublicDocument) -> [Finding] {
        let isOwn = isDocument(agents.own)
        guard isOwn != isDocument(agents.other) else { return [] }
        let refused = isOwn ? agents.other : agents.own
        let who = isOwn ? agents.agent.name : "this program, unlike \(agents.agent.name),"
        return [
            Finding(
                "\(who.sentenceStart) does not receive \(document.name).",
                at: "User-Agent",
                expected: "\(document.name), for every User-Agent",
                found: describe(refused),
                fix:
                    "Exempt \(refused.request.url.shown()) from bot protection and firewall rules, for every User-Agent.",
                exchange: refused.id
            )
        ]
    }

    /// Whether the response is a JSON object with a success status.
    private static func isDocument(_ exchange: Exchange) -> Bool {
        guard let response = exchange.response, (200...299).contains(response.status), let bytes = response.body.bytes
        else { return false }
        return (try? JSONDocument.parse(bytes))?.root.objectValue != nil
    }

    private static func describe(_ exchange: Exchange) -> String {
        guard let response = exchange.response else { return "no response" }
        return "HTTP status \(response.status), \(response.mediaType?.shown(limit: 80) ?? "no media type")"
    }
}
