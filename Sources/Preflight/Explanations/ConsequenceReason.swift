import CTexts
package import Conformance
import Judgement

/// Why a check has its consequence, if measurements of clients do not decide it.
package enum ConsequenceReason {
    private static let rows = Table.rows(of: CTextTable_consequences())
        .compactMap { cells in cells.count == 3 ? (pattern: CheckPattern(cells[0]), because: cells[2]) : nil }

    /// Whole sentences.
    package static func of(_ check: CheckID) -> String? { rows.first { $0.pattern.matches(check) }?.because }
}
