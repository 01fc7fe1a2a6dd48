import Synchronization

/// The identity of a query.
final class QueryIdentity: Sendable {}

/// Results of queries on some evidence: a query that dozens of checks use is evaluated once.
final class SampledQueries: Sendable {
    /// The query is kept with its samples, so that no later one has its address.
    private let kept = Mutex<[ObjectIdentifier: (query: QueryIdentity, samples: any Sendable)]>([:])

    /// The samples of a query: the first time evaluated, later the same.
    ///
    /// `read` is called without the lock, since it may evaluate other queries.
    func samples<Subject: Sendable>(of query: QueryIdentity, _ read: () -> [Sample<Subject>]) -> [Sample<Subject>] {
        let key = ObjectIdentifier(query)
        if let samples = kept.withLock({ $0[key]?.samples }) as? [Sample<Subject>] { return samples }
        let samples = read()
        kept.withLock { $0[key] = (query, samples) }
        return samples
    }
}
