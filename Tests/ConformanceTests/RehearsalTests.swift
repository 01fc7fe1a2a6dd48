import Conformance
import Testing

/// When a made-up code has told what a good one would.
@Suite("Rehearsals", .timeLimit(.minutes(5)))
struct RehearsalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: (status: Int, error: String)?
        var control: (status: Int, error: String)?
        var isTold: Bool
        var testDescription: String { "\(mistake as Any), \(control as Any)" }
    }

    @Test(
        "the mistake must be refused for itself, and the control for its code alone",
        arguments: [
            Row(mistake: (400, "invalid_request"), control: (400, "invalid_grant"), isTold: true),
            Row(mistake: (401, "invalid_client"), control: (400, "invalid_grant"), isTold: true),
            // The code was looked up first.
            Row(mistake: (400, "invalid_grant"), control: (400, "invalid_grant"), isTold: false),
            // Whatever comes is refused so.
            Row(mistake: (400, "invalid_request"), control: (400, "invalid_request"), isTold: false),
            Row(mistake: (401, "invalid_client"), control: (401, "invalid_client"), isTold: false),
            // No refusal, or none that is known.
            Row(mistake: (500, "server_error"), control: (400, "invalid_grant"), isTold: false),
            Row(mistake: (429, "slow_down"), control: (400, "invalid_grant"), isTold: false),
            Row(mistake: (400, "invalid_request"), control: nil, isTold: false),
            Row(mistake: nil, control: (400, "invalid_grant"), isTold: false),
        ]
    )
    func told(row: Row) {
        #expect(Rehearsal.isTold(mistake: row.mistake, control: row.control) == row.isTold)
    }

    @Test("every rehearsal and its control are conversations of the catalogue with that step")
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
