import Conformance
import Testing

/// Whether a bogus code has shown what a valid one would.
@Suite("Mistakes with bogus codes", .timeLimit(.minutes(5)))
struct BogusCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: Outcome?
        var baseline: Outcome?
        var isReported: Bool
        var testDescription: String { "\(mistake as Any), \(baseline as Any)" }
    }

    @Test(
        "the mistake must be rejected for itself, and the baseline request only for its code",
        arguments: [
            Row(
                mistake: .refused(.error("invalid_request")),
                baseline: .refused(.error("invalid_grant")),
                isReported: true
            ),
            Row(
                mistake: .refused(.error("invalid_client")),
                baseline: .refused(.error("invalid_grant")),
                isReported: true
            ),
            // The code was looked up first.
            Row(
                mistake: .refused(.error("invalid_grant")),
                baseline: .refused(.error("invalid_grant")),
                isReported: false
            ),
            // Every request is rejected in this way.
            Row(
                mistake: .refused(.error("invalid_request")),
                baseline: .refused(.error("invalid_request")),
                isReported: false
            ),
            Row(
                mistake: .refused(.error("invalid_client")),
                baseline: .refused(.error("invalid_client")),
                isReported: false
            ),
            // Not a rejection, or an unknown one.
            Row(
                mistake: .open(.serverError(status: 500)),
                baseline: .refused(.error("invalid_grant")),
                isReported: false
            ),
            Row(mistake: .open(.later(status: 429)), baseline: .refused(.error("invalid_grant")), isReported: false),
            Row(mistake: .refused(.error("invalid_request")), baseline: nil, isReported: false),
            Row(mistake: nil, baseline: .refused(.error("invalid_grant")), isReported: false),
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
