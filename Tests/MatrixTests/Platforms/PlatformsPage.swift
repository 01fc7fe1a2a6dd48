import Conformance
import ReferenceProvider

/// The page `Personas.md` of the published documentation: where each provider can be registered, and the checks that fail elsewhere.
enum PlatformsPage {
    struct Provider {
        var persona: Persona
        /// One for each platform.
        var reports: [Report]
    }

    static func text(_ providers: [Provider]) -> String {
        let reports = providers.first?.reports ?? []
        let sections = providers.map(section) + [warnings(of: reports)]
        return ([introduction, matrix(providers)] + sections).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Personas of the reference provider at the platforms' profiles

        **This page says nothing about real providers.** The reference provider imitates each of them from public information
        (a *persona*), under its public name, on this machine; no request was sent to a real one. Every persona is checked
        with the profile of every platform (`oidc-preflight profiles list`), with the platform's redirect URI registered. The
        page shows the requirements of the profiles, and that they distinguish such providers. To check a real one, run `check`.

        `make site` writes this page. ● the gate is open, ○ closed, ◌ inconclusive.
        """

    /// The gate of each provider at each platform, as a table.
    static func matrix(_ providers: [Provider]) -> String {
        let platforms = providers.first?.reports ?? []
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
        case .inconclusive: "◌"
        }
    }

    /// The blocking checks of one provider, grouped by platforms with the same result.
    private static func section(_ provider: Provider) -> String {
        var platforms: [String: [String]] = [:]
        var order: [String] = []
        for report in provider.reports {
            let decisive = report.decisive.map { "`\($0.id)`" }
            let named = decisive.prefix(8).joined(separator: ", ")
            let more = decisive.count > 8 ? " and \(decisive.count - 8) more" : ""
            let outcome = "\(report.outcome.gate.rawValue) | \(named)\(more)"
            if platforms[outcome] == nil { order.append(outcome) }
            platforms[outcome, default: []].append("`\(report.profile.name)`")
        }
        let rows = order.map { "| \(platforms[$0, default: []].joined(separator: ", ")) | \($0) |" }
        let table = (["| platforms | gate | blocking checks |", "| --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        return "## \(provider.persona)\n\n\(table)"
    }

    /// The platforms' rules that are not blocking, and the reason for their level.
    private static func warnings(of reports: [Report]) -> String {
        struct WarningRow: Hashable {
            var check: CheckID
            var level: Level
            var reason: String
        }
        var order: [WarningRow] = []
        var platforms: [WarningRow: [String]] = [:]
        for report in reports {
            for entry in report.entries where entry.wasSelected && entry.stage == .platform && entry.level < .error {
                let reason = entry.levelReason ?? entry.why
                let warning = WarningRow(check: entry.id, level: entry.level, reason: reason)
                if platforms[warning] == nil { order.append(warning) }
                platforms[warning, default: []].append("`\(report.profile.name)`")
            }
        }
        let rows = order.sorted { ($0.check.rawValue, $1.level) < ($1.check.rawValue, $0.level) }
            .map { warning in
                "| `\(warning.check)` | \(warning.level) | \(platforms[warning, default: []].joined(separator: ", ")) | \(warning.reason) |"
            }
        return
            ([warningsIntroduction, "", "| check | level | platforms | reason |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }

    private static let warningsIntroduction = """
        ## Rules that are warnings or notices

        A platform's rule is an error if the platform's documentation or its recorded behaviour shows that a registration or a
        sign-in fails. Other rules are warnings or notices: background knowledge, behaviour seen elsewhere, and documented
        rules that are not enforced. They close the gate only with `--fail-on warning` or `--fail-on notice`.
        """
}
