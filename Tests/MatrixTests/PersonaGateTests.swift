import Conformance
import ReferenceProvider
import TestSupport
import Testing

/// The gates of each real provider's persona with the configuration that is right for it (`Tests/Fixtures/persona-gates.tsv`).
@Suite("Gates of personas", .phase(.runs), .timeLimit(.minutes(20)))
struct PersonaGateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var persona: Persona
        var openID: Set<CheckID>
        var firebase: Set<CheckID>
        /// Other platforms that customers of the provider use, where the gate is open.
        var others: [String]

        var testDescription: String { persona.rawValue }
    }

    static let rows = Fixture.table("persona-gates").dropFirst()
        .compactMap { cells -> Row? in
            guard let persona = Persona(rawValue: cells[0]) else { return nil }
            let words = { (cell: String) in cell == "-" ? [] : cell.split(separator: " ").map(String.init) }
            return Row(
                persona: persona,
                openID: Set(words(cells[3]).map { CheckID(rawValue: $0) }),
                firebase: Set(words(cells[4]).map { CheckID(rawValue: $0) }),
                others: words(cells[5])
            )
        }

    @Test("the table has each persona of a real provider for which OpenID Connect is used")
    func complete() {
        #expect(
            Set(Self.rows.map(\.persona))
                == Set(Persona.allCases.filter { $0.isNamed && ![.github, .twitter].contains($0) })
        )
    }

    @Test("the gate closes for the errors of the persona, and no check is inconclusive", arguments: rows)
    func closes(row: Row) async throws {
        for (profile, closing) in [("openid", row.openID), ("firebase-oidc", row.firebase)] {
            let report =
                try await Laboratory.collect(row.persona, profile: profile) { target in
                    // Not one of Firebase's own providers.
                    target.registration.providerID = "oidc.reference"
                }
                .report
            #expect(Set(report.entries.filter(\.closesGate).map(\.id)) == closing, "\(profile)")
            #expect(report.entries.filter(\.blocksOpening).map(\.id) == [], "\(profile)")
        }
    }

    @Test(
        "the gate of a suitable platform is open, and no check is inconclusive",
        arguments: rows.flatMap { row in row.others.map { (row.persona, $0) } }
    )
    func fitting(persona: Persona, profile: String) async throws {
        let registration = PlatformMatrix.registration(profile)
        let reports = try await Laboratory.judge(persona, for: [profile], registered: registration).reports
        let report = try #require(reports.first)
        #expect(report.entries.filter(\.closesGate).map(\.id) == [])
        #expect(report.entries.filter(\.blocksOpening).map(\.id) == [])
    }
}
