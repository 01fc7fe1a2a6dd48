import Conformance

/// The error of the clock that dated a response.
enum ClockSkew {
    /// Seconds by which the provider is ahead; `nil` without a readable `Date`.
    ///
    /// `Date` has whole seconds, and was written during the exchange. A cached response was written earlier, by the
    /// number of seconds in `Age` (RFC 9111 section 5.1).
    static func of(_ exchange: Exchange) -> Double? {
        guard let field = exchange.response?.header("Date"), let written = HTTPDate.seconds(field) else { return nil }
        let stated = written + (exchange.response?.header("Age").flatMap { Double($0) } ?? 0)
        let earliest = exchange.startedAt - 1
        let latest = exchange.startedAt + max(exchange.timings.firstByte, exchange.timings.total)
        if stated < earliest { return stated - earliest }
        return stated > latest ? stated - latest : 0
    }
}
