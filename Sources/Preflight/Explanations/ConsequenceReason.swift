import CTexts
package import Conformance
import Judgement

/// Why a check has its consequence, if measurements of clients do not decide it.
///
/// The record is generated from `Tests/Fixtures/consequences.tsv`; a test fails if it is stale.
package struct ConsequenceReason: Sendable, Hashable {
    package let check: CheckID
    /// Whole sentences.
    package let because: String

    package init(check: CheckID, because: String) {
        self.check = check
        self.because = because
    }

    private static let byCheck = Dictionary(
        Table.rows(of: CTextTable_consequences())
            .compactMap { cells in
                cells.count == 2 ? (CheckID(cells[0]), cells[1]) : nil
            }
    ) { first, _ in first }

    package static func of(_ check: CheckID) -> String? { byCheck[check] }

    /// The first line of the record.
    package static let heading = "check\tbecause"

    package var line: String { "\(check)\t\(because)" }
}
