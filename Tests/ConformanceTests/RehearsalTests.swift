import Conformance
import Testing

/// Whether a bogus code has shown what a valid one would.
@Suite("Rehearsals", .timeLimit(.minutes(5)))
struct RehearsalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: (status: Int, error: String)?
        var twin: (status: Int, error: String)?
        var isReported: Bool
        var testDescription: String { "\(mistake as Any), \(twin as Any)" }
    }

    @Test(
        "the mistake must be rejected for itself, and the baseline request only for its code",
        arguments: [
            Row(mistake: (400, "invalid_request"), twin: (400, "invalid_grant"), isReported: true),
            Row(mistake: (401, "invalid_client"), twin: (400, "invalid_grant"), isReported: true),
            // The code was looked up first.
            Row(mistake: (400, "invalid_grant"), twin: (400, "invalid_grant"), isReported: false),
            // Every request is rejected in this way.
            Row(mistake: (400, "invalid_request"), twin: (400, "invalid_request"), isReported: false),
            Row(mistake: (401, "invalid_client"), twin: (401, "invalid_client"), isReported: false),
            // Not a rejection, or an unknown one.
            Row(mistake: (500, "server_error"), twin: (400, "invalid_grant"), isReported: false),
            Row(mistake: (429, "slow_down"), twin: (400, "invalid_grant"), isReported: false),
            Row(mistake: (400, "invalid_request"), twin: nil, isReported: false),
            Row(mistake: nil, twin: (400, "invalid_grant"), isReported: false),
        ]
    )
    func reported(row: Row) {
        #expect(Rehearsal.isReported(mistake: row.mistake, twin: row.twin) == row.isReported)
    }

    @Test("every rehearsal and its baseline are scenarios of the catalogue with that step")
    func places() throws {
        var target = Target(issuer: "https://op.example")
        target.flows = ["code"]
        target.client = Client(id: "a", authentication: .clientSecretBasic, hasSecret: true)
        let rehearsals = Scenario.catalogue.compactMap { $0.rehearsal(in: target) }
        #expect(rehearsals.count == 3)
        for place in rehearsals.flatMap({ [$0.mistake, $0.twin] }) {
            #expect(Scenario.named(place.scenario)?.step(place.step) != nil, "\(place)")
        }
    }
}
