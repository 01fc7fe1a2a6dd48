import Conformance
import Preflight
import ReferenceProvider
import Synchronization
import TestSupport
import Testing

/// Results of runs against a conformant provider that has temporary problems.
@Suite("Provider outages and configuration mistakes", .timeLimit(.minutes(5)))
struct FailureCaseTests {
    static let cases: [FailureCase] =
        down + FailureCase.rateLimits + FailureCase.quotas + crowds + passing + [brokenConnection] + clocks + sessions
        + pages + hanging

    private static let down: [FailureCase] = [
        FailureCase(
            testDescription: "down for three seconds when the run begins",
            provide: { settings in settings.isDown(for: 3, from: settings.now()) { $0.setHeader("Retry-After", "3") } },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 11,
            requests: 378,
            seconds: 60
        ),
        FailureCase(
            testDescription: "down for maintenance",
            provide: { settings in
                settings.isDown(for: 3_600, from: settings.now()) { $0.setHeader("Retry-After", "3600") }
            },
            signInStep: .discovery,
            message: "status 503",
            advice: "Wait until the provider accepts requests again",
            signIns: 0,
            requests: 6,
            seconds: 10
        ),
        FailureCase(
            testDescription: "down for three seconds after the discovery document",
            provide: { $0.isDown(for: 3, after: 1) },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 11,
            requests: 378,
            seconds: 60
        ),
        FailureCase(
            testDescription: "down for good after the discovery document",
            provide: { $0.isDown(for: 3_600, after: 1) },
            signInStep: .authorizationRequest,
            message: "temporarily unavailable",
            advice: "Wait until the provider accepts requests again",
            signIns: 0,
            requests: 80,
            seconds: 60
        ),
    ]

    private static let crowds: [FailureCase] = [
        FailureCase(
            testDescription: "at most two concurrent requests",
            delay: 0.02,
            waits: true,
            provide: { $0.mostAtOnce = 2 },
            make: { $0.concurrency = 3 },
            exitCode: 0,
            // An intermittent document is a correct finding if one was lost.
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 11,
            requests: 378,
            seconds: 60
        )
    ]

