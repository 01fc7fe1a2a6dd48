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
        let sections = providers.map(section) + [remarks(of: reports)]
        return ([introduction, matrix(providers, reports)] + sections).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Providers and platforms

        Every provider that the reference provider can play, judged by the rules of every platform that has a profile
        (`oidc-preflight profiles list`). Each is asked under the name by which the world knows it, with the redirect URI of the
        platform registered; nothing leaves this machine. What a provider of the world really does may change any day: this
        page says what the profiles make of what is known, and is written by a test (`make examples`).

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
        ## What is told and closes no gate

        Of a platform's rules an error is what its own documentation or its recorded behaviour establishes, and what a
        registration or a sign-in breaks at. The others are warnings and notices: background knowledge, what was seen
        elsewhere, what is documented but works all the same. `--fail-on warning` and `--fail-on notice` let them close
        the gate, too.
        """
}
