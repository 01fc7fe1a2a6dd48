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

/// Alternates between two behaviours, for faults that show only across requests.
final class Alternation: Sendable {
    private let calls = Mutex(0)

    /// True on the very first call only.
    func isVeryFirst() -> Bool {
        calls.withLock { count in
            count += 1
            return count == 1
        }
    }

    /// True on the second and third calls only.
    func isSecondOrThird() -> Bool {
        calls.withLock { count in
            count += 1
            return count == 2 || count == 3
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
