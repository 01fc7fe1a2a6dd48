import Conformance
import SignIn
import Testing
import Transport

@testable import Flows

/// Which scenario is repeated, and how.
@Suite("Repetitions", .timeLimit(.minutes(5)))
struct RepetitionTests {
    private static let notNow = ServerError(endpoint: "/authorize", request: "GET", status: 503, isTemporary: true)

    private static func turn(
        _ attempt: Schedule.Attempt,
        of index: Int = 0,
        delay: Double = 0
    ) -> Schedule.ScheduledScenario {
        let client = HTTPClient(configuration: TransportConfiguration())
        let browser = SignInSession(client: client, instructions: nil, redirectURI: "https://rp.example/cb")
        return Schedule.ScheduledScenario(index: index, attempt: attempt, browser: browser, delay: delay)
    }

    /// A scenario that was answered by something.
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

    @Test("the run stops waiting for an endpoint that recovers, and waits again after another outage")
    func recovery() throws {
        var repetitions = Repetitions()
        let paused = Self.turn(.withPauses(from: nil), delay: Repetitions.recovery)
        func end(
            _ turn: Schedule.ScheduledScenario,
            _ errors: Set<ServerError> = [],
            answered: Set<String> = []
        ) throws -> Double? {
            let attempted = Collection.AttemptResult(
                first: 0,
                errors: errors,
                endpoints: answered,
                answered: [Self.notNow.request]
            )
            let end = repetitions.end(of: turn, try Self.run(), attempted, nil, ranConcurrently: false)
            guard case .again(.withPauses, let delay, _) = end else { return nil }
            return delay
        }
        #expect(try end(Self.turn(.first), [Self.notNow]) == Repetitions.recovery)
        #expect(repetitions.shortened(paused).attempt.hasPauses, "no response has shown that it recovered")
        #expect(try end(paused, answered: ["/authorize"]) == nil)
        let shortened = repetitions.shortened(paused)
        #expect(shortened.attempt == .alone && shortened.delay == 0)
        #expect(try end(shortened, [Self.notNow]) == Repetitions.recovery)
        // Without that the two would follow each other without end.
        #expect(repetitions.shortened(paused).attempt.hasPauses)
        #expect(try end(paused, [Self.notNow]) == nil)
        #expect(!repetitions.shortened(paused).attempt.hasPauses, "it failed again after a pause")
        #expect(try end(Self.turn(.first), [Self.notNow]) == nil, "an endpoint that is down gets no request twice")
        // Other endpoints return responses, and the one with a rate limit does not.
        #expect(try end(Self.turn(.first, of: 1), answered: ["/token"]) == nil)
        #expect(try end(Self.turn(.first, of: 2), [Self.notNow], answered: ["/token"]) == nil)
        #expect(try end(Self.turn(.first, of: 3), answered: ["/authorize"]) == nil)
        #expect(try end(Self.turn(.first, of: 4), [Self.notNow]) == Repetitions.recovery, "it had recovered")
    }

    @Test("a step that succeeded before and fails now is repeated, but not endlessly")
    func erratic() throws {
        var repetitions = Repetitions()
        let paused = Self.turn(.withPauses(from: nil), delay: Repetitions.breath)
        let failed = ServerError(endpoint: "/authorize", request: "POST", status: 500, isTemporary: false)
        let attempted = Collection.AttemptResult(first: 2, errors: [failed], isErratic: true)
        func end() throws -> Schedule.End {
            repetitions.end(of: paused, try Self.run(), attempted, nil, ranConcurrently: false)
        }
        for _ in 1...2 {
            guard case .again(.withPauses, _, _) = try end() else { return #expect(Bool(false), "it counted at once") }
        }
        guard case .final = try end() else { return #expect(Bool(false), "it is repeated endlessly") }
    }

    @Test(
        "after useless pauses, the next error that occurs twice is a response, unless such a request succeeded elsewhere"
    )
    func vainPauses() throws {
        var repetitions = Repetitions()
        let failed = { (name: String) in ServerError(endpoint: "/", request: name, status: 500, isTemporary: false) }
        func end(
            _ attempt: Schedule.Attempt,
            _ index: Int,
            _ errors: [ServerError],
            answered: Set<String> = []
        ) throws -> Schedule.Attempt? {
            let attempted = Collection.AttemptResult(first: 0, errors: Set(errors), answered: answered)
            let turn = Self.turn(attempt, of: index)
            var run = try Self.run()
            run.brokeAt = .authorization
            let end = repetitions.end(of: turn, run, attempted, nil, ranConcurrently: attempt == .first)
            guard case .again(let next, _, _) = end else { return nil }
            return next
        }
        // The first error is tried with pauses, which change nothing.
        #expect(try end(.first, 0, [failed("a")]) == .alone)
        #expect(try end(.alone, 0, [failed("a")]) == .withPauses(from: .authorization))
        #expect(try end(.withPauses(from: nil), 0, [failed("a")]) == nil)
        // Another one occurs in a parallel and in a serial run.
        #expect(try end(.first, 1, [failed("b")]) == .alone)
        #expect(try end(.alone, 1, [failed("b")]) == nil)
        // The repetition meets another error.
        #expect(try end(.first, 2, [failed("c")]) == .alone)
        #expect(try end(.alone, 2, [failed("d")]) == .withPauses(from: .authorization))
        // One whose kind of request has been answered.
        #expect(try end(.first, 3, [failed("e")], answered: ["e"]) == .alone)
        #expect(try end(.alone, 3, [failed("e")], answered: ["e"]) == .withPauses(from: .authorization))
    }

    @Test("nothing runs in parallel with a serial repetition of a baseline scenario")
    func aloneIsAlone() throws {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "c", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://rp.example/cb"
        target.flows = ["code", "id_token"]
        let scenarios = target.flows.map(Scenario.flow) + [try #require(Scenario.named("probe.unknown-parameter"))]
        let plan = Plan(target: target, profile: Profile(name: "p", title: "P"), tier: .full, scenarios: scenarios)
        let client = HTTPClient(configuration: TransportConfiguration())
        let browser = { SignInSession(client: client, instructions: nil, redirectURI: "https://rp.example/cb") }
        var schedule = Schedule(plan, plan.signIns, mostAtOnce: 2)
        let firstTurn = schedule.next(browser)
        let first = try #require(firstTurn)
        let secondTurn = schedule.next(browser)
        let second = try #require(secondTurn)
        schedule.end(second, .final(nil))
        schedule.end(first, .again(.alone, delay: 0, isUrgent: true))
        let repeated = schedule.next(browser)
        let repetition = try #require(repeated)
        #expect(repetition.attempt == .alone)
        let beside = schedule.next(browser)
        #expect(beside == nil, "another begins beside it")
        #expect(!schedule.ranConcurrently(repetition.index))
        schedule.end(repetition, .final(nil))
        let next = schedule.next(browser)
        #expect(next != nil, "nothing follows it")
    }
}
