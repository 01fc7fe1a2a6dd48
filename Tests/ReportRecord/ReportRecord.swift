package import Conformance
import Foundation
import Reporting
import Synchronization

/// Records the JSON of every report that a test checks, if the environment names a folder for them.
///
/// `Scripts/validate-reports.py` validates the files against the schemas after the tests. Entries that were recorded before are dropped
/// from later reports: the schema validates each entry independently, and a thousand runs have nearly the same ones.
package enum ReportRecord {
    private static let folder = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_REPORTS"]
        .flatMap {
            $0.isEmpty ? nil : URL(fileURLWithPath: $0)
        }
    private static let kept = Mutex<(entries: Set<Report.Entry>, files: Int)>(([], 0))

    /// Returns the report unchanged, so that a test can pass it through.
    @discardableResult
    package static func keep(_ report: Report) throws -> Report {
        try keep(JointReport(report))
        return report
    }

    /// The same for several platforms.
    @discardableResult
    package static func keep(_ joint: JointReport) throws -> JointReport {
        guard folder != nil else { return joint }
        let reports = joint.reports.map { report in
            var report = report
            kept.withLock { kept in report.entries.removeAll { !kept.entries.insert($0).inserted } }
            return report
        }
        try keep(ReportFormat.json.render(JointReport(reports[0], Array(reports.dropFirst()))))
        return joint
    }

    /// A report that the program itself wrote.
    package static func keep(_ json: String) throws {
        guard let folder else { return }
        let number = kept.withLock { kept in
            kept.files += 1
            return kept.files
        }
        let name = "\(ProcessInfo.processInfo.processIdentifier)-\(number).json"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: folder.appendingPathComponent(name))
    }
}
