import Conformance
import ReferenceProvider

/// `Documentation/Platforms.md`: where each provider can be registered, and what stands in the way.
enum PlatformsPage {
    struct Provider {
        var persona: Persona
        /// One for each platform.
        var reports: [Report]
    }

    static func text(_ providers: [Provider]) -> String {
        let reports = providers.first?.reports ?? []
        return ([introduction, matrix(providers, reports)] + providers.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Providers and platforms

        Every provider that the reference provider can play, judged by the rules of every platform that has a profile
        (`oidc-preflight profiles list`). Each is asked under the name by which the world knows it, with the redirect URI of the
        platform registered; nothing leaves this machine. What a provider of the world really does may change any day: this
        page says what the profiles make of what is known, and is written by a test (`make samples`).

        ● the gate is open, ○ it is closed, ◌ it could not be decided.
        """

    private static func matrix(_ providers: [Provider], _ platforms: [Report]) -> String {
        let head = "| platform | " + providers.map(\.persona.rawValue).joined(separator: " | ") + " |"
        let rule = "| --- |" + String(repeating: " :---: |", count: providers.count)
        let rows = platforms.indices.map { index in
            let cells = providers.map { mark($0.reports[index].outcome.gate) }
            return "| `\(platforms[index].profile.name)` | " + cells.joined(separator: " | ") + " |"
        }
        return ([head, rule] + rows).joined(separator: "\n")
    }

    private static func mark(_ gate: Report.Gate) -> String {
        switch gate {
        case .open: "●"
        case .closed: "○"
        case .undecided: "◌"
        }
    }

    private static func section(_ provider: Provider) -> String {
        let rows = provider.reports.map { report in
            let blocking = report.entries.filter { $0.closesGate || $0.blocksOpening }.map { "`\($0.id)`" }
            let named = blocking.prefix(8).joined(separator: ", ")
            let more = blocking.count > 8 ? " and \(blocking.count - 8) more" : ""
            return "| `\(report.profile.name)` | \(report.outcome.gate.rawValue) | \(named)\(more) |"
        }
        let table = (["| platform | gate | what stands in the way |", "| --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        return "## \(provider.persona)\n\n\(table)"
    }
}
