import Conformance
import Preflight
import ReferenceProvider
import Synchronization

extension FailureCase {
    /// Rate limits that outlast every run: after so many responses, all requests of the next hour get status 429.
    static let rateLimits = [(0, "3600"), (0, nil), (14, "3600"), (14, nil)].map(rateLimit)

    private static func rateLimit(after count: Int, retryAfter: String?) -> FailureCase {
        FailureCase(
            testDescription: "an hour of status 429 after \(count) responses, Retry-After: \(retryAfter ?? "none")",
            provide: { settings in
                let left = Countdown(count)
                settings.hook { hooks in
                    hooks.answer = { _, answer in
                        guard !left.take() else { return }
                        answer = HTTPAnswer(status: 429, headers: [Field("Content-Type", "text/html")], body: [])
                        answer.setHeader("Retry-After", retryAfter)
                    }
                }
            },
            signInStep: count == 0 ? .discovery : .authorizationRequest,
            message: count == 0 ? "status 429" : "too many requests",
            advice: count == 0 ? "" : "network.pause",
            signIns: 3,
            requests: 90,
            seconds: 90
        )
    }

    /// Limits of one user or client that a run of ordinary length meets, and a consent page for every request.
    static let quotas = [
        FailureCase(
            testDescription: "no session, and 20 sign-ins a minute",
            provide: { settings in
                let quota = Quota(of: 20, in: 60, by: settings.now)
                settings.hook { hooks in
                    hooks.session.needs = { needs, parameters in
                        needs.signIn = true
                        if parameters["prompt"]?.contains("none") == true { needs.error = "login_required" }
                    }
                    hooks.session.refusal = { _, wrong in
                        quota.isExceeded() ? "Too many sign-ins. Try again later." : wrong
                    }
                }
            },
            make: { $0.concurrency = 1 },
            exitCode: 0,
            signIns: 50,
            requests: 500,
            seconds: 300
        ),
        FailureCase(
            testDescription: "100 authorization requests in 15 minutes",
            provide: { settings in
                let quota = Quota(of: 100, in: 900, by: settings.now)
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .authorization, quota.isExceeded() else { return }
                        answer = HTTPAnswer(status: 429, headers: [Field("Content-Type", "text/html")], body: [])
                        answer.setHeader("Retry-After", "900")
                    }
                }
            },
            exitCode: 2,
            advice: "network.pause",
            signIns: 12,
            requests: 400,
            seconds: 60
        ),
        FailureCase(
            testDescription: "a consent page for every request",
            provide: { settings in
                settings.hook { hooks in
                    hooks.session.needs = { needs, parameters in
                        needs.consent = true
                        if parameters["prompt"]?.contains("none") == true, needs.error == nil {
                            needs.error = "consent_required"
                        }
                    }
                }
            },
            exitCode: 0,
            reported: ["authorization.prompt-none.succeeds-with-session"],
            signIns: 11,
            requests: 440,
            seconds: 60
        ),
    ]
}

/// A limit of events in the last seconds, by the clock of the provider.
private final class Quota: Sendable {
    private let most: Int
    private let seconds: Double
    private let now: @Sendable () -> Double
    private let times = Mutex<[Double]>([])

    init(of most: Int, in seconds: Double, by now: @escaping @Sendable () -> Double) {
        (self.most, self.seconds, self.now) = (most, seconds, now)
    }

    /// Counts an event, and returns whether it is one too many.
    func isExceeded() -> Bool {
        times.withLock { times in
            times = times.filter { now() - $0 < seconds } + [now()]
            return times.count > most
        }
    }
}
