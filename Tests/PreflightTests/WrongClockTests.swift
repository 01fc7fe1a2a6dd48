import Conformance
import Synchronization
import Testing
import Transport

@testable import Preflight

/// Runs by a clock that cannot be right.
@Suite("Wrong clocks", .timeLimit(.minutes(5)))
struct WrongClockTests {
    /// A clock that shows one time at first and another one after a request was sent; its uptime stands still.
    private static func clock(_ first: Double, _ second: Double, _ requests: Counter, isOfMachine: Bool) -> RunClock {
        var clock = RunClock(now: { requests.count == 0 ? first : second }, uptime: { 0 }, wait: { _ in })
        clock.isOfMachine = isOfMachine
        return clock
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock(\.self) }

        func add() { number.withLock { $0 += 1 } }
    }

    private static let now = 1_900_000_000.0

    @Test(
        "the run decides nothing, and the first root cause is the clock",
        arguments: [
            (first: 5.0, second: 5.0, isOfMachine: true, isRight: false, sends: false),
            (now, now + 86_400, true, false, true), (now, now - 86_400, true, false, true),
            (now, now, true, true, true),
            // A clock that a program sets means the time that it shows.
            (5, 5, false, true, true), (5, 86_405, false, false, true),
        ]
    )
    func verdict(first: Double, second: Double, isOfMachine: Bool, isRight: Bool, sends: Bool) async throws {
        let requests = Counter()
        var configuration = Configuration(target: Target(issuer: "https://op.example"))
        configuration.way = .inMemory(["https://op.example"]) { _ in
            requests.add()
            // Not the issuer's document: it closes the gate of a run that decides.
            return HTTPResponse(
                status: 200,
                headers: [HTTPField(name: "Content-Type", value: "application/json")],
                body: Array(#"{"issuer": "https://other.example"}"#.utf8)
            )
        }
        let run = try PreflightRun(
            configuration: configuration,
            profile: "openid",
            clock: Self.clock(first, second, requests, isOfMachine: isOfMachine),
            environment: Environment(
                variable: { _ in nil },
                readFile: { .failure(FileError(path: $0, reason: "no such file")) }
            )
        )
        let evidence = await run.collect { _ in }
        let report = run.judge(evidence, now: second)
        #expect((requests.count > 0) == sends)
        #expect(report.outcome.exitCode == (isRight ? 1 : 2), "\(report.outcome.summary)")
        let cause = report.causes.first
        #expect((cause?.message.hasPrefix("This machine's clock is wrong: ") == true) == !isRight, "\(cause as Any)")
        if !isRight { #expect(report.entries.allSatisfy { $0.verdict.findings.isEmpty }) }
    }
}
