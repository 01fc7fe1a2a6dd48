import Conformance
import Foundation
import Profiles

/// Where a real provider can be registered, and what stands in the way: one row for each platform.
struct PlatformExpectation: Equatable {
    struct Row: Hashable {
        let platform: String
        let gate: String
        /// The checks that close the gate; where none does, those that keep it from opening.
        let by: [String]

        init(platform: String, gate: String, by: [String]) {
            self.platform = platform
            self.gate = gate
            self.by = by
        }

        init(_ report: Report) {
            self.init(
                platform: report.profile.name,
                gate: report.outcome.gate.rawValue,
                by: report.decisive.map(\.id.rawValue)
            )
        }
    }

    let rows: [Row]

    init(_ joint: JointReport) {
        rows = joint.reports.map(Row.init)
    }

    /// Reads `Expected/platforms/NAME.yaml`.
    init(provider: String) throws {
        let file = Self.file(provider)
        let root = try StrictYAML.parse(try String(contentsOfFile: file, encoding: .utf8), file: file)
        rows = root.pairs.compactMap { platform, value in
            guard let mapping = value.mapping() else { return nil }
            return Row(
                platform: platform,
                gate: mapping.required("gate")?.string() ?? "",
                by: mapping["by"]?.strings() ?? []
            )
        }
        try root.reader.finish()
    }

    /// Writes the file anew (`Scripts/interop.sh record`).
    func write(provider: String) throws {
        let head = "# \(provider) over https, by the rules of every platform; written by Scripts/interop.sh record.\n"
        let text = rows.map { row in
            let list = row.by.map { "    - \($0)\n" }.joined()
            return "\(row.platform):\n  gate: \(row.gate)\n" + (list.isEmpty ? "" : "  by:\n\(list)")
        }
        try (head + text.joined()).write(toFile: Self.file(provider), atomically: true, encoding: .utf8)
    }

    private static func file(_ provider: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Expected/platforms/\(provider).yaml").path
    }
}
