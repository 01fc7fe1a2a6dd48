import Synchronization

/// Turns between two behaviours, for faults that show only from one request to the next.
final class Alternation: Sendable {
    private let calls = Mutex(0)

    /// True on the first call of all, and never again.
    func isVeryFirst() -> Bool {
        calls.withLock { count in
            count += 1
            return count == 1
        }
    }

    /// True on the first call, false on the second, and so on.
    func isFirst() -> Bool {
        calls.withLock { count in
            count += 1
            return !count.isMultiple(of: 2)
        }
    }
}
