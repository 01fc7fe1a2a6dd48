import Synchronization

/// The identity of a query.
final class QueryIdentity: Sendable {}

/// Results of queries and checks on some evidence: a query that dozens of checks use is evaluated once.
final class ResultCache: Sendable {
    /// The query is kept with its samples, so that no later one has its address.
    private let samples = Mutex<[ObjectIdentifier: (query: QueryIdentity, samples: any Sendable)]>([:])
    private let verdicts = Mutex<[CheckID: Verdict]>([:])

    /// The samples of a query: the first time evaluated, later the same.
    ///
    /// `read` is called without the lock, since it may evaluate other queries.
    func samples<Subject: Sendable>(of query: QueryIdentity, _ read: () -> [Sample<Subject>]) -> [Sample<Subject>] {
        let key = ObjectIdentifier(query)
        if let samples = samples.withLock({ $0[key]?.samples }) as? [Sample<Subject>] { return samples }
        let found = read()
        samples.withLock { $0[key] = (query, found) }
        return found
    }

    func verdict(of check: CheckID) -> Verdict? { verdicts.withLock { $0[check] } }

    func keep(_ verdict: Verdict, of check: CheckID) { verdicts.withLock { $0[check] = verdict } }
}
