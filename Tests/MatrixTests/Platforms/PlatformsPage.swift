import Conformance
import ReferenceProvider

/// The page `Platforms.md` of the published documentation: where each provider can be registered, and what keeps it out.
enum PlatformsPage {
    struct Provider {
        var persona: Persona
        /// One for each platform.
        var reports: [Report]
    }

    static func text(_ providers: [Provider]) -> String {
        let reports = providers.first?.reports ?? []
        let sections = providers.map(section) + [remarks(of: reports)]
        return ([introduction, matrix(providers)] + sections).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Personas of the reference provider at the platforms' profiles

        **This page says nothing of a provider of the world.** The reference provider plays each of them from what is publicly known
        (a *persona*), under its public name, on this machine; nobody else was asked. Every persona is judged by the profile of
        every platform (`oidc-preflight profiles list`), with the platform's redirect URI registered. It shows what the profiles
        demand and whether they tell such providers apart; to learn about a real one, run `check` against it.

        `make site` writes this page. ● the gate is open, ○ it is closed, ◌ it could not be decided.
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
        case .undecided: "◌"
        }
    }

    /// What stands in the way of one provider, once for all platforms at which it is the same.
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
        let table = (["| platforms | gate | what stands in the way |", "| --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        return "## \(provider.persona)\n\n\(table)"
    }

    /// The platforms' rules that are told and close no gate, and why they weigh no more.
    private static func remarks(of reports: [Report]) -> String {
        struct Remark: Hashable {
            var check: CheckID
            var level: Level
            var reason: String
        }
        var order: [Remark] = []
        var platforms: [Remark: [String]] = [:]
        for report in reports {
            for entry in report.entries where entry.wasSelected && entry.stage == .platform && entry.level < .error {
                let reason = entry.levelReason ?? entry.why
                let remark = Remark(check: entry.id, level: entry.level, reason: reason)
                if platforms[remark] == nil { order.append(remark) }
                platforms[remark, default: []].append("`\(report.profile.name)`")
            }
        }
        let rows = order.sorted { ($0.check.rawValue, $1.level) < ($1.check.rawValue, $0.level) }
            .map { remark in
                "| `\(remark.check)` | \(remark.level) | \(platforms[remark, default: []].joined(separator: ", ")) | \(remark.reason) |"
            }
        return
            ([remarksIntroduction, "", "| check | level | platforms | because |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }

    private static let remarksIntroduction = """
        ## Rules that are warnings or notices

        A platform's rule is an error where its own documentation or its recorded behaviour says that a registration or a
        sign-in fails. The others are warnings and notices: background knowledge, what was seen elsewhere, what is documented
        but works all the same. They close the gate with `--fail-on warning` or `--fail-on notice` only.
        """
}
