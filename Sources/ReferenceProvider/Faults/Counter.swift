import Synchronization

/// Consecutive numbers with leading zeros: long, but easy to guess.
final class Counter: Sendable {
    private let last: Mutex<Int>
    private let width: Int

    init(from first: Int = 100_000, width: Int = 24) {
        self.last = Mutex(first)
        self.width = width
    }

    func next() -> String {
        let number = last.withLock { last in
            last += 1
            return String(last)
        }
        return String(repeating: "0", count: max(0, width - number.count)) + number
    }
}

/// Distinguishes the first call from later calls, for faults that show only across requests.
///
/// A run sends repeated requests concurrently, so only the first one has a known position.
package final class FirstCall: Sendable {
    private let wasMade = Mutex(false)

    package init() {}

    /// True on the first call only.
    package func isFirst() -> Bool {
        wasMade.withLock { wasMade in
            defer { wasMade = true }
            return !wasMade
        }
    }
}
