import Foundation
import TestSupport

/// The saved runs in Tests/Fixtures/evidence/format-3, and their JSON reports from `judge`.
enum SavedRun {
    /// The path of the decompressed evidence: `open`, `closed` or `undecided`.
    static func evidence(_ name: String) async throws -> String {
        try await Fixture.file("evidence/format-3/\(name).json.gz")
    }

    /// The path of a JSON report: `open`, `closed`, `undecided`, or `platforms`, which is `closed` for three platforms.
    static func report(_ name: String) async throws -> String { try await reports.path(name) }

    private static let reports = Reports()

    /// Evaluates each run once, however many tests use its report.
    private actor Reports {
        private var paths: [String: Task<String, any Error>] = [:]

        func path(_ name: String) async throws -> String {
            if let path = paths[name] { return try await path.value }
            let path = Task { try await Self.judge(name) }
            paths[name] = path
            return try await path.value
        }

        private static func judge(_ name: String) async throws -> String {
            let evidence = try await SavedRun.evidence(name == "platforms" ? "closed" : name)
            let profile = name == "closed" ? ["--profile", "openid"] : []
            let result = try await Program.run(["judge", evidence, "--report", "json=-"] + profile)
            let file = URL(fileURLWithPath: evidence).deletingLastPathComponent()
                .appendingPathComponent("\(name)-report.json")
            try Data(result.output.utf8).write(to: file, options: .atomic)
            return file.path
        }
    }
}
