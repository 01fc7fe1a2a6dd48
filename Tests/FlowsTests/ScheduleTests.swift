import Conformance
import Testing
import Transport

@testable import Flows
@testable import SignIn

@Suite("Which scenario runs in which browser", .timeLimit(.minutes(5)))
struct ScheduleTests {
    /// Which of those under way ends next.
    enum Pace: CaseIterable {
        case oldestFirst, newestFirst, byTurns

        func pick(of count: Int, _ step: Int) -> Int {
            switch self {
            case .oldestFirst: 0
            case .newestFirst: count - 1
            case .byTurns: step % count
            }
        }
    }

    @Test("the plan decides which scenarios share a browser and in which order, whatever their speed")
    func browsersAreOfThePlan() throws {
        let histories = try Pace.allCases.map { try run(at: $0) }
        let first = try #require(histories.first)
        #expect(first.contains { $0.count > 10 }, "browsers are shared: \(first.map(\.count))")
        for history in histories.dropFirst() { #expect(history == first) }
    }

    @Test("a scenario that waits for the age of a sign-in does not share a browser with a repeated sign-in")
    func agedSession() throws {
        let histories = try run(at: .oldestFirst)
        let renewed = try #require(histories.first { $0.contains(Scenario.signInAgain.id) })
        let aged = try #require(histories.first { $0.contains(Scenario.agedSession.id) })
        #expect(aged != renewed)
        // Behind it comes only what waits for half a minute.
        #expect(
            aged.last { $0 != "token.code-twice-later" } == Scenario.agedSession.id,
            "it begins when its browser's sign-in is the oldest: \(aged)"
        )
    }

    @Test("a repeated flow does not block other scenarios forever", arguments: Pace.allCases)
    func flowsRunAgain(pace: Pace) throws {
        let plan = try plan()
        let history = try run(at: pace) { turn in
            plan.scenarios[turn.index].leavesBrowser && turn.attempt == .first
                ? .again(.alone, delay: 0, isUrgent: false) : .final(nil)
        }
        let begun = Set(history.flatMap(\.self))
        #expect(begun == Set(plan.scenarios.map(\.id)))
    }

    private func plan() throws -> Plan {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "c", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://rp.example/cb"
        target.flows = ["code", "id_token"]
        target.scopes = ["openid", "profile", "email"]
        let scenarios = (target.flows.map(Scenario.flow) + Scenario.catalogue).filter { $0.whyUnmet(target) == nil }
        return Plan(target: target, profile: Profile(name: "p", title: "P"), tier: .full, scenarios: scenarios)
    }

    /// The scenarios of each shared browser, in order.
    private func run(
        at pace: Pace,
        _ end: (Schedule.ScheduledScenario) -> Schedule.End = { _ in .final(nil) }
    ) throws -> Set<[ScenarioID]> {
        let plan = try plan()
        let client = HTTPClient(configuration: TransportConfiguration())
        let browser = { SignInSession(client: client, instructions: nil, redirectURI: "https://rp.example/cb") }
        var schedule = Schedule(plan, plan.signIns, mostAtOnce: 8)
        var running: [Schedule.ScheduledScenario] = []
        var histories: [ObjectIdentifier: [ScenarioID]] = [:]
        // A freed session could pass its identity to another one.
        var sessions: [SignInSession] = []
        var step = 0
        while schedule.unfinished > 0 {
            while let turn = schedule.next(browser) {
                running.append(turn)
                sessions.append(turn.browser)
                histories[ObjectIdentifier(turn.browser), default: []].append(plan.scenarios[turn.index].id)
            }
            try #require(!running.isEmpty, "\(schedule.unfinished) scenarios wait for ever")
            let turn = running.remove(at: pace.pick(of: running.count, step))
            schedule.end(turn, end(turn))
            step += 1
        }
        return Set(histories.values)
    }
}
