import Conformance
import JSONTree

/// The provider serves the same document to every user agent.
enum AgentRule {
    /// The check is skipped if no agent received the document, which other checks report.
    static let unlessGivenToSomebody: @Sendable (Refetched.Agents, Facts) -> String? = { agents, _ in
        let statuses = [agents.own, agents.other].compactMap(\.response?.status)
        // A server error does not come from bot protection.
        if statuses.contains(where: { $0 >= 500 }) {
            return "the server returned an error, which another check reports"
        }
        return isDocument(agents.own) || isDocument(agents.other) ? nil : "no user agent received the document"
    }

    static func findings(_ agents: Refetched.Agents, _ document: PublicDocument) -> [Finding] {
        let isOwn = isDocument(agents.own)
        guard isOwn != isDocument(agents.other) else { return [] }
        let refused = isOwn ? agents.other : agents.own
        let who = isOwn ? agents.agent.name : "this program, unlike \(agents.agent.name),"
        return [
            Finding(
                "\(who) does not receive \(document.name)",
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