    /// Problems that end during the run.
    private static let passing: [FailureCase] = [
        FailureCase(
            testDescription: "eight concurrent requests, limit 1",
            delay: 0.02,
            waits: true,
            provide: { $0.mostAtOnce = 1 },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 14,
            requests: 450,
            seconds: 80
        ),
        FailureCase(
            testDescription: "eight concurrent requests, limit 2",
            delay: 0.02,
            waits: true,
            provide: { $0.mostAtOnce = 2 },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 14,
            requests: 450,
            seconds: 80
        ),
        FailureCase(
            testDescription: "down for three seconds after 40 answers",
            provide: { $0.isDown(for: 3, after: 40) },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 14,
            requests: 450,
            seconds: 60
        ),
        FailureCase(
            testDescription: "down for three seconds after 120 answers",
            provide: { $0.isDown(for: 3, after: 120) },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 14,
            requests: 500,
            seconds: 60
        ),
        FailureCase(
            testDescription: "one session per user, several scenarios at once",
            provide: { $0.hook { $0.session.endsOlderSessions = true } },
            make: { $0.maxSignIns = 60 },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            // The order decides which sessions end, and a scenario signs in again if its session ended. In parallel it must not cost
            // more than one by one (below): passwords after the twelfth are sent after a minute, 6 s apart (`SignInRate`).
            signIns: 30,
            requests: 500,
            seconds: 168
        ),
        FailureCase(
            testDescription: "a database that loses the first token on concurrent writes",
            delay: 0.02,
            provide: { settings in
                let wasLost = Mutex(false)
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .userInfo, answer.status == 200 else { return }
                        let isFirst = wasLost.withLock { lost in
                            defer { lost = true }
                            return !lost
                        }
                        if isFirst {
                            let challenge = Field("WWW-Authenticate", #"Bearer error="invalid_token""#)
                            answer = HTTPAnswer(status: 401, headers: [challenge], body: [])
                        }
                    }
                }
            },
            exitCode: 0,
            signIns: 14,
            requests: 450,
            seconds: 60
        ),
        FailureCase(
            testDescription: "a database that fails concurrent consents",
            delay: 0.02,
            over: .sockets,
            provide: { settings in
                let storage = BusyStorage()
                settings.hook { $0.session.consentError = storage.error }
            },
            exitCode: 0,
            mayBeReported: ["transport.answers.are-no-server-errors"],
            signIns: 14,
            requests: 450,
            seconds: 60
        ),
    ]

    /// Tokens issued in the same second are equal, and an error breaks the database session until the next error.
    private static let brokenConnection = FailureCase(
        testDescription: "one token per second, and an error that breaks the next request",
        provide: { settings in
            let now = settings.now
            let lastSecond = Mutex(0)
            let isBroken = Mutex(false)
            settings.hook { hooks in
                hooks.answer = { endpoint, answer in
                    let second = Int(now())
                    let isSecond =
                        endpoint == .token && answer.status == 200
                        && lastSecond.withLock { last in
                            defer { last = second }
                            return last == second
                        }
                    let wasBroken = isBroken.withLock { broken in
                        defer { broken = isSecond }
                        return broken
                    }
                    if isSecond || wasBroken { answer = HTTPAnswer(status: 500, headers: [], body: []) }
                }
            }
        },
        // Every repeated flow signs in again.
        make: { $0.maxSignIns = 30 },
        exitCode: 0,
        mayBeReported: ["transport.answers.are-no-server-errors"],
        signIns: 24,
        requests: 600,
        seconds: 300
    )

    private static let clocks: [FailureCase] = [600.0, -600, 7_200, -7_200]
        .map { seconds in
            FailureCase(
                testDescription: "clocks \(Int(seconds)) seconds apart",
                provide: { settings in
                    let now = settings.now
                    settings.now = { now() + seconds }
                    let date = settings.date ?? now
                    settings.date = { date() + seconds }
                },
                reported: ["discovery.clock.is-within-a-minute"],
                signIns: 11,
                requests: 370,
                seconds: 60
            )
        }

    private static let sessions: [FailureCase] = [
        FailureCase(
            testDescription: "one session per user",
            provide: { $0.hook { $0.session.endsOlderSessions = true } },
            make: {
                $0.concurrency = 1
                $0.maxSignIns = 60
            },
            exitCode: 0,
            // Each sign-in ends all other sessions. Passwords after the twelfth are sent after a minute, 6 s apart.
            signIns: 30,
            requests: 500,
            seconds: 168
        ),
        FailureCase(
            testDescription: "auth_time is stored per user",
            delay: 0.01,
            provide: { $0.hook { $0.session.keepsTimeWithUser = true } },
            exitCode: 1,
            reported: ["idtoken.auth-time.is-unchanged-without-sign-in"],
            signIns: 14,
            requests: 450,
            seconds: 60
        ),
        FailureCase(
            testDescription: "two concurrent first consents break the account",
            delay: 0.01,
            provide: { settings in
                let account = FragileAccount()
                settings.hook { $0.session.consentError = account.error }
            },
            exitCode: 0,
            signIns: 11,
            requests: 370,
            seconds: 60
        ),
    ]

    private static let pages: [FailureCase] = [
        .brokenAccount(flows: nil),
        .brokenAccount(flows: ["code"]),
        FailureCase(
            testDescription: "a consent page with unticked boxes",
            provide: { settings in
                settings.consentPage(
                    with: #"<label><input type="checkbox" name="scope" value="openid">Who you are</label>"#
                        + #"<label><input type="checkbox" name="scope" value="email">Your address</label>"#
                ) { form in
                    form.contains { $0.name == "scope" && $0.value == "openid" } ? nil : "access_denied"
                }
            },
            exitCode: 0,
            signIns: 11,
            requests: 370,
            seconds: 60
        ),
        FailureCase(
            testDescription: "a box that must be ticked",
            provide: { settings in
                settings.consentPage(
                    with: #"<label><input type="checkbox" name="terms" required>I have read the terms</label>"#
                ) { form in form.contains { $0.name == "terms" } ? nil : "access_denied" }
            },
            exitCode: 0,
            signIns: 11,
            requests: 370,
            seconds: 60
        ),
        FailureCase(
            testDescription: "a sign-in that never ends",
            provide: { settings in
                let pages = Mutex(0)
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .consentPage || endpoint == .other else { return }
                        let number = pages.withLock { pages in
                            pages += 1
                            return pages
                        }
                        answer.status = 200
                        answer.setHeader("Content-Type", "text/html")
                        answer.text = """
                            <!DOCTYPE html><title>One more step</title><form method="post" action="/step/\(number)">
                            <input type="hidden" name="step" value="\(number)"><button>Continue</button></form>
                            """
                    }
                }
            },
            signInStep: .signIn,
            message: "was not reached within 20 pages",
            advice: "sign_in.steps",
            signIns: 2,
            requests: 109,
            seconds: 10
        ),
    ]

    private static let hanging: [FailureCase] = [
        FailureCase(
            testDescription: "a consent page that never finishes loading",
            over: .sockets,
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in if endpoint == .consentPage { answer.delay = 60 } }
                }
            },
            make: { $0.wait(atMost: 1) },
            signInStep: .signIn,
            message: "no data within 1 s",
            otherSignInSteps: [.limit],
            signIns: 2,
            requests: 72,
            seconds: 10
        ),
        FailureCase(
            testDescription: "a sign-in page that never finishes loading",
            over: .sockets,
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in if endpoint == .signInPage { answer.delay = 60 } }
                }
            },
            make: { $0.wait(atMost: 1) },
            signInStep: .limit,
            message: "/sign-in timed out twice in a row",
            advice: "network.total_timeout",
            signIns: 0,
            requests: 68,
            seconds: 10
        ),
        FailureCase(
            testDescription: "refresh requests that are never answered",
            over: .sockets,
            provide: { settings in
                settings.hook { hooks in hooks.life.refreshAnswer = { $0.delay = 60 } }
            },
            make: { $0.wait(atMost: 1) },
            signIns: 11,
            requests: 370,
            seconds: 60
        ),
        FailureCase(
            testDescription: "a server that hangs after a refresh request",
            over: .sockets,
            provide: { settings in
                let hangs = Mutex(false)
                settings.hook { hooks in
                    hooks.life.refreshAnswer = { _ in hangs.withLock { $0 = true } }
                    hooks.answer = { _, answer in if hangs.withLock(\.self) { answer.delay = 60 } }
                }
            },
            // One request at a time: otherwise any pending request could be the first without a response.
            make: {
                $0.wait(atMost: 1)
                $0.concurrency = 1
            },
            signInStep: .limit,
            message: "refresh_token",
            signIns: 11,
            requests: 370,
            seconds: 60
        ),
    ]

    @Test(arguments: cases.filter { $0.over == .memory })
    func `a failure is reported with its cause, and no check fails`(
        failure: FailureCase
    ) async throws {
        try await failure.run()
    }
}

