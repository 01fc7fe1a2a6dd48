import CTexts
package import Conformance
import Judgement

/// A known issue: a misconfiguration reported in public issue threads.
///
/// The record is generated from the coverage tables, whose tests fail if it is stale.
package struct KnownIssue: Sendable, Hashable {
    package let check: CheckID
    /// A short description of the problem.
    package let happens: String
    /// Threads as `owner/repository#number`.
    package let issues: [String]

    package init(check: CheckID, happens: String, issues: [String]) {
        self.check = check
        self.happens = happens
        self.issues = issues
    }

    package static let all: [KnownIssue] = Table.rows(of: CTextTable_knownIssues()).compactMap(KnownIssue.init)

    package static func of(_ check: CheckID) -> [KnownIssue] { all.filter { $0.check == check } }

    /// The first line of the record.
    package static let heading = "check\thappens\tissues"

    package var line: String { [check.rawValue, happens, issues.joined(separator: " ")].joined(separator: "\t") }

    /// The address of a thread, `owner/repository#number`.
    package static func link(_ issue: String) -> String {
        "https://github.com/" + issue.replacing("#", with: "/issues/")
    }

    private init?(_ cells: [String]) {
        guard cells.count == 3 else { return nil }
        self.init(
            check: CheckID(cells[0]),
            happens: cells[1],
            issues: cells[2].split(separator: " ").map(String.init)
        )
    }
}
