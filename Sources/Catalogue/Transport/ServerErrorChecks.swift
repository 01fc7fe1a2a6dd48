import Conformance

/// What went wrong on the provider's side, whatever was asked.
enum ServerErrorChecks {
    static let none = Check(
        "transport.answers.are-no-server-errors",
        "No request is answered with a server error",
        .risk,
        .signIn,
        Citation(.rfc9110, "15.6", "the server is aware that it has erred"),
        why: "The client shows its user an error that nobody can explain; a refusal would have told the reason.",
        reads: answers,
        excusedBy: ["discovery.response.status-is-200", "keys.response.status-is-200"],
        judgesStatuses: true,
        finding: { exchanges, _ in
            // What a provider answers to several people at once is told in a note: it is not the same every time.
            let failed = exchanges.filter { exchange in
                guard let response = exchange.response, response.status >= 500, exchange.isSuperseded != true else {
                    return false
                }
                return response.whyNotNow == nil || comesAndGoes(exchange, exchanges)
            }
            // What is sent side by side in one lane is recorded in any order.
            let place = { (exchange: Exchange) in (Exchange.lane(of: exchange.id), exchange.step) }
            guard let first = failed.min(by: { place($0) < place($1) }), let status = first.response?.status else {
                return nil
            }
            let more = failed.count > 1 ? ", and \(failed.count - 1) more" : ""
            return Finding(
                "HTTP status \(status) was answered to: \(first.step)\(more).",
                at: "status",
                expected: "a success, a redirect or a refusal",
                found: "\(status)",
                fix: "Find the cause in the provider's log; answer requests that cannot be fulfilled with their error.",
                exchange: first.id
            )
        }
    )

    static let all: [Check] = [none]

    /// Whether an address was not available between two answers: a server that is down is not told as one that errs.
    private static func comesAndGoes(_ exchange: Exchange, _ exchanges: [Exchange]) -> Bool {
        let place = exchange.request.url.prefix { $0 != "?" }
        let visits = exchanges.filter { $0.request.url.prefix { $0 != "?" } == place }
        let answers = visits.filter { $0.response?.whyNotNow == nil }.map(\.startedAt)
        let gaps = visits.filter { $0.response?.whyNotNow != nil }.map(\.startedAt)
        guard let gap = gaps.min(), let first = answers.min(), let last = answers.max() else { return false }
        return first <= gap && gap <= last
    }

    /// Every answer of the run, whatever it was asked for.
    private static let answers = Slot<[Exchange]>(
        "every answer of the run",
        needs: [.discovery],
        whenEmpty: "nothing was sent"
    ) { facts in
        let answered = facts.evidence.exchanges.filter { $0.response != nil }
        return answered.isEmpty ? [] : [Sample(.observed(answered))]
    }
}
