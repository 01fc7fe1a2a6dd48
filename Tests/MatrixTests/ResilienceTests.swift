import Conformance
import ReferenceProvider
import Synchronization
import TestSupport
import Testing

/// Requests overlap only if responses take time, which they do not in memory.
@Suite("Resilience over sockets", .phase(.sockets), .timeLimit(.minutes(20)))
struct CrowdTests {
    /// A real provider on SQLite returned 500 to some of several concurrent sign-ins.
    @Test(
        "requests that fail under concurrency are retried one at a time",
        arguments: [
            HTTPAnswer(status: 500, headers: [Field("Content-Type", "text/html")], body: []),
            HTTPAnswer(status: 503, headers: [Field("Content-Type", "text/html")], body: []),
            HTTPAnswer(
                status: 302,
                headers: [Field("Location", RegisteredClient.redirectURI + "?error=server_error")],
                body: []
            ),
            HTTPAnswer(
                status: 303,
                headers: [Field("location", RegisteredClient.redirectURI + "#state=x&error=temporarily_unavailable")],
                body: []
            ),
        ]
    )
    func crowded(error: HTTPAnswer) async throws {
        let (crowd, left) = (Crowd(within: 0.05), Countdown(5))
        let choke = Fault("authorization.flow.succeeds", "of requests that meet, all but one are server errors") { _ in
        } change: { hooks in
            hooks.answer = { endpoint, answer in
                if endpoint == .authorization, crowd.isMet(), left.take() { answer = error }
            }
        }
        let run = try await Laboratory.collect(.standard, faults: [choke], over: .sockets, delay: crowd.window)
        let (evidence, report) = (run.evidence, run.report)
        let errors = evidence.exchanges.count { $0.response?.isServerError == true }
        #expect(errors > 0, "some sign-ins overlap")
        let often = errors == 1 ? " once. " : " \(errors) times. "
        let isReported = report.notes.contains { $0.contains(often) }
        #expect(isReported, "the errors are reported: \(report.notes)")
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
        let check = report.entries.first { $0.id == "transport.answers.are-no-server-errors" }
        #expect(check?.verdict.word == "passed", "the result of the retry counts")
    }
}

@Suite("Resilience", .timeLimit(.minutes(5)))
struct ResilienceTests {
    @Test("a provider that always fails is not treated as overloaded")
    func broken() async throws {
        let broken = Fault("authorization.flow.succeeds", "every answer is a server error") { _ in
        } change: { hooks in
            hooks.answer = { endpoint, answer in
                if endpoint == .authorization {
                    answer = HTTPAnswer(status: 500, headers: [Field("Content-Type", "text/html")], body: [])
                }
            }
        }
        let (_, report) = try await Laboratory.judge(.standard, faults: [broken])
        #expect(report.outcome.gate != .open)
    }
}

/// Detects overlapping requests, if every response takes as long as the window.
///
/// Requests of one scenario never overlap: each waits for the previous response.
private final class Crowd: Sendable {
    /// Seconds.
    let window: Double
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(within window: Double) {
        self.window = window
    }

    /// Whether another request arrived less than the window before this one.
    func isMet() -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            defer { last = now }
            return last.map { now - $0 < .seconds(window) } ?? false
        }
    }
}
