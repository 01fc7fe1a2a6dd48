import Conformance
import Preflight
import ReferenceProvider
import Synchronization
import Testing

/// The cost of runs against overloaded providers, and their reports.
@Suite("Budgets", .timeLimit(.minutes(5)))
struct BudgetTests {
    struct Strain: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [Fault] = []
        var limits = Configuration.Limits()
        var exitCode: Int
        /// The step of the only root cause; `nil` for none.
        var signInStep: Cause.SignInStep?
        /// Contained in the message of the root cause, and in its advice.
        var message = ""
        var advice = ""
        /// Limits.
        var signIns: Int
        var requests: Int
    }

    private static let strains: [Strain] = [
        Strain(
            testDescription: "no more requests than allowed",
            limits: .init(requests: 60),
            exitCode: 2,
            signInStep: .limit,
            message: "limit of 60 requests",
            advice: "--max-requests",
            signIns: 11,
            requests: 60
        ),
        Strain(
            testDescription: "no more bytes than allowed",
            limits: .init(bytes: 30_000),
            exitCode: 2,
            signInStep: .limit,
            message: "limit of 30000 bytes",
            advice: "limits.bytes",
            signIns: 11,
            requests: 120
        ),
        Strain(
            testDescription: "too many requests, except for the documents",
            faults: [crowded],
            exitCode: 2,
            signInStep: .authorizationRequest,
            message: "too many requests",
            advice: "network.pause",
            signIns: 0,
            requests: 68
        ),
        Strain(
            testDescription: "a database that fails concurrent sign-ins with its own error",
            faults: [refusingTheFirst(3, with: "error")],
            exitCode: 0,
            signIns: 11,
            requests: 378
        ),
        Strain(
            testDescription: "status 500 for every error",
            faults: [brokenErrorPages],
            // It is returned every time and grants nothing.
            exitCode: 0,
            signIns: 11,
            requests: 466
        ),
    ]

    private static let brokenErrorPages = Fault("authorization.flow.succeeds", "error pages are server errors") { _ in
    } change: { hooks in
        hooks.answer = { endpoint, answer in
            if endpoint == .authorization, answer.status == 400 { answer.status = 500 }
        }
    }

    /// A limit per client that spares the documents: which requests it meets depends on no order.
    private static let crowded = Fault("authorization.flow.succeeds", "429 for all but the documents") { _ in
    } change: { hooks in
        hooks.answer = { endpoint, answer in
            if ![.discovery, .keys].contains(endpoint) {
                answer = HTTPAnswer(status: 429, headers: [Field("Content-Type", "text/html")], body: [])
            }
        }
    }

    private static func refusingTheFirst(_ count: Int, with error: String) -> Fault {
        let left = Countdown(count)
        return Fault("authorization.flow.succeeds", "the first \(count) requests end in \(error)") { _ in
        } change: { hooks in
            hooks.authorizationError = { _, right in left.take() ? OAuthError(stringLiteral: error) : right }
        }
    }

    @Test(arguments: strains) func `a strained provider costs no more than announced, and is reported as what it is`(
        strain: Strain
    ) async throws {
        let result = try await Laboratory.collect(
            .standard,
            faults: strain.faults,
            mistake: { $0.limits = strain.limits }
        )
        let (evidence, report) = (result.evidence, result.report)
        #expect(report.outcome.exitCode == strain.exitCode, "\(report.outcome.summary)")
        #expect(evidence.signIns <= strain.signIns, "\(evidence.signIns) sign-ins")
        #expect(evidence.requests <= strain.requests, "\(evidence.requests) requests")
        #expect(report.timings.requests == evidence.requests)
        #expect(report.timings.duration <= 40, "\(report.timings.duration) s")
        let reported = report.causes.map(\.message)
        guard let signInStep = strain.signInStep else {
            #expect(reported.isEmpty)
            return
        }
        let cause = try #require(report.causes.first { $0.signInStep == signInStep }, "\(reported)")
        #expect(cause.message.contains(strain.message), "\(cause.message)")
        #expect(cause.advice.contains(strain.advice), "\(cause.advice)")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
    }
}

/// A countdown for concurrent tasks.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    /// True for the first calls, as many as the count.
    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
