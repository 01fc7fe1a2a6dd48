import Conformance
import Foundation

/// How real client libraries and platforms reacted to the reference provider's faults (`Tests/Fixtures/clients.tsv`), and
/// the reasons for a check's consequence if that does not decide it (`Sources/Preflight/Explanations/consequences.tsv`).
enum ClientTable {
    /// One fault, in one variant of the sign-in.
    struct Row: Sendable, CustomStringConvertible {
        /// The fault's identifier; `none` for the provider without faults.
        let fault: String
        /// Whether the sign-in used the code flow, as in the client's own quick start.
        let isOrdinary: Bool
        /// How many clients were tried.
        let tried: Int
        /// The clients that signed in despite the fault.
        let accepting: [String]
        /// For each client or platform that did not sign in, the step at which it rejected the fault.
        let steps: [String: String]

        /// The clients that did not sign in, each with its step.
        var refusals: [String] { steps.map { "\($0) at \($1)" }.sorted() }

        var description: String { "\(fault): \(refusals.joined(separator: ", "))" }

        /// The check that the fault is named after.
        var check: CheckID {
            CheckID(String(fault.prefix { $0 != "#" }))
        }
    }

    /// The reason for a consequence of a check that does not follow from the table.
    struct Reason: Sendable, CustomStringConvertible {
        let checks: CheckPattern
        let consequence: Consequence?
        let because: String

        var description: String { checks.text }
    }

    /// The clients, named as in the table's columns.
    static let clients = lines(of: "clients.tsv").first.map { Array($0.dropFirst(3)) } ?? []

    static let rows: [Row] =
        lines(of: "clients.tsv").dropFirst()
        .map { cells in
            let answers = zip(clients, cells.dropFirst(3)).filter { !$1.isEmpty }
            // Another flow, or another configuration of the same flow, is in parentheses.
            let name = cells[0].components(separatedBy: " (")
            let variants = name.dropFirst().map { $0.filter { $0 != ")" } }
            return Row(
                fault: name[0],
                isOrdinary: variants.allSatisfy { ["as stated", "many-keys"].contains($0) },
                tried: answers.count,
                accepting: answers.filter { $1 == "+" }.map(\.0),
                steps: Dictionary(answers.filter { $1 != "+" }) { first, _ in first }
            )
        }
        .filter { !$0.fault.hasPrefix("none") }

    static let reasons = lines(of: "consequences.tsv", in: "Sources/Preflight/Explanations").dropFirst()
        .map { cells in
            Reason(
                checks: CheckPattern(cells[0]),
                consequence: Consequence(rawValue: cells.count > 1 ? cells[1] : ""),
                because: cells.count > 2 ? cells[2] : ""
            )
        }

    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The cells of a table, without comment lines.
    static func lines(of file: String, in folder: String = "Tests/Fixtures") -> [[String]] {
        let url = repository.appendingPathComponent(folder).appendingPathComponent(file)
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.components(separatedBy: "\t") }
    }
}
