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

    static let rows: [Row] = {
        let table = lines(of: "clients.tsv")
        let clients = table.first.map { Array($0.dropFirst(3)) } ?? []
        return table.dropFirst()
            .map { cells in
                let answers = zip(clients, cells.dropFirst(3)).filter { !["", "+"].contains($1) }
                // In brackets stands another flow, or another configuration of the same one.
                let name = cells[0].components(separatedBy: " (")
                let manners = name.dropFirst().map { $0.filter { $0 != ")" } }
                return Row(
                    fault: name[0],
                    isOrdinary: manners.allSatisfy { ["as stated", "many-keys"].contains($0) },
                    steps: Dictionary(answers) { first, _ in first }
                )
            }
            .filter { !$0.fault.hasPrefix("none") }
    }()

    static let reasons = lines(of: "consequences.tsv").dropFirst()
        .map { cells in
            Reason(
                checks: CheckPattern(cells[0]),
                consequence: Consequence(rawValue: cells.count > 1 ? cells[1] : ""),
                because: cells.count > 2 ? cells[2] : ""
            )
        }

    /// The cells of a table, whose first line says what it is.
    private static func lines(of file: String) -> [[String]] {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        let text = (try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.components(separatedBy: "\t") }
    }
}
