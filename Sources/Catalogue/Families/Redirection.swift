import Conformance

/// Endpoints that redirect the requests of clients.
enum Redirection {
    static func check(_ id: CheckID, _ title: String, _ reads: Query<CallResult>, why: String, fix: String) -> Check {
        Check(
            id,
            title,
            // Inferred: many measured clients do not follow the redirect, which is their choice.
            .must,
            .signIn,
            Citation(.rfc9110, "15.4", "the user agent MAY automatically redirect its request"),
            why: why,
            reads: reads,
            finding: { subject, facts in
                guard let first = facts.evidence.exchange(subject.answer.redirectedFrom), let response = first.response
                else { return nil }
                return Finding(
                    "The request is redirected with HTTP status \(response.status).",
                    at: "Location",
                    expected: "a response at \(first.request.url.prefix { $0 != "?" }.description.quoted)",
                    found: response.header("Location")?.shown() ?? "missing",
                    fix: fix,
                    exchange: first.id
                )
            }
        )
    }
}
