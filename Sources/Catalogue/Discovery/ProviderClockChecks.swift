import Conformance

/// The provider's clock, read from the `Date` header of its first response.
enum ProviderClockChecks {
    static let isStated = Check(
        "discovery.clock.is-stated",
        "The discovery response has a valid Date header",
        // HTTP requires the header of servers with a clock. OpenID Connect does not, and widely used certified providers
        // send none.
        .should,
        .conformance,
        Citation(.rfc9110, "6.6.1", "MUST generate a Date header field"),
        why: "Without the header, a wrong clock is noticed only when clients reject tokens as issued in the future.",
        reads: DiscoveryQueries.answer,
        finding: { exchange, _ in
            let field = exchange.response?.header("Date")
            if let field, HTTPDate.seconds(field) != nil { return nil }
            return Finding(
                field == nil
                    ? "The discovery response has no Date header."
                    : "The Date header is not in the format of RFC 9110.",
                at: "Date",
                expected: "Sun, 06 Nov 1994 08:49:37 GMT",
                found: field?.shown() ?? "no such field",
                fix: "Configure the web server to send Date in the preferred format (IMF-fixdate)."
            )
        }
    )

    static let withinSeconds = Check(
        "discovery.clock.is-within-five-seconds",
        "The provider's clock is less than 5 seconds off",
        .risk,
        .conformance,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why: "Clients without tolerance intermittently reject tokens that seem to be issued in the future.",
        reads: DiscoveryQueries.answer,
        exempt: unlessWithinMinute,
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 5 else { return nil }
            return finding(exchange, skew, expected: "a difference of less than 5 seconds")
        }
    )

    static let withinMinute = Check(
        "discovery.clock.is-within-a-minute",
        "The provider's clock is less than 60 seconds off",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why: "Clients with a correct clock reject the provider's tokens as expired, or as issued in the future.",
        reads: DiscoveryQueries.answer,
        exempt: unlessDated,
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 60 else { return nil }
            return finding(exchange, skew, expected: "a difference of less than 60 seconds")
        }
    )

    static let all: [Check] = [isStated, withinSeconds, withinMinute]

    private static let unlessDated: @Sendable (Exchange, Facts) -> String? = { exchange, _ in
        ClockSkew.of(exchange) == nil ? "the discovery response has no readable Date header" : nil
    }

    private static let unlessWithinMinute: @Sendable (Exchange, Facts) -> String? = { exchange, facts in
        if let why = unlessDated(exchange, facts) { return why }
        return abs(ClockSkew.of(exchange) ?? 0) >= 60
            ? "the clock is wrong by 60 seconds or more, which another check reports" : nil
    }

    private static func finding(_ exchange: Exchange, _ skew: Double, expected: String) -> Finding {
        let direction = skew > 0 ? "ahead" : "behind"
        return Finding(
            "The provider's clock is \(ProviderTime.apart(min(abs(skew), 1e9))) \(direction).",
            at: "Date",
            expected: expected,
            found: exchange.response?.header("Date")?.shown(),
            fix: "Synchronise the clocks of the provider's servers, or the clock of this machine, with NTP.",
            exchange: exchange.id
        )
    }
}
