import Conformance
import ReferenceProvider
import Testing

/// Results of runs against a conformant provider whose pages a run cannot complete, or that are unusual.
@Suite("Blockers of a sign-in", .timeLimit(.minutes(5)))
struct BlockerTests {
    struct Blocker: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The replaced page, and its replacement.
        var endpoint: Endpoint
        var change: @Sendable (inout HTTPAnswer) -> Void
        /// 0 if the sign-in succeeds.
        var exitCode = 2
        /// Contained in the message of the root cause.
        var message = ""
        /// The maximum number of password submissions.
        var signIns: Int
    }

    private static let blockers: [Blocker] = [
        Blocker(
            testDescription: "a second factor",
            endpoint: .consentPage,
            change: { $0 = page("Verify it is you", #"<input name="otp" autocomplete="one-time-code">"#) },
            message: "a one-time code (second factor)",
            signIns: 1
        ),
        Blocker(
            testDescription: "a CAPTCHA",
            endpoint: .consentPage,
            change: { $0 = page("One more step", #"<div class="h-captcha"></div><input name="answer">"#) },
            message: "a CAPTCHA",
            signIns: 1
        ),
        Blocker(
            testDescription: "a confirmation by email",
            endpoint: .consentPage,
            change: { $0 = html("Check your email", "<p>Check your email: we sent a link to a…@example.com.</p>") },
            message: "a confirmation by e-mail",
            signIns: 1
        ),
        Blocker(
            testDescription: "new terms of use",
            endpoint: .consentPage,
            change: { $0 = html("Terms of use", "<p>Our terms of use have changed.</p>") },
            message: "terms of use",
            signIns: 1
        ),
        Blocker(
            testDescription: "an account that is locked",
            endpoint: .consentPage,
            change: { answer in
                answer = html("Account locked", "<p>Too many attempts: this account is locked.</p>")
                answer.status = 403
            },
            message: "Account locked",
            signIns: 2
        ),
        Blocker(
            testDescription: "a page that redirects to itself forever",
            endpoint: .consentPage,
            change: { $0 = HTTPAnswer(status: 302, headers: [Field("Location", "/again")], body: []) },
            message: "sign-in",
            signIns: 2
        ),
        Blocker(
            testDescription: "a password field that only its name identifies",
            endpoint: .signInPage,
            change: { $0.rewrite(#"type="password""#, #"type="text""#) },
            exitCode: 0,
            signIns: 11
        ),
    ]

    private static func page(_ title: String, _ fields: String) -> HTTPAnswer {
        html(title, #"<form method="post" action="/continue">\#(fields)<button>Continue</button></form>"#)
    }

    private static func html(_ title: String, _ content: String) -> HTTPAnswer {
        HTTPAnswer(
            status: 200,
            headers: [Field("Content-Type", "text/html; charset=utf-8"), Field("Cache-Control", "no-store")],
            body: Array("<!DOCTYPE html><title>\(title)</title><h1>\(title)</h1>\(content)".utf8)
        )
    }

    @Test(arguments: blockers) func `an blocker is the one cause, and nothing is blamed on the provider for it`(
        blocker: Blocker
    ) async throws {
        let fault = Fault("authorization.flow.succeeds", "\(blocker.testDescription)") { _ in
        } change: { hooks in
            hooks.answer = { endpoint, answer in
                if endpoint == blocker.endpoint, !answer.isRedirect || blocker.exitCode != 0 {
                    blocker.change(&answer)
                }
            }
        }
        let result = try await Laboratory.collect(.standard, faults: [fault], profile: "openid")
        let report = result.report
        #expect(report.outcome.exitCode == blocker.exitCode, "\(report.outcome.summary)")
        #expect(result.evidence.signIns <= blocker.signIns, "\(result.evidence.signIns) sign-ins")
        #expect(report.timings.duration <= (blocker.exitCode == 0 ? 30 : 10), "\(report.timings.duration) s")
        if blocker.exitCode == 0 {
            #expect(result.evidence.requests <= 370, "\(result.evidence.requests) requests")
            #expect(report.causes.isEmpty, "\(report.causes.map(\.message))")
            return
        }
        let cause = try #require(report.causes.first)
        #expect(report.causes.count == 1, "\(report.causes.map(\.message))")
        #expect(cause.signInStep == .signIn)
        #expect(cause.message.contains(blocker.message), "\(cause.message)")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
        #expect(result.evidence.requests < 80, "\(result.evidence.requests) requests")
    }
}

extension HTTPAnswer {
    fileprivate var isRedirect: Bool { (300...399).contains(status) }

    fileprivate mutating func rewrite(_ old: String, _ new: String) {
        body = Array(String(decoding: body, as: UTF8.self).replacing(old, with: new).utf8)
    }
}
