import Conformance

/// Server errors in any response of the run.
enum ServerErrorChecks {
    static let none = Check(
        "transport.answers.are-no-server-errors",
        "The provider returns no server error",
        .risk,
        .signIn,
        Citation(.rfc9110, "15.6", "the server is aware that it has erred"),
        why: "The client shows its user an unexplained error; a proper error response would state the reason.",
        reads: answers,
        supersededBy: ["discovery.response.status-is-200", "keys.response.status-is-200"],
        checksStatuses: true,
        finding: { exchanges, _ in
            // Responses to several simultaneous users are reported in a note, because they vary from run to run.
            let failed = exchanges.filter { exchange in
                guard let response = exchange.response, response.status >= 500, exchange.isSuperseded != true else {
                    return false
                }
                // Status 501 is the specified response to a method that the server does not implement (RFC 9110, 9.1).
                if response.status == 501, exchange.request.method == "HEAD" { return false }
                return response.whyNotNow == nil || isIntermittent(exchange, exchanges)
            }
            // Parallel requests of one lane are recorded in any order.
            let place = { (exchange: Exchange) in (Exchange.lane(of: exchange.id), exchange.step) }
            guard let first = failed.min(by: { place($0) < place($1) }), let status = first.response?.status else {
                return nil
            }
            let more = failed.count > 1 ? ", and \(failed.count - 1) more" : ""
            return Finding(
                "The provider returns HTTP status \(status) for: \(first.step)\(more).",
                at: "status",
                expected: "a success, a redirect or a client error",
                found: "HTTP status \(status)",
                fix:
                    "Find the cause in the provider's log, and return the specified error for requests that cannot be fulfilled.",
                exchange: first.id
            )
        }
    )

    static let all: [Check] = [none]

    /// Whether an address was unavailable between two responses; a server that is down is not reported as one that fails.
    private static func isIntermittent(_ exchange: Exchange, _ exchanges: [Exchange]) -> Bool {
        let place = exchange.request.url.prefix { $0 != "?" }
        let visits = exchanges.filter { $0.request.url.prefix { $0 != "?" } == place }
        let answers = visits.filter { $0.response?.whyNotNow == nil }.map(\.startedAt)
        let gaps = visits.filter { $0.response?.whyNotNow != nil }.map(\.startedAt)
        guard let gap = gaps.min(), let first = answers.min(), let last = answers.max() else { return false }
        return first <= gap && gap <= last
    }

    /// Every response of the run.
    static let answers = Query<[Exchange]>(
        "every response of the run",
        needs: [.discovery],
        whenEmpty: "no request was sent"
    ) { facts in
        // The protected resource is another server, and has a check of its own.
        let resource = facts.evidence.protectedResource
        let others = [resource?.answer.value, resource?.metadata.value?.exchange]
        let answered = facts.evidence.exchanges.filter { $0.response != nil && !others.contains($0.id) }
        return answered.isEmpty ? [] : [Sample(.observed(answered))]
    }
}
