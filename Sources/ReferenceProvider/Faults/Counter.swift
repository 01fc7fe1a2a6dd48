import Synchronization

/// Counts, for faults that number what should be random.
final class Counter: Sendable {
    private let count = Mutex(0)

    /// One more than the last time, beginning with one.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
