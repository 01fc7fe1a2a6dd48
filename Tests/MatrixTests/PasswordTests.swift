import Conformance
import Preflight
import ReferenceProvider
import Synchronization
import Testing

/// How often a provider is given a password that it refuses, as the provider itself counts.
@Suite("Passwords that are refused")
struct PasswordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether the password is the right one.
        var isRight: Bool
        /// What is said at the attempt with this number, the first being 1; `nil` to let the right password in.
        var refusal: @Sendable (Int, String?) -> String?
        var exitCode: Int
        /// How often the person's password arrives.
        var attempts: ClosedRange<Int>
    }

    private static let cases: [Case] = [
        Case(testDescription: "wrong", isRight: false, refusal: { $1 }, exitCode: 2, attempts: 1...1),
        Case(
            testDescription: "right, of an account that is locked",
            isRight: true,
            refusal: { _, _ in "This account is locked." },
            exitCode: 2,
            attempts: 1...1
        ),
        Case(
            testDescription: "wrong, for an account that locks at the second attempt",
            isRight: false,
            refusal: { number, wrong in number > 1 ? "This account is locked." : wrong },
            exitCode: 2,
            attempts: 1...1
        ),
        Case(testDescription: "right", isRight: true, refusal: { $1 }, exitCode: 0, attempts: 2...9),
    ]

    @Test(arguments: cases) func `a password that is refused arrives once`(example: Case) async throws {
        let counter = Counter()
        let (username, password) = Persona.standard.credentials
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            mistake: { $0.signIn(as: username, password: example.isRight ? password : Secret("not-the-password")) },
            provide: { settings in
                settings.seam { seams in
                    seams.session.refusal = { name, wrong in
                        name == username ? example.refusal(counter.next(), wrong) : wrong
                    }
                }
            }
        )
        let report = result.report
        #expect(report.outcome.exitCode == example.exitCode, "\(report.outcome.summary)")
        #expect(example.attempts.contains(counter.count), "\(counter.count) attempts")
        #expect(report.causes.map(\.rung) == (example.exitCode == 0 ? [] : [.signIn]), "\(report.causes)")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
    }
}

/// Counts from any task.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
