import Conformance
import Preflight
import ReferenceProvider
import Synchronization
import TestSupport
import Testing

/// The number of submissions of a rejected password, as the provider counts them.
@Suite("Rejected passwords", .phase(.runs), .timeLimit(.minutes(20)))
struct PasswordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether the password is correct.
        var isRight: Bool
        /// The error for an attempt, counted from 1; `nil` to accept the correct password.
        var refusal: @Sendable (Int, String?) -> String?
        var exitCode: Int
        /// The number of submissions of the user's password.
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
                settings.hook { hooks in
                    hooks.session.refusal = { name, wrong in
                        name == username ? example.refusal(counter.next(), wrong) : wrong
                    }
                }
            }
        )
        let report = result.report
        #expect(report.outcome.exitCode == example.exitCode, "\(report.outcome.summary)")
        #expect(example.attempts.contains(counter.count), "\(counter.count) attempts")
        #expect(report.causes.map(\.signInStep) == (example.exitCode == 0 ? [] : [.signIn]), "\(report.causes)")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
    }

    /// The errors of a provider that has accepted the password once; attempts are counted from 1.
    struct Limit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var refusal: @Sendable (Int) -> String?
        var exitCode: Int
        /// The maximum number of submissions of the user's password.
        var most: Int
    }

    private static let limits = [
        Limit(
            testDescription: "once",
            refusal: { $0 == 2 ? "Invalid username or password." : nil },
            exitCode: 0,
            most: 12
        ),
        Limit(
            testDescription: "forever",
            refusal: { $0 > 1 ? "Invalid username or password." : nil },
            exitCode: 2,
            most: 4
        ),
    ]

    @Test(arguments: limits)
    func `a password that was accepted before is tried once more, and is not called wrong`(limit: Limit) async throws {
        let counter = Counter()
        let username = Persona.standard.credentials.username
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                provide: { settings in
                    settings.hook { hooks in
                        hooks.session.refusal = { $0 == username ? limit.refusal(counter.next()) : $1 }
                    }
                }
            )
            .report
        #expect(report.outcome.exitCode == limit.exitCode, "\(report.outcome.alone)")
        #expect((2...limit.most).contains(counter.count), "\(counter.count) attempts")
        #expect(report.causes.filter(\.isRefusedPassword).isEmpty, "\(report.causes.map(\.message))")
        if limit.exitCode != 0 {
            let reported = report.causes.contains { $0.message.contains("the password that it accepted earlier") }
            #expect(reported, "\(report.causes.map(\.message))")
        }
    }

    @Test func `a provider that refuses a password while it verifies another of the same user is no blocker`()
        async throws
    {
        let (username, underWay, refused) = (Persona.standard.credentials.username, Counter(), Counter())
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                provide: { settings in
                    settings.hook { hooks in
                        hooks.session.refusal = { name, wrong in
                            guard name == username else { return wrong }
                            defer { underWay.leave() }
                            guard underWay.next() == 1 else {
                                _ = refused.next()
                                return "Invalid username or password."
                            }
                            Work.verifyPassword()
                            return wrong
                        }
                    }
                }
            )
            .report
        #expect(report.outcome.exitCode == 0, "\(report.outcome.alone)")
        #expect(refused.count == 0)
    }
}

private enum Work {
    /// Takes as long as a slow password hash, so that concurrent submissions overlap.
    static func verifyPassword() {
        var sum: UInt64 = 1
        for number in 0..<1_000_000 as Range<UInt64> { sum = sum &* 6_364_136_223_846_793_005 &+ number }
        precondition(sum != 0 || sum == 0)
    }
}

/// A counter for concurrent tasks.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func leave() { value.withLock { $0 -= 1 } }

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
