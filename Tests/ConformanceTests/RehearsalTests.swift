import Conformance
import Testing

/// Whether a bogus code has shown what a valid one would.
@Suite("Rehearsals", .timeLimit(.minutes(5)))
struct RehearsalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: (status: Int, error: String)?
        var control: (status: Int, error: String)?
        var isTold: Bool
        var testDescription: String { "\(mistake as Any), \(control as Any)" }
    }

    @Test(
        "the mistake must be rejected for itself, and the baseline request only for its code",
        arguments: [
            Row(mistake: (400, "invalid_request"), control: (400, "invalid_grant"), isTold: true),
            Row(mistake: (401, "invalid_client"), control: (400, "invalid_grant"), isTold: true),
            // The code was looked up first.
            Row(mistake: (400, "invalid_grant"), control: (400, "invalid_grant"), isTold: false),
            // Every request is rejected in this way.
            Row(mistake: (400, "invalid_request"), control: (400, "invalid_request"), isTold: false),
            Row(mistake: (401, "invalid_client"), control: (401, "invalid_client"), isTold: false),
            // Not a rejection, or an unknown one.
            Row(mistake: (500, "server_error"), control: (400, "invalid_grant"), isTold: false),
            Row(mistake: (429, "slow_down"), control: (400, "invalid_grant"), isTold: false),
            Row(mistake: (400, "invalid_request"), control: nil, isTold: false),
            Row(mistake: nil, control: (400, "invalid_grant"), isTold: false),
        ]
    )
    func told(row: Row) {
        #expect(Rehearsal.isTold(mistake: row.mistake, control: row.control) == row.isTold)
    }

    @Test("every rehearsal and its baseline are scenarios of the catalogue with that step")
    func places() throws {
        var target = Target(issuer: "https://op.example")
        target.flows = ["code"]
        target.client = Client(id: "a", authentication: .clientSecretBasic, hasSecret: true)
        let rehearsals = Scenario.catalogue.compactMap { $0.rehearsal(in: target) }
        #expect(rehearsals.count == 3)
        for place in rehearsals.flatMap({ [$0.mistake, $0.control] }) {
            #expect(Scenario.named(place.scenario)?.step(place.step) != nil, "\(place)")
        }
    }
}
