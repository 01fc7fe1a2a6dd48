import Synchronization

/// Values computed from data, kept for every check that needs them again: one value of each type.
///
/// A key set of 12,000 keys is read by some thirty checks, and building a key or parsing a certificate is expensive.
package final class ValueCache: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    init() {}

    /// The value of that type: the first time computed, later the same.
    ///
    /// `compute` is called outside of the lock: two that ask at the same time may both compute, with the same result.
    package func value<Value: Sendable>(_ compute: () -> Value) -> Value {
        let name = ObjectIdentifier(Value.self)
        if let value = values.withLock({ $0[name] }) as? Value { return value }
        let value = compute()
        values.withLock { $0[name] = value }
        return value
    }
}
