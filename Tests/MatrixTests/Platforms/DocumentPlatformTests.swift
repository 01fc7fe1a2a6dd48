import Conformance
import Foundation
import ReferenceProvider
import TestSupport
import Testing

/// Profiles that are known from documents or source, and not measured (`Tests/Fixtures/document-platforms.tsv`).
@Suite("Platforms known from documents", .phase(.sockets), .timeLimit(.minutes(5)))
struct DocumentPlatformTests {
    struct Row: Sendable, CustomStringConvertible {
        let profile: String
        /// A fault that closes the gate.
        let closes: String
        /// A fault of something that the platform never meets: it closes the gate of openid alone.
        let open: String?
        var description: String { profile }
    }

    static let rows: [Row] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/document-platforms.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
            .map { line in
                let cells = line.components(separatedBy: "\t")
                return Row(profile: cells[0], closes: cells[1], open: cells[2] == "-" ? nil : cells[2])
            }
    }()

    @Test func `the table is read`() { #expect(Self.rows.count >= 14) }

    @Test(arguments: rows) func `the gate opens where sign-in works, and closes where it does not`(
        row: Row
    ) async throws {
        #expect(try await Self.gate(of: row.profile, nil) == .open)
        #expect(try await Self.gate(of: row.profile, row.closes) == .closed, "\(row.closes)")
        guard let harmless = row.open else { return }
        #expect(try await Self.gate(of: row.profile, harmless) == .open, "\(harmless)")
        #expect(try await Self.gate(of: "openid", harmless) == .closed, "\(harmless)")
    }

    private static func gate(of profile: String, _ id: String?) async throws -> Report.Gate {
        let faults = try id.map { id in [try #require(Fault.all.first { $0.id == id })] } ?? []
        return try await Laboratory.collect(.standard, faults: faults, profile: profile).report.outcome.gate
    }
}
