import CTexts
package import Conformance
import Judgement

/// An example failure of each check: the recorded finding of its first fault in the matrix.
///
/// The tests of the matrix write the record and fail if it is stale. Hosts, ports and other values that change between
/// runs are replaced by fixed values.
package struct Example: Sendable, Hashable {
    package let check: CheckID
    package let message: String
    package let pointer: String?
    let expected: String?
    package let found: String?
    package let fix: String

    package init(check: CheckID, message: String, pointer: String?, expected: String?, found: String?, fix: String) {
        self.check = check
        self.message = message
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.fix = fix
    }

    /// Every recorded example, in the order of the record.
    package static let all: [Example] = Table.rows(of: CTextTable_examples()).compactMap(Example.init)

    private static let byCheck = Dictionary(all.map { ($0.check, $0) }) { first, _ in first }

    package static func of(_ check: CheckID) -> Example? { byCheck[check] }

    /// The first line of the record.
    package static let heading = "check\tmessage\tat\texpected\tfound\tfix"

    /// A line of the record; values contain no tabs, because findings do not.
    package var line: String {
        [check.rawValue, message, pointer ?? "", expected ?? "", found ?? "", fix].joined(separator: "\t")
    }

    private init?(_ cells: [String]) {
        guard cells.count == 6 else { return nil }
        let optional = { (text: String) in text.isEmpty ? nil : text }
        self.init(
            check: CheckID(cells[0]),
            message: cells[1],
            pointer: optional(cells[2]),
            expected: optional(cells[3]),
            found: optional(cells[4]),
            fix: cells[5]
        )
    }
}
