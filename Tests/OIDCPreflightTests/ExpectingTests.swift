import OIDCPreflight
import OIDCPreflightTesting
import Synchronization
import Testing

/// A test that fails says what a report says, where it was written.
@Suite(.timeLimit(.minutes(5))) struct ExpectingTests {
    @Test func `each finding in the way is an issue at the place of the call`() async throws {
        let report = try await PreflightTests.report(failing: "token.code.is-single-use")
        let seen = Mutex<[(text: String, line: Int?, file: String?)]>([])
        let line = #line + 2
        withKnownIssue {
            report.expectOpenGate()
        } matching: { issue in
            let place = issue.sourceLocation
            let text = issue.comments.map(\.rawValue).joined()
            seen.withLock { $0.append((text, place?.line, place?.fileID)) }
            return true
        }
        let issues = seen.withLock { $0 }
        #expect(issues.map(\.text) == report.closing.map(\.description))
        #expect(issues.allSatisfy { $0.line == line && $0.file == #fileID })
    }

    @Test func `an inconclusive gate is an issue as well`() async throws {
        let server = try SampleServer()
        let preflight = PreflightTests.preflight(server).signingIn(as: server.username, password: "wrong")
        let report = try await preflight.report()
        let seen = Mutex<[String]>([])
        withKnownIssue {
            report.expectOpenGate()
        } matching: { issue in
            seen.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return true
        }
        #expect(seen.withLock { $0 } == report.causes)
    }

    @Test func `an open gate is no issue`() async throws {
        let server = try SampleServer()
        try await PreflightTests.preflight(server).signingIn(as: server.username, password: Secret(server.password))
            .expectOpenGate()
    }
}
