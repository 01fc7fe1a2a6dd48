import Conformance
import ReferenceProvider
import Synchronization
import TestSupport
import Testing

/// Whether requests meet is a matter of the time that answers take: in memory they take none.
@Suite("Resilience over sockets", .phase(.sockets), .timeLimit(.minutes(5)))
struct CrowdTests {
    /// A real provider on SQLite answered 500 to some of several people who signed in at once.
    @Test(
        "a provider that chokes on several people at once is asked again, one at a time",
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
        } change: { seams in
            seams.answer = { endpoint, answer in
                if endpoint == .authorization, crowd.isMet(), left.take() { answer = error }
            }
        }
        let run = try await Laboratory.collect(.standard, faults: [choke], over: .sockets, delay: crowd.window)
        let (evidence, report) = (run.evidence, run.report)
        let errors = evidence.exchanges.count { $0.response?.isServerError == true }
        #expect(errors > 0, "people did meet")
        let often = errors == 1 ? " once: " : " \(errors) times: "
        let isTold = report.notes.contains { $0.contains(often) }
        #expect(isTold, "the errors are told: \(report.notes)")
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
        let check = report.entries.first { $0.id == "transport.answers.are-no-server-errors" }
        #expect(check?.verdict.word == "passed", "what comes of it alone is what counts")
    }
}

@Suite("Resilience", .timeLimit(.minutes(5)))
struct ResilienceTests {
    @Test("a provider that always fails is not taken for one that chokes")
    func broken() async throws {
        let broken = Fault("authorization.flow.succeeds", "every answer is a server error") { _ in
        } change: { seams in
            seams.answer = { endpoint, answer in
                if endpoint == .authorization {
                    answer = HTTPAnswer(status: 500, headers: [Field("Content-Type", "text/html")], body: [])
                }
            }
        }
        let (_, report) = try await Laboratory.judge(.standard, faults: [broken])
        #expect(report.outcome.gate != .open)
    }
}

/// Requests that come while another is under way, where every answer takes as long as the window.
///
/// Those of one conversation never meet: each waits for the answer before it.
private final class Crowd: Sendable {
    /// Seconds.
    let window: Double
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(within window: Double) {
        self.window = window
    }

    /// Whether another request came less than the window before this one.
    func isMet() -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            defer { last = now }
            return last.map { now - $0 < .seconds(window) } ?? false
        }
    }
}
