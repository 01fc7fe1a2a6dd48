import Catalogue
import Conformance
import ReferenceProvider
import TestSupport
import Testing

/// The fault matrix over loopback: the faults that need a network, and a comparison with the runs in memory.
@Suite("Fault matrix over sockets", .phase(.sockets), .timeLimit(.minutes(20)))
struct SocketMatrixTests {
    @Test(
        "a fault of TLS, addresses or the provider's own requests fails its check and no other",
        arguments: Laboratory.faults.filter(\.needsSockets)
    )
    func trips(fault: Fault) async throws {
        try FaultMatrixTests.expect(fault, in: try await Laboratory.judge(fault, over: .sockets))
    }

    @Test("a conformant provider passes in every persona", arguments: Persona.allCases)
    func conformant(persona: Persona) async throws {
        let report = try await Laboratory.judge(persona, over: .sockets).report
        FaultMatrixTests.expectNoFindings(report, but: Set(persona.expectedWarnings + persona.failures), of: persona)
    }

    @Test("no selected check is skipped for the standard persona")
    func everyCheckHasResult() async throws {
        let report = try await Laboratory.judge(.standard, over: .sockets).report
        for entry in report.entries where entry.wasSelected {
            let hasResult = [.passed].contains(entry.verdict) || entry.verdict.word == "notApplicable"
            #expect(hasResult, "\(entry.id) \(entry.verdict.word): \(entry.verdict.reason ?? "")")
        }
    }

    @Test(
        "both transports have the same result for every check",
        arguments: Laboratory.faults.filter { !$0.needsSockets && !$0.isOfThePlatformAlone }
    )
    func sameVerdicts(fault: Fault) async throws {
        let memory = Self.verdicts(try await Laboratory.judge(fault, over: .memory))
        let sockets = Self.verdicts(try await Laboratory.judge(fault, over: .sockets))
        let differences = sockets.filter { memory[$0.key] != $0.value }
            .map { "\($0.key): \($0.value) over sockets, \(memory[$0.key] ?? "absent") in memory" }
        #expect(differences.sorted() == [])
    }

    private static func verdicts(_ report: Report) -> [CheckID: String] {
        let seen = report.entries.filter { !Catalogue.seenOverSocketsAlone.contains($0.id) }
        return Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.verdict.word) })
    }
}

extension Catalogue {
    /// The checks that need a network: handshakes, addresses, and the provider's own requests.
    static let seenOverSocketsAlone: Set<CheckID> = {
        let queries: Set<String> = [
            Documents.hosts.name, Documents.handshakes.name, BackChannelMessages.all.name,
            BackChannelMessages.each.name, BackChannelMessages.tokens.name, HeadChecks.responses.name,
        ]
        return Set(
            all.filter { check in
                queries.contains(check.reads)
                    || check.needs.contains { need in
                        switch need {
                        case .addresses, .hosts: true
                        case .probe(let id): Scenario.named(id)?.servesDocuments == true
                        default: false
                        }
                    }
            }
            .map(\.id)
        )
    }()
}

extension Fault {
    /// Whether it needs a network.
    var needsSockets: Bool { Catalogue.seenOverSocketsAlone.contains(trips) }
}
