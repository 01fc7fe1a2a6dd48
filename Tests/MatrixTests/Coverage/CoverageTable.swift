import Conformance
import Foundation

/// A table of what others found worth judging, row by row, and what judges it here.
struct CoverageTable: CustomStringConvertible {
    /// The table's name, that of its file and of its page.
    let name: String
    let title: String
    /// What a row is called in sentences.
    let noun: String
    let rows: [Row]

    var description: String { name }

    struct Row: CustomStringConvertible {
        /// Name or number.
        let name: String
        /// The part of the table it stands in; empty when there are none.
        let section: String
        /// What it asks of a provider, or what goes wrong.
        let text: String
        /// The specification that the row was taken from states; empty when it states none.
        let citation: String
        let kind: Kind?
        let checks: [CheckID]
        /// The identifiers of the faults that embody the row.
        let faults: [String]
        let reason: String
        /// Threads in which people met it, `owner/repository#number`.
        let issues: [String]

        var description: String { name }

        var status: Status {
            if !checks.isEmpty { return .covered }
            return reason.hasPrefix("open:") ? .open : .notJudged
        }
    }

    /// What a row is about.
    enum Kind: String, CaseIterable {
        /// It judges the provider, and can be seen from where this tool stands.
        case provider
        /// The other suite's own preparation, or a decision of its own.
        case suite
        /// The sanity of the other suite's configuration.
        case configuration
        /// A person has to look at a page.
        case person
        /// A browser has to run the scripts of two frames.
        case browser
        /// Somebody at the provider has to do something during the run.
        case `operator`
        /// The provider has to reach this machine by a public address.
        case address
        /// Another way of running OpenID Connect, which this tool does not speak.
        case variant

        var words: String {
            switch self {
            case .provider: "judges the provider"
            case .suite: "the suite's own plumbing"
            case .configuration: "the suite's configuration"
            case .person: "needs a person's eyes"
            case .browser: "needs the scripts of a browser"
            case .operator: "needs the provider's operator"
            case .address: "needs a public address here"
            case .variant: "another variant of the protocol"
            }
        }
    }

    enum Status: String, CaseIterable {
        case covered
        case notJudged = "not judged"
        case open
    }

    /// The rows that judge the provider: what the target shares are counted over.
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
        "Misconfigurations that people met",
        "misconfiguration",
        key: "number"
    )
    static let all = [modules, conditions, misconfigurations]

    /// Reads a table; a row that has not all columns is left out, which the count of rows shows.
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
