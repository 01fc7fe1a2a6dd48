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
        let closing = report.entries.filter(\.closesGate).map { "\($0.id): \($0.verdict.findings)" }
        #expect(report.outcome.gate == .open, "\(report.outcome.summary) \(closing)")
    }

    @Test(
        "the gate is not open for a fault that half of the clients refuse",
        arguments: rows.filter { $0.refusing >= 3 }
    )
    func refused(row: Row) async throws {
        let report = try await Self.report([row.fault])
        #expect(report.outcome.gate != .open, "\(row.refusing) of 6: \(report.outcome.summary)")
    }

    /// The faults that were measured and that no client refuses; safety does not depend on what clients accept.
    static let harmless: [Fault] = Fault.all.filter { fault in
        !fault.needsSockets && !fault.isOfThePlatformAlone && fault.persona == .standard
            && !fault.trips.rawValue.hasPrefix("platform.") && !measured.contains { $0.fault == fault.id }
    }

    /// The errors for faults that none of the six clients refuses, each with its reason.
    private static let reasons: [CheckPattern: String] = [
        "discovery.server-metadata.*": "measured with 13 clients: 13, 10 and 6 refuse",
        "discovery.issuer.uses-https": "measured over http; MCP requires https for all endpoints",
        "discovery.issuer.is-in-normal-form": "9 of 13 refuse a scheme in capitals",
        "discovery.issuer.matches-request": "5 of 6 refuse other variants",
        "discovery.response.status-is-200": "3 of 6 refuse another variant",
        "discovery.*.is-present": "5 of 13 refuse if they read the discovery document",
        "discovery.members.are-not-null": "5 of 13 refuse",
        "discovery.url-members.*": "up to 6 of 13 refuse such a member",
        "authorization.flow.succeeds": "the cause that supersedes it elsewhere is a warning here",
        "authorization.sign-in.forms-reach-the-client": "browsers refuse it",
        "token.status.is-200": "the check also fails if the provider rejects every code",
        "token.client-authentication.is-accepted": "the fault concerns a bogus code; real codes are redeemed",
        "token.expires-in.is-a-number": "6 of 13 refuse",
        "token.expires-in.is-readable": "6 of 13 refuse a string",
        "token.refresh-token.is-a-text": "5 of 13 refuse null",
        "token.unknown-parameter.is-ignored": "hosts send resource, which such an endpoint rejects",
        "registration.*": "the measured clients were registered beforehand",
    ]

    @Test("no error but one of safety closes the gate for a fault that no client refuses", arguments: harmless)
    func accepted(fault: Fault) async throws {
        let closing = try await Self.report([fault]).entries
            .filter { entry in
                entry.closesGate && entry.consequence != .safety && !Self.reasons.keys.contains { $0.matches(entry.id) }
            }
        #expect(closing.isEmpty, "\(closing.map(\.id))")
    }

    private static func report(_ faults: [Fault]) async throws -> Report {
        try await Laboratory.collect(.standard, faults: faults, profile: "mcp-host") { target in
            target.resource = "https://mcp.example.com/mcp"
            target.flows = ["code"]
        }
        .report
    }
}