@Suite("Provider outages over sockets", .phase(.sockets), .timeLimit(.minutes(20)))
struct FailureCasesOverSocketsTests {
    @Test(arguments: FailureCaseTests.cases.filter { $0.over == .sockets })
    func `a failure with time-outs is reported with its cause`(failure: FailureCase) async throws {
        try await failure.run()
    }
}

/// An account that breaks permanently if two first consents overlap.
private final class FragileAccount: Sendable {
    private struct State {
        var asked: Set<String> = []
        var hasConsented = false
        var isBroken = false
    }

    private let states = Mutex<[String: State]>([:])

    func error(_ consent: SessionHooks.Consent) -> OAuthError? {
        states.withLock { states in
            var state = states[consent.username + " " + consent.clientID] ?? State()
            if consent.form == nil {
                if !state.hasConsented { state.asked.insert(consent.authorization) }
            } else {
                // A consent page shown before the first consent writes a first consent again.
                if state.asked.contains(consent.authorization), state.hasConsented { state.isBroken = true }
                state.hasConsented = true
            }
            states[consent.username + " " + consent.clientID] = state
            return state.isBroken ? "server_error" : nil
        }
    }
}

/// A database in which a consent fails while another is written.
private final class BusyStorage: Sendable {
    private let lastAt = Mutex<ContinuousClock.Instant?>(nil)

    func error(_ consent: SessionHooks.Consent) -> OAuthError? {
        guard consent.form != nil else { return nil }
        let now = ContinuousClock.now
        return lastAt.withLock { last in
            // Duration of a write; consecutive requests of one scenario are further apart.
            let isCrowded = last.map { now - $0 < .milliseconds(15) } ?? false
            last = now
            return isCrowded ? "error" : nil
        }
    }
}

extension ReferenceProviderConfiguration {
    /// Adds a change of the provider that is not a fault.
    mutating func hook(_ change: @escaping @Sendable (inout Hooks) -> Void) {
        faults.append(Fault("authorization.flow.succeeds", "an injected failure", change: change))
    }

    /// Returns 503 to all requests for a while, by the run's clock.
    mutating func isDown(
        for seconds: Double,
        from start: Double,
        change: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) {
        let now = now
        hook { hooks in
            hooks.answer = { _, answer in
                guard now() < start + seconds else { return }
                answer = HTTPAnswer(status: 503, headers: [Field("Content-Type", "text/html")], body: [])
                change(&answer)
            }
        }
    }

    /// Returns 503 to all requests for a while, after a number of responses.
    mutating func isDown(for seconds: Double, after count: Int) {
        let now = now
        let left = Countdown(count)
        let start = Mutex<Double?>(nil)
        hook { hooks in
            hooks.answer = { _, answer in
                guard !left.take() else { return }
                let began = start.withLock { start in
                    start = start ?? now()
                    return start ?? 0
                }
                guard now() < began + seconds else { return }
                answer = HTTPAnswer(status: 503, headers: [Field("Content-Type", "text/html")], body: [])
            }
        }
    }

    /// Adds fields to the consent page, and decides whether the submitted form is a consent.
    mutating func consentPage(with fields: String, error: @escaping @Sendable ([Field]) -> OAuthError?) {
        hook { hooks in
            hooks.answer = { endpoint, answer in
                guard endpoint == .consentPage else { return }
                let button = #"<button type="submit" name="answer" value="accept">"#
                answer.text = answer.text.replacing(button, with: fields + button)
            }
            hooks.session.consentError = { consent in consent.form.flatMap(error) }
        }
    }
}
