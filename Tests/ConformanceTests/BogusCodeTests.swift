import Conformance
import Testing

/// Whether a bogus code has shown what a valid one would.
@Suite("Mistakes with bogus codes", .timeLimit(.minutes(5)))
struct BogusCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mistake: Outcome?
        var baseline: Outcome?
        var isReported: Bool

        init(_ mistake: Outcome?, _ baseline: Outcome?, _ isReported: Bool) {
            (self.mistake, self.baseline, self.isReported) = (mistake, baseline, isReported)
        }

        var testDescription: String { "\(mistake as Any), \(baseline as Any)" }
    }

    @Test(
        "the mistake must be rejected for itself, and the baseline request only for its code",
        arguments: [
            Row(.refused(.error("invalid_request")), .refused(.error("invalid_grant")), true),
            Row(.refused(.error("invalid_client")), .refused(.error("invalid_grant")), true),
            // The code was looked up first.
            Row(.refused(.error("invalid_grant")), .refused(.error("invalid_grant")), false),
            // Every request is rejected in this way.
            Row(.refused(.error("invalid_request")), .refused(.error("invalid_request")), false),
            Row(.refused(.error("invalid_client")), .refused(.error("invalid_client")), false),
            // Not a rejection, or an unknown one.
            Row(.open(.serverError(status: 500)), .refused(.error("invalid_grant")), false),
            Row(.open(.later(status: 429)), .refused(.error("invalid_grant")), false),
            Row(.refused(.error("invalid_request")), nil, false),
            Row(nil, .refused(.error("invalid_grant")), false),
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
