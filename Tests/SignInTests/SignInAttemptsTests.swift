import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import SignIn

/// Several browsers of one user in parallel: how often the provider gets the password.
@Suite(.timeLimit(.minutes(5))) struct SignInAttemptsTests {
    private static let redirectURI = "https://rp.example/cb"

    /// The provider's response to a password, and how often eight parallel browsers send it in the end.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `nil` where the connection is closed.
        var answer: @Sendable (Int) -> LoopbackReply?
        var passwords: Int
        var arrivals: Int
    }

    private static let cases = [
        Case(
            testDescription: "a wrong password is sent once",
            answer: { _ in .page(Pages.djangoLogin) },
            passwords: 1,
            arrivals: 0
        ),
        Case(
            testDescription: "a form returned with another status and token is the same form",
            answer: { count in .page(Pages.djangoLogin.replacing("value=", with: "value=\(count)"), status: 401) },
            passwords: 1,
            arrivals: 0
        ),
        Case(
            testDescription: "an account that is locked, or a second factor, is met twice and no third time",
            answer: { _ in .page("<p>Your account is locked.</p>", status: 403) },
            passwords: 2,
            arrivals: 0
        ),
        Case(
            testDescription: "a password without a response is sent once",
            answer: { _ in nil },
            passwords: 1,
            arrivals: 0
        ),
        Case(
            testDescription: "a right password is sent by each browser",
            answer: { _ in .redirect(redirectURI + "?code=c") },
            passwords: 8,
            arrivals: 8
        ),
        Case(
            testDescription: "a password that is rejected from the second time on is not sent a fifth time",
            answer: { count in count == 1 ? .redirect(redirectURI + "?code=c") : .page(Pages.djangoLogin) },
            passwords: 4,
            arrivals: 1
        ),
    ]

    @Test(arguments: cases) func `the password is sent only where it is worth sending`(sample: Case) async {
        let passwords = Mutex(0)
        let server = LoopbackServer { connection in
            while let request = connection.readRequest() {
                var reply: LoopbackReply? = .page(Pages.djangoLogin)
                if request.method == "POST" {
                    reply = sample.answer(
                        passwords.withLock { count in
                            count += 1
                            return count
                        }
                    )
                }
                guard let reply, connection.write(reply) else { return }
            }
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let attempts = SignInAttempts()
        let url = server.url + "/authorize"
        let outcomes = await withTaskGroup(of: SignInOutcome.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let instructions = SignInInstructions(
                        username: "alice",
                        password: Credential("s3cret"),
                        attempts: attempts
                    )
                    let session = SignInSession(
                        client: client,
                        instructions: instructions,
                        redirectURI: Self.redirectURI
                    )
                    return await session.open(url).0
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(passwords.withLock(\.self) == sample.passwords)
        for case .stopped(.passwordRefused, _) in outcomes where sample.arrivals > 0 {
            Issue.record("a password that was accepted before is called wrong")
        }
        #expect(outcomes.count { if case .arrived = $0 { true } else { false } } == sample.arrivals)
    }

    /// The ends of several sign-ins in a row, and whether one more may begin.
    @Test(
        arguments: [
            ([.barred("b")], "b"), ([.refused(wrong)], wrong.description), ([.elsewhere("e")], nil),
            ([.elsewhere("e"), .elsewhere("f")], "f"), ([.unanswered("u")], "u"),
            ([.withheld, .withheld, .withheld], nil), ([.arrived, .refused(wrong), .unanswered("u")], nil),
            ([.arrived, .refused(wrong), .refused(wrong), .unanswered("u")], "u"),
            ([.arrived, .final(wrongCode)], wrongCode.description),
            // After one successful sign-in, a page that one request leads to says nothing about the others.
            ([.arrived, .barred("b"), .barred("b"), .barred("b"), .barred("b")], nil),
        ] as [([SignInAttempts.End], String?)]
    )
    func `a sign-in begins unless an earlier one speaks against it`(ends: [SignInAttempts.End], reason: String?) async {
        let attempts = SignInAttempts()
        for end in ends {
            #expect(await attempts.begin() == nil)
            await attempts.ended(end)
        }
        #expect(await attempts.begin() == reason.map { .signInIsOver(because: $0) })
    }

    private static let wrong = StopReason.passwordRefused(message: "wrong", emptyFields: nil)
    private static let wrongCode = StopReason.codeRefused(message: nil, clockDifference: nil)

    /// The ends of an earlier run's sign-ins, and the reason why the next run sends no credentials.
    @Test(
        arguments: [
            ([.refused(wrong)], wrong), ([.final(wrongCode)], wrongCode), ([.arrived, .final(wrongCode)], wrongCode),
            // The credentials are right, or their rejection is not certain.
            ([.arrived, .refused(wrong)], nil), ([.arrived, .refused(wrong), .refused(wrong), .refused(wrong)], nil),
            ([.barred("b")], nil), ([.unanswered("u")], nil), ([.elsewhere("e"), .elsewhere("e")], nil),
            ([.withheld], nil), ([], nil),
        ] as [([SignInAttempts.End], StopReason?)]
    )
    func `a later run of the same user does not send rejected credentials`(
        ends: [SignInAttempts.End],
        reason: StopReason?
    ) async {
        let past = EarlierSignIns()
        let earlier = SignInAttempts(past: past)
        for end in ends {
            _ = await earlier.begin()
            await earlier.ended(end)
        }
        let later = SignInAttempts(past: past)
        #expect(await later.begin() == reason)
        // The cause is reported once; the other sign-ins refer to it.
        if let reason { #expect(await later.begin() == .signInIsOver(because: reason.description)) }
    }

    @Test func `the pace of a user's passwords covers all runs`() async {
        let past = EarlierSignIns()
        let waited = Mutex<[Double]>([])
        for _ in 1...2 {
            let pace = SignInPace(
                burst: 2,
                interval: 6,
                after: past,
                now: { 100 },
                wait: { time in waited.withLock { $0.append(time) } }
            )
            let attempts = SignInAttempts(pace: pace)
            for _ in 1...2 { #expect(await attempts.limitReached() == nil) }
        }
        #expect(waited.withLock(\.self) == [60, 60])
    }

    private final class Order: Sendable {
        private let kept = Mutex<[Int]>([])

        var numbers: [Int] { kept.withLock(\.self) }

        func note(_ number: Int) { kept.withLock { $0.append(number) } }
    }

    @Test func `one password of a user is in flight at a time`() async {
        let attempts = SignInAttempts()
        let order = Order()
        await attempts.takeTurn()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask {
                    await attempts.takeTurn()
                    order.note(number)
                    await attempts.endTurn()
                }
            }
            // A browser that does not wait has finished by then.
            for _ in 0..<1_000 { await Task.yield() }
            order.note(0)
            await attempts.endTurn()
        }
        #expect(order.numbers.first == 0)
        #expect(order.numbers.count == 5)
        await attempts.takeTurn()
    }

    @Test func `the first sign-in goes to its end before another begins`() async {
        /// The requests to the provider, in order.
        let seen = Mutex<[String]>([])
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/consent"):
                seen.withLock { $0.append("consent") }
                return .redirect(Self.redirectURI + "?code=c")
            case ("POST", _):
                seen.withLock { $0.append("password") }
                return .page("<form method=post action=/consent><button name=answer value=yes>Allow</button></form>")
            default: return .page(Pages.djangoLogin)
            }
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let attempts = SignInAttempts()
        let url = server.url + "/authorize"
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let instructions = SignInInstructions(
                        username: "alice",
                        password: Credential("s3cret"),
                        attempts: attempts
                    )
                    _ = await SignInSession(client: client, instructions: instructions, redirectURI: Self.redirectURI)
                        .open(url)
                }
            }
        }
        let order = seen.withLock(\.self)
        #expect(order.prefix(2) == ["password", "consent"])
        #expect(order.count == 8)
    }
}
