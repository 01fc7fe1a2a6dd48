import Synchronization

/// A clock that a test moves.
final class TestClock: Sendable {
    private let time: Mutex<Double>

    init(_ time: Double) {
        self.time = Mutex(time)
    }

    var now: Double { time.withLock { $0 } }

    func advance(_ seconds: Double) {
        time.withLock { $0 += seconds }
    }
}
