import Conformance
import Foundation

/// What real client libraries and platforms did with the reference provider's faults (`Tests/Fixtures/clients.tsv`), and
/// the written reasons where that does not decide a check's consequence (`Tests/Fixtures/consequences.tsv`).
enum ClientTable {
    /// One fault, in one manner of signing in.
    struct Row: Sendable, CustomStringConvertible {
        /// The fault's identifier; `none` for the faultless provider.
        let fault: String
        /// Whether the sign-in was one by code, as the client's own quick start has it.
        let isOrdinary: Bool
        /// How many clients were tried.
        let tried: Int
        /// Who signed in all the same.
        let accepting: [String]
        /// The step at which each client or platform refused that did not sign in.
        let steps: [String: String]

        /// Who did not sign in, and at which step.
        var refusals: [String] { steps.map { "\($0) at \($1)" }.sorted() }

        var description: String { "\(fault): \(refusals.joined(separator: ", "))" }

        /// The check that the fault is named after.
        var check: CheckID {
            CheckID(String(fault.prefix { $0 != "#" }))
        }
    }

    /// Why a check has a consequence that the table does not speak for.
    struct Reason: Sendable, CustomStringConvertible {
        let checks: CheckPattern
        let consequence: Consequence?
        let because: String

        var description: String { checks.text }
    }

    /// The clients, as the table's columns name them.
    static let clients = lines(of: "clients.tsv").first.map { Array($0.dropFirst(3)) } ?? []

    static let rows: [Row] =
        lines(of: "clients.tsv").dropFirst()
        .map { cells in
            let answers = zip(clients, cells.dropFirst(3)).filter { !$1.isEmpty }
            // In brackets stands another flow, or another configuration of the same one.
            let name = cells[0].components(separatedBy: " (")
            let manners = name.dropFirst().map { $0.filter { $0 != ")" } }
            return Row(
                fault: name[0],
                isOrdinary: manners.allSatisfy { ["as stated", "many-keys"].contains($0) },
                tried: answers.count,
                accepting: answers.filter { $1 == "+" }.map(\.0),
                steps: Dictionary(answers.filter { $1 != "+" }) { first, _ in first }
            )
        }
        .filter { !$0.fault.hasPrefix("none") }

    static let reasons = lines(of: "consequences.tsv").dropFirst()
        .map { cells in
            Reason(
                checks: CheckPattern(cells[0]),
                consequence: Consequence(rawValue: cells.count > 1 ? cells[1] : ""),
                because: cells.count > 2 ? cells[2] : ""
            )
        }

    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The cells of a table, whose first line says what it is.
    private static func lines(of file: String) -> [[String]] {
        let url = repository.appendingPathComponent("Tests/Fixtures").appendingPathComponent(file)
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.components(separatedBy: "\t") }
    }
}
