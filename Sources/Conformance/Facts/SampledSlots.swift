import Synchronization

/// The identity of a query.
final class SlotIdentity: Sendable {}

/// Results of queries on some evidence: a query that dozens of checks use is evaluated once.
final class SampledSlots: Sendable {
    /// The query is kept with its samples, so that no later one has its address.
    private let kept = Mutex<[ObjectIdentifier: (slot: SlotIdentity, samples: any Sendable)]>([:])

    /// The samples of a query: the first time evaluated, later the same.
    ///
    /// `read` is called without the lock, since it may evaluate other queries.
    func samples<Subject: Sendable>(of slot: SlotIdentity, _ read: () -> [Sample<Subject>]) -> [Sample<Subject>] {
        let key = ObjectIdentifier(slot)
        if let samples = kept.withLock({ $0[key]?.samples }) as? [Sample<Subject>] { return samples }
        let samples = read()
        kept.withLock { $0[key] = (slot, samples) }
        return samples
    }
}
