import Conformance
import Foundation

/// A table of rules and misconfigurations that others test or reported, with the checks for each.
struct CoverageTable: CustomStringConvertible {
    /// The name of the table, its file and its page.
    let name: String
    let title: String
    /// The word for a row in sentences.
    let noun: String
    let rows: [Row]

    var description: String { name }

    struct Row: CustomStringConvertible {
        /// Name or number.
        let name: String
        /// Its section of the table; empty if the table has none.
        let section: String
        /// The requirement, or the misconfiguration.
        let text: String
        /// The specification section that the source names; empty if none.
        let citation: String
        let kind: Kind?
        let checks: [CheckID]
        /// The identifiers of the faults that implement the row.
        let faults: [String]
        let reason: String
        /// Issue threads about it, `owner/repository#number`.
        let issues: [String]

        var description: String { name }

        var status: Status {
            if !checks.isEmpty { return .covered }
            return reason.hasPrefix("open:") ? .open : .notChecked
        }
    }

    /// The subject of a row.
    enum Kind: String, CaseIterable {
        /// It is about the provider, and a client can check it.
        case provider
        /// The other suite's own setup, or one of its design decisions.
        case suite
        /// The sanity of the other suite's configuration.
        case configuration
        /// A user has to look at a page.
        case user
        /// A browser has to run the scripts of two frames.
        case browser
        /// The provider's operator has to act during the run.
        case `operator`
        /// The provider has to reach this machine by a public address.
        case address
        /// Another variant of OpenID Connect, which this tool does not support.
        case variant

        var words: String {
            switch self {
            case .provider: "about the provider"
            case .suite: "the suite's own plumbing"
            case .configuration: "the suite's configuration"
            case .user: "needs a user to look at a page"
            case .browser: "needs a browser with scripts"
            case .operator: "needs the provider's operator"
            case .address: "needs a public address for the client"
            case .variant: "another variant of the protocol"
            }
        }
    }

    enum Status: String, CaseIterable {
        case covered
        case notChecked = "not checked"
        case open
    }

    /// The rows about the provider; the coverage targets count only these.
    var judging: [Row] { rows.filter { $0.kind == .provider } }

    /// The share of those rows that are covered, from 0 to 1.
    var share: Double { Double(judging.count { $0.status == .covered }) / Double(max(1, judging.count)) }

    static let folder = ExampleRecord.repository.appendingPathComponent("Tests/Fixtures/coverage")

    static let modules = read("oidf-modules", "The modules of the OpenID Foundation's suite", "module", key: "module")
    static let conditions = read(
        "oidf-conditions",
        "The conditions of the OpenID Foundation's suite",
        "condition",
        key: "condition"
    )
    static let misconfigurations = read(
        "misconfigurations",
        "Misconfigurations that users reported",
        "misconfiguration",
        key: "number"
    )
    static let all = [modules, conditions, misconfigurations]

    /// Whether it has a page of its own: the tables of the suite are as readable themselves.
    var hasPage: Bool { rows.contains { !$0.issues.isEmpty } }
    var link: String { hasPage ? "\(name).md" : "../../Tests/Fixtures/coverage/\(name).tsv" }

    /// Reads a table; rows with missing columns are dropped, which the tests of the row count detect.
    private static func read(_ name: String, _ title: String, _ noun: String, key: String) -> CoverageTable {
        let text = (try? String(contentsOf: folder.appendingPathComponent(name + ".tsv"), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let heading = (lines.first ?? []).map(String.init)
        let rows = lines.dropFirst().filter { $0.count == heading.count }
            .map { cells in
                Row(cells: Dictionary(zip(heading, cells.map(String.init))) { first, _ in first }, key: key)
            }
        return CoverageTable(name: name, title: title, noun: noun, rows: rows)
    }
}

extension CoverageTable.Row {
    fileprivate init(cells: [String: String], key: String) {
        func list(_ column: String) -> [String] {
            (cells[column] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        self.init(
            name: cells[key] ?? "",
            section: cells["section"] ?? "",
            text: cells["requires"] ?? cells["happens"] ?? "",
            citation: cells["citation"] ?? "",
            kind: CoverageTable.Kind(rawValue: cells["kind"] ?? ""),
            checks: list("checks").map { CheckID($0) },
            faults: list("faults"),
            reason: cells["reason"] ?? "",
            issues: list("issues")
        )
    }
}
