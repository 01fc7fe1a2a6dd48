import Conformance
import ReferenceProvider

extension BadDay {
    /// Rate limits that outlast every run: after so many responses, all requests of the next hour get status 429.
    static let rateLimits = [(0, "3600"), (0, nil), (14, "3600"), (14, nil)].map(rateLimit)

    private static func rateLimit(after count: Int, retryAfter: String?) -> BadDay {
        BadDay(
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
}
