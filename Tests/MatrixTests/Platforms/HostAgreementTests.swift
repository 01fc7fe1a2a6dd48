import Conformance
import Foundation
import ReferenceProvider
import Testing

/// The profile `mcp-host` against six real MCP clients (`Tests/Fixtures/mcp-hosts.tsv`).
@Suite("AI hosts", .timeLimit(.minutes(5)))
struct HostAgreementTests {
    struct Row: Sendable, CustomStringConvertible {
        let fault: Fault
        /// How many of the six clients did not sign in.
        let refusing: Int
        var description: String { fault.id }
    }

    /// The fault, and the number of clients that refuse it.
    private static let measured: [(fault: String, refusing: Int)] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/mcp-hosts.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
            .map { line in
                let cells = line.components(separatedBy: "\t")
                return (cells[0], cells.count > 1 ? Int(cells[1]) ?? 0 : 0)
            }
    }()

    static let rows: [Row] = measured.compactMap { name, refusing in
        Fault.all.first { $0.id == name && !$0.needsSockets }.map { Row(fault: $0, refusing: refusing) }
    }

    @Test("the table is read, and its faults exist")
    func table() {
        #expect(Self.measured.count == 60)
        let unknown = Self.measured.map(\.fault).filter { name in !Fault.all.contains { $0.id == name } }
        #expect(unknown.isEmpty, "\(unknown)")
    }

    @Test("the gate is open for a provider without faults")
    func faultless() async throws {
        let report = try await Self.report([])
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }

    @Test(
        "the gate is not open for a fault that half of the clients refuse",
        arguments: rows.filter { $0.refusing >= 3 }
    )
    func refused(row: Row) async throws {
        let report = try await Self.report([row.fault])
        #expect(report.outcome.gate != .open, "\(row.refusing) of 6: \(report.outcome.summary)")
    }

    private static func report(_ faults: [Fault]) async throws -> Report {
        try await Laboratory.collect(.publicClient, faults: faults, profile: "mcp-host") { target in
            target.resource = "https://mcp.example.com/mcp"
        }
        .report
    }
}
