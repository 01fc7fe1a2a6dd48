import Conformance
import JSONTree

/// The rule that who asks makes no difference.
enum AgentRule {
    /// Why nothing can be said: no agent was given the document, which other checks tell.
    static let unlessGivenToSomebody: @Sendable (Refetched.Agents, Facts) -> String? = { agents, _ in
        let statuses = [agents.own, agents.other].compactMap(\.response?.status)
        // A server that fails is no wall, whoever asked.
        if statuses.contains(where: { $0 >= 500 }) { return "the server failed, which another check tells" }
        return isDocument(agents.own) || isDocument(agents.other) ? nil : "no agent was given the document"
    }

    static func findings(_ agents: Refetched.Agents, _ document: PublicDocument) -> [Finding] {
        let isOwn = isDocument(agents.own)
        guard isOwn != isDocument(agents.other) else { return [] }
        let refused = isOwn ? agents.other : agents.own
        let who = isOwn ? agents.agent.name : "this tool, unlike \(agents.agent.name),"
        return [
            Finding(
                "\(who) is not given \(document.name)",
                at: "User-Agent",
                expected: "\(document.name), whoever asks",
                found: describe(refused),
                fix: "Let \(refused.request.url.shown()) pass the bot protection or firewall for every User-Agent.",
                exchange: refused.id
            )
        ]
    }

    /// Whether the answer is a JSON object of success.
    private static func isDocument(_ exchange: Exchange) -> Bool {
        guard let response = exchange.response, (200...299).contains(response.status), let octets = response.body.octets
        else { return false }
        return (try? JSONDocument.parse(octets))?.root.objectValue != nil
    }

    private static func describe(_ exchange: Exchange) -> String {
        guard let response = exchange.response else { return "no answer" }
        return "HTTP status \(response.status), \(response.mediaType?.shown(limit: 80) ?? "no media type")"
    }
}
