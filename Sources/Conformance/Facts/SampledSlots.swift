import Synchronization

/// What tells a slot from every other.
final class SlotIdentity: Sendable {}

/// What slots read in some evidence: a slot that dozens of checks stand on is read once.
final class SampledSlots: Sendable {
    /// The slot is kept beside its samples, so that no later one has its address.
    private let kept = Mutex<[ObjectIdentifier: (slot: SlotIdentity, samples: any Sendable)]>([:])

    /// The samples of a slot: the first time read, later the same.
    ///
    /// `read` is called outside of the lock, since it may read other slots.
    func samples<Subject: Sendable>(of slot: SlotIdentity, _ read: () -> [Sample<Subject>]) -> [Sample<Subject>] {
        let key = ObjectIdentifier(slot)
        if let samples = kept.withLock({ $0[key]?.samples }) as? [Sample<Subject>] { return samples }
        let samples = read()
        kept.withLock { $0[key] = (slot, samples) }
        return samples
    }
}
