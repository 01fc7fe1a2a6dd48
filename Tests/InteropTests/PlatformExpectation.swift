import Conformance
import Foundation
import Profiles

/// The gates of a real provider and the blocking checks, one row per platform.
struct PlatformExpectation: Equatable {
    struct Row: Hashable {
        let platform: String
        let gate: String
        /// The blocking checks; if there are none, the checks that make the gate inconclusive.
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

    /// Regenerates the file (`Scripts/interop.sh record`).
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
