import Conformance

/// The provider's clock, read from the `Date` field of its first answer.
enum ProviderClockChecks {
    static let isStated = Check(
        "discovery.clock.is-stated",
        "The answer says what time it is at the provider",
        // HTTP's word is MUST for a server with a clock, and OpenID Connect asks for no such field: certified providers in
        // wide use send none.
        .should,
        .conformance,
        Citation(.rfc9110, "6.6.1", "MUST generate a Date header field"),
        why: "Without it a clock that is wrong shows only when tokens are refused as issued in the future.",
        reads: DiscoverySlots.answer,
        finding: { exchange, _ in
            let field = exchange.response?.header("Date")
            if let field, HTTPDate.seconds(field) != nil { return nil }
            return Finding(
                field == nil ? "the answer has no Date field" : "the Date field is not in the form of RFC 9110",
                at: "Date",
                expected: "Sun, 06 Nov 1994 08:49:37 GMT",
                found: field?.shown() ?? "no such field",
                fix: "Let the web server send Date in the preferred form (IMF-fixdate)."
            )
        }
    )

    static let withinSeconds = Check(
        "discovery.clock.is-within-five-seconds",
        "The provider's clock is right to within five seconds",
        .risk,
        .conformance,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why: "Clients without tolerance refuse a token that seems to come from the future, now and then.",
        reads: DiscoverySlots.answer,
        exempt: unlessWithinMinute,
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 5 else { return nil }
            return finding(exchange, skew, expected: "a difference of less than 5 seconds")
        }
    )

    static let withinMinute = Check(
        "discovery.clock.is-within-a-minute",
        "The provider's clock is right to within a minute",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why: "Its tokens are refused as expired, or as issued in the future, by clients with a right clock.",
        reads: DiscoverySlots.answer,
        exempt: unlessDated,
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 60 else { return nil }
            return finding(exchange, skew, expected: "a difference of less than 60 seconds")
        }
    )

    static let all: [Check] = [isStated, withinSeconds, withinMinute]

    private static let unlessDated: @Sendable (Exchange, Facts) -> String? = { exchange, _ in
        ClockSkew.of(exchange) == nil ? "the answer has no readable Date field" : nil
    }

    private static let unlessWithinMinute: @Sendable (Exchange, Facts) -> String? = { exchange, facts in
        if let why = unlessDated(exchange, facts) { return why }
        return abs(ClockSkew.of(exchange) ?? 0) >= 60
            ? "it is wrong by a minute or more, which another check tells" : nil
    }

    private static func finding(_ exchange: Exchange, _ skew: Double, expected: String) -> Finding {
        let seconds = Int(min(abs(skew), 1e9).rounded())
        let direction = skew > 0 ? "ahead" : "behind"
        return Finding(
            "the provider's clock is \(seconds) seconds \(direction)",
            at: "Date",
            expected: expected,
            found: exchange.response?.header("Date")?.shown(),
            fix: "Set the clocks of the provider's servers, or this machine's, by NTP.",
            exchange: exchange.id
        )
    }
}
