import Conformance
import ReferenceProvider
import TestSupport
import Testing

/// Profiles that are known from documents or source, and not measured (`Tests/Fixtures/document-platforms.tsv`).
@Suite("Platforms known from documents", .phase(.sockets), .timeLimit(.minutes(20)))
struct DocumentPlatformTests {
    struct Row: Sendable, CustomStringConvertible {
        let profile: String
        /// A fault that closes the gate.
        let closes: String
        /// A fault of something that the platform never meets: it closes the gate of openid alone.
        let open: String?
        var description: String { profile }
    }

    static let rows = Fixture.table("document-platforms").dropFirst()
        .map { Row(profile: $0[0], closes: $0[1], open: $0[2] == "-" ? nil : $0[2]) }

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

    /// Entra needs the certificates of keys, which the persona does not publish.
    private static let certificate = Fault(
        "platform.keys.have-x5c",
        "the keys have certificates",
        change: { $0.publishCertificate() }
    )

    private static func gate(of profile: String, _ id: String?) async throws -> Report.Gate {
        let faults = try id.map { id in [try #require(Fault.all.first { $0.id == id })] } ?? []
        let needed = profile == "entra-external-mfa" ? [certificate] : []
        return try await Laboratory.collect(.standard, faults: needed + faults, profile: profile).report.outcome.gate
    }
}
