import Conformance
import Testing

/// Whether a bogus code has shown what a valid one would.
@Suite("Mistakes with bogus codes", .timeLimit(.minutes(5)))
struct BogusCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: (status: Int, error: String)?
        var baseline: (status: Int, error: String)?
        var isReported: Bool
        var testDescription: String { "\(mistake as Any), \(baseline as Any)" }
    }

    @Test(
        "the mistake must be rejected for itself, and the baseline request only for its code",
        arguments: [
            Row(mistake: (400, "invalid_request"), baseline: (400, "invalid_grant"), isReported: true),
            Row(mistake: (401, "invalid_client"), baseline: (400, "invalid_grant"), isReported: true),
            // The code was looked up first.
            Row(mistake: (400, "invalid_grant"), baseline: (400, "invalid_grant"), isReported: false),
            // Every request is rejected in this way.
            Row(mistake: (400, "invalid_request"), baseline: (400, "invalid_request"), isReported: false),
            Row(mistake: (401, "invalid_client"), baseline: (401, "invalid_client"), isReported: false),
            // Not a rejection, or an unknown one.
            Row(mistake: (500, "server_error"), baseline: (400, "invalid_grant"), isReported: false),
            Row(mistake: (429, "slow_down"), baseline: (400, "invalid_grant"), isReported: false),
            Row(mistake: (400, "invalid_request"), baseline: nil, isReported: false),
            Row(mistake: nil, baseline: (400, "invalid_grant"), isReported: false),
        ]
    )
    func reported(row: Row) {
        #expect(BogusCodeTest.isReported(mistake: row.mistake, baseline: row.baseline) == row.isReported)
    }

    @Test("every test with a bogus code and its baseline are scenarios of the catalogue with that step")
    func places() throws {
        var target = Target(issuer: "https://op.example")
        target.flows = ["code"]
        target.client = Client(id: "a", authentication: .clientSecretBasic, hasSecret: true)
        let tests = Scenario.catalogue.compactMap { $0.bogusCodeTest(in: target) }
        #expect(tests.count == 3)
        for place in tests.flatMap({ [$0.mistake, $0.baseline] }) {
            #expect(Scenario.named(place.scenario)?.step(place.step) != nil, "\(place)")
        }
    }
}
