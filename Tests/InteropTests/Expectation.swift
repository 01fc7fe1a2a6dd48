import Conformance
import Foundation
import Preflight
import Profiles

/// The known results of a real provider: every finding with its reason, and every undetected deviation.
struct Expectation {
    /// A finding, or a skipped check.
    struct Row: Hashable {
        let check: String
        let verdict: String
        /// The scheme for which it is observed; nil for both.
        let only: String?
        let because: String

        var key: String { "\(verdict) \(check)" }
    }

    /// A deviation that was observed by hand and has no finding.
    struct Unseen: Hashable {
        let deviation: String
        let level: String
        /// A related check that passes nevertheless.
        let check: String?
        let because: String
    }

    let rows: [Row]
    let unseen: [Unseen]
    let file: String

    /// Reads `Expected/NAME.yaml`.
    init(provider: String) throws {
        file =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Expected/\(provider).yaml").path
        let root = try StrictYAML.parse(try String(contentsOfFile: file, encoding: .utf8), file: file)
        _ = root.required("provider")?.string()
        let checks = PreflightRun.checks.map(\.id.rawValue)
        func check(_ value: StrictYAML.Value?) -> String? {
            guard let value, let id = value.string() else { return nil }
            if !checks.contains(id) {
                value.report("no check is called “\(id)”" + NearestWord.hint(for: id, among: checks))
            }
            return id
        }
        func word(_ value: StrictYAML.Value?, of known: [String]) -> String? {
            guard let value, let word = value.string() else { return nil }
            if !known.contains(word) { value.report("“\(word)” is none of \(known.joined(separator: ", "))") }
            return word
        }
        rows = (root.required("findings")?.list() ?? [])
            .compactMap { value in
                guard let mapping = value.mapping() else { return nil }
                return Row(
                    check: check(mapping.required("check")) ?? "",
                    verdict: word(mapping["verdict"], of: ["failed", "inconclusive"]) ?? "failed",
                    only: word(mapping["only"], of: ["http", "https"]),
                    because: mapping.required("because")?.string() ?? ""
                )
            }
        unseen = (root["unseen"]?.list() ?? [])
            .compactMap { value in
                guard let mapping = value.mapping() else { return nil }
                return Unseen(
                    deviation: mapping.required("deviation")?.string() ?? "",
                    level: word(mapping.required("level"), of: ["must", "should"]) ?? "",
                    check: check(mapping["check"]),
                    because: mapping.required("because")?.string() ?? ""
                )
            }
        try root.reader.finish()
    }

    /// The expected results with one scheme, as `verdict check`.
    func keys(scheme: String) -> Set<String> {
        Set(rows.filter { $0.only == nil || $0.only == scheme }.map(\.key))
    }
}

/// Regenerates the findings of `Expected/NAME.yaml` for `Scripts/interop.sh record`.
///
/// Rows that are still observed keep their reason; new rows get the finding's message, to be verified by hand.
actor ExpectationRecord {
    static let shared = ExpectationRecord()
    static let isWanted = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"
    /// The prefix of a reason that is not verified yet.
    static let mark = "TO BE CHECKED"

    private var seen: [String: [String: [Report.Entry]]] = [:]

    /// Records the results of one scheme, and writes the file after both.
    func note(_ entries: [Report.Entry], provider: String, scheme: String) throws {
        seen[provider, default: [:]][scheme] = entries
        guard let http = seen[provider]?["http"], let https = seen[provider]?["https"] else { return }
        let expectation = try Expectation(provider: provider)
        var both: [Report.Entry] = []
        // In the order of the report, which is that of the catalogue.
        for check in PreflightRun.checks {
            for entry in http + https where entry.id == check.id {
                if !both.contains(where: { Self.isSame($0, entry) }) { both.append(entry) }
            }
        }
        let rows = both.map { entry in
            let schemes = [("http", http), ("https", https)]
                .filter { scheme in scheme.1.contains { Self.isSame($0, entry) } }
            return Self.row(entry, only: schemes.count == 1 ? schemes[0].0 : nil, known: expectation.rows)
        }
        let text = try String(contentsOfFile: expectation.file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = lines.firstIndex { $0.hasPrefix("findings:") } ?? lines.count - 1
        let end = lines[(start + 1)...].firstIndex { $0.first.map { $0 != " " } == true } ?? lines.count - 1
        let new = lines[..<start] + ["findings:"] + rows.flatMap { $0 } + lines[end...]
        try new.joined(separator: "\n").write(toFile: expectation.file, atomically: true, encoding: .utf8)
    }

    private static func isSame(_ left: Report.Entry, _ right: Report.Entry) -> Bool {
        left.id == right.id && left.verdict.word == right.verdict.word
    }

    private static func row(_ entry: Report.Entry, only: String?, known: [Expectation.Row]) -> [String] {
        let old = known.first { $0.check == entry.id.rawValue && $0.verdict == entry.verdict.word }
        let message = entry.verdict.findings.map(\.message).joined(separator: "; ") + (entry.verdict.reason ?? "")
        let because = old?.because ?? "\(mark): \(entry.level.rawValue): \(message)"
        var lines = ["  - check: \(entry.id)"]
        if entry.verdict.word != "failed" { lines.append("    verdict: \(entry.verdict.word)") }
        if let only { lines.append("    only: \(only)") }
        return lines + ["    because: \(scalar(because))"]
    }

    /// A plain scalar where YAML allows it, else one in double quotes.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isLetter || $0.isNumber } == true && !text.contains(": ") && !text.contains(" #")
            && !text.hasSuffix(":") && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        if isPlain { return text }
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: " ")
        return "\"\(escaped)\""
    }
}
