import Conformance
import Preflight
import ReferenceProvider
import Testing

/// If a sign-in works with forms but not in a browser, the gate is not open, and the report names the header.
@Suite("Rules of browsers", .timeLimit(.minutes(5)))
struct BrowserRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout HTTPAnswer) -> Void
        var exitCode: Int
        var check: CheckID
        /// Contained in its first finding.
        var words: String
    }

    private static func cookies(_ attributes: String) -> @Sendable (inout HTTPAnswer) -> Void {
        { answer in
            for index in answer.headers.indices where answer.headers[index].name == "Set-Cookie" {
                let pair = answer.headers[index].value.prefix { $0 != ";" }
                answer.headers[index].value = pair + "; Path=/; " + attributes
            }
        }
    }

    private static let cases = [
        Case(
            testDescription: "cookies for the same site only",
            change: cookies("Secure; SameSite=Strict"),
            exitCode: 2,
            check: "authorization.sign-in.cookies-are-kept",
            words: "SameSite=Strict"
        ),
        Case(
            testDescription: "cookies for all sites without Secure",
            change: cookies("SameSite=None"),
            exitCode: 2,
            check: "authorization.sign-in.cookies-are-kept",
            words: "Browsers discard the cookie"
        ),
        Case(
            testDescription: "a policy that restricts form targets",
            change: { $0.headers.append(Field("Content-Security-Policy", "form-action 'self'")) },
            exitCode: 1,
            check: "authorization.sign-in.forms-reach-the-client",
            words: "which the page's policy does not allow"
        ),
    ]

    @Test(arguments: cases) func `a browser's refusal is found and named`(example: Case) async throws {
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                provide: { settings in
                    settings.hook { hooks in hooks.answer = { _, answer in example.change(&answer) } }
                }
            )
            .report
        #expect(report.outcome.exitCode == example.exitCode, "\(report.outcome.alone)")
        let entry = try #require(report.entries.first { $0.id == example.check })
        let messages = entry.verdict.findings.map(\.message)
        #expect(messages.first?.contains(example.words) == true, "\(entry.verdict.word) \(messages)")
    }

    struct WrongPassword: Sendable, CustomTestStringConvertible {
        var cookie: String
        /// Whether the root cause names it, after its own advice.
        var isNamed: Bool

        var testDescription: String { cookie }
    }

    @Test(
        arguments: [
            WrongPassword(cookie: "own=1; Path=/; Secure; SameSite=Strict", isNamed: false),
            WrongPassword(cookie: "own=1; Path=/; SameSite=None", isNamed: true),
        ]
    )
    func `a cookie does not hide a wrong password`(example: WrongPassword) async throws {
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                mistake: { $0.signIn(as: Persona.standard.credentials.username, password: Secret("not-the-password")) },
                provide: { settings in
                    settings.hook { hooks in
                        hooks.answer = { _, answer in answer.headers.append(Field("Set-Cookie", example.cookie)) }
                    }
                }
            )
            .report
        let cause = try #require(report.causes.first)
        #expect(cause.isRefusedPassword)
        #expect(!cause.advice.hasPrefix("Browsers do not return"), "\(cause.advice)")
        #expect(cause.advice.contains("“own”") == example.isNamed, "\(cause.advice)")
    }

    @Test func `a link is no form`() async throws {
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                provide: { settings in
                    settings.variant = .accountLinks
                    settings.hook { hooks in
                        hooks.answer = { _, answer in
                            guard answer.text.contains("<a "), !answer.text.contains("<form") else { return }
                            answer.setHeader("Content-Security-Policy", "form-action 'none'")
                        }
                    }
                }
            )
            .report
        #expect(report.outcome.exitCode == 0, "\(report.outcome.alone)")
        let entry = try #require(report.entries.first { $0.id == "authorization.sign-in.forms-reach-the-client" })
        #expect(entry.verdict == .passed)
    }

    @Test func `evidence that does not say what a browser makes of the pages decides nothing about it`() async throws {
        let result = try await Laboratory.collect(.standard, profile: "openid")
        var evidence = result.evidence
        evidence.knowsBrowserRules = nil
        let entries = result.run.judge(evidence, now: evidence.endedAt).entries
        for id: CheckID in ["authorization.sign-in.forms-reach-the-client", "authorization.sign-in.cookies-are-kept"] {
            #expect(result.report.entries.first { $0.id == id }?.verdict == .passed)
            #expect(entries.first { $0.id == id }?.verdict.word == "notAttempted")
        }
    }

    @Test func `cookies that browsers keep and send change nothing`() async throws {
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                provide: { settings in
                    settings.hook { hooks in
                        hooks.answer = { _, answer in
                            Self.cookies("Secure; SameSite=Lax")(&answer)
                            answer.headers.append(Field("Set-Cookie", "own=1; Path=/; Secure; SameSite=Strict"))
                        }
                    }
                }
            )
            .report
        #expect(report.outcome.exitCode == 0, "\(report.outcome.alone)")
        let entry = try #require(report.entries.first { $0.id == "authorization.sign-in.cookies-are-kept" })
        #expect(entry.verdict == .passed)
    }
}
