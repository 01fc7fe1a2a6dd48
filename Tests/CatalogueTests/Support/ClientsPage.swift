import Catalogue
import Conformance
import Profiles

/// The page `Clients.md` of the site: the faults that each client rejects, and their level in a run.
enum ClientsPage {
    /// The level that the profile `openid` assigns to a fault that some client rejects.
    enum Reported: String, Sendable, CaseIterable {
        case signInError = "error: sign-in"
        case otherError = "error: safety or conformance"
        case warning = "warning"
        case notice = "notice"
        case unseen = "not seen"
    }

    static func text() throws -> String {
        let profile = try ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no such file")
        }
        .profile("openid")
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        func reported(_ row: ClientTable.Row) -> Reported {
            guard let check = checks[row.check], profile.includes(check.id) || check.id.stage == .platform else {
                return .unseen
            }
            switch profile.weight(of: check).level {
            case .error: return check.consequence == .signIn ? .signInError : .otherError
            case .warning: return .warning
            case .notice: return .notice
            }
        }
        return (introduction + counts(reported) + matrix(reported)).joined(separator: "\n") + "\n"
    }

    private static let introduction = [
        "# Faults that clients reject, and their level in a run", "",
        "Generated from [the table of measurements](../Tests/Fixtures/clients.tsv) and the catalogue by `make site`.",
        "[Client libraries](Client-Libraries.md) describes the clients, the measurements and their limits.",
        "",
    ]

    private static func counts(_ reported: (ClientTable.Row) -> Reported) -> [String] {
        var lines = [
            "## Rejected faults by client", "",
            "The number of faults that each client or platform rejects. The profile `openid` reports them as an error with",
            "the consequence *sign-in*, as another error, as a warning or as a notice, or has no check for them.", "",
            "| client | rejects | \(Reported.allCases.map(\.rawValue).joined(separator: " | ")) |",
            "| --- | ---: |\(Reported.allCases.map { _ in " ---: |" }.joined())",
        ]
        for client in ClientTable.clients {
            let refused = ClientTable.rows.filter { $0.steps[client] != nil }
            let numbers = Reported.allCases.map { kind in "\(refused.count { reported($0) == kind })" }
            lines.append("| `\(client)` | \(refused.count) | \(numbers.joined(separator: " | ")) |")
        }
        return lines + [""]
    }

    private static func matrix(_ reported: (ClientTable.Row) -> Reported) -> [String] {
        var lines = [
            "## Rejections by fault", "",
            "If more clients reject a fault than accept it, the last column names those that accept it.", "",
            "| fault | level | rejected by | clients |", "| --- | --- | ---: | --- |",
        ]
        for row in ClientTable.rows where !row.steps.isEmpty {
            let refusing = ClientTable.clients.filter { row.steps[$0] != nil }
            let others = row.accepting
            let who =
                others.isEmpty
                ? "all" : others.count < refusing.count ? "all but " + names(others) : names(refusing)
            let variant = row.isOrdinary ? "" : " (another flow)"
            let name =
                Catalogue.all.contains { $0.id == row.check }
                ? "[`\(row.fault)`](\(row.check.page.replacing("Documentation/", with: "")))" : "`\(row.fault)`"
            lines.append(
                "| \(name)\(variant) | \(reported(row).rawValue) | \(refusing.count) of \(row.tried) | \(who) |"
            )
        }
        return lines
    }

    private static func names(_ clients: [String]) -> String { clients.map { "`\($0)`" }.joined(separator: ", ") }
}
