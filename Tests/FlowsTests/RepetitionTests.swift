import Conformance
import SignIn
import Testing
import Transport

@testable import Flows

/// Which conversation is held again, and how.
@Suite("Repetitions")
struct RepetitionTests {
    private static let notNow = ServerError(request: "GET /authorize", status: 503, saysForNow: true)

    private static func turn(_ attempt: Schedule.Attempt, delay: Double = 0) -> Schedule.Turn {
        let client = HTTPClient(configuration: TransportConfiguration())
        let browser = SignInSession(client: client, instructions: nil, redirectURI: "https://rp.example/cb")
        return Schedule.Turn(index: 0, attempt: attempt, browser: browser, delay: delay)
    }

    /// A conversation that was answered by something.
    private static func run() throws -> CollectedRun {
        let scenario = try #require(Scenario.named("probe.prompt-none"))
        let page = PageSummary(address: "", status: 200, title: nil, forms: [], text: "")
        let answer = AuthorizationAnswer(ending: .page(page), exchange: 0)
        return CollectedRun(
            run: ScenarioRun(
                scenario: scenario,
                clientID: "c",
                responseType: "code",
                outcome: .observed(.authorization(answer))
            )
        )
    }

    @Test("a provider that is back is waited for no more, and one that is down again is waited for once more")
    func recovery() throws {
        var repetitions = Repetitions()
        let paused = Self.turn(.withPauses, delay: Repetitions.recovery)
        func end(_ turn: Schedule.Turn, _ errors: Set<ServerError>) throws -> Schedule.End {
            let attempted = Collection.Attempted(first: 0, errors: errors)
            return repetitions.end(of: turn, try Self.run(), attempted, nil, hadCompany: false)
        }
        #expect(repetitions.shortened(paused).attempt == .withPauses, "nobody knows whether it is back")
        guard case .final = try end(paused, []) else { return #expect(Bool(false), "it was answered") }
        let shortened = repetitions.shortened(paused)
        #expect(shortened.attempt == .alone && shortened.delay == 0)
        guard case .again(.withPauses, let delay, _) = try end(shortened, [Self.notNow]) else {
            return #expect(Bool(false), "it was not repeated")
        }
        #expect(delay == Repetitions.recovery)
        // Without that the two would follow each other without end.
        #expect(repetitions.shortened(paused).attempt == .withPauses)
        guard case .final = try end(paused, [Self.notNow]) else {
            return #expect(Bool(false), "it was met a last time")
        }
        guard case .final = try end(Self.turn(.first), [Self.notNow]) else {
            return #expect(Bool(false), "a provider that is down is asked for nothing twice")
        }
    }
}
