/// A fact that was looked for: seen, looked for in vain, or not looked for.
package enum Observation<Value: Sendable>: Sendable {
    case observed(Value)
    /// It should have been there; the reason names step, place and cause.
    case absent(Reason)
    /// The run did not ask for it; the reason says why.
    case notAttempted(String)

    package static func absent(_ why: String) -> Observation { .absent(Reason(why)) }

    package var value: Value? {
        guard case .observed(let value) = self else { return nil }
        return value
    }

    /// The reason of everything but what was observed.
    package var whyNot: String? {
        switch self {
        case .observed: nil
        case .absent(let why): why.text
        case .notAttempted(let why): why
        }
    }

    /// The observation of something derived from the value.
    package func map<Other>(_ transform: (Value) -> Other) -> Observation<Other> {
        flatMap { .observed(transform($0)) }
    }

    package func flatMap<Other>(_ transform: (Value) -> Observation<Other>) -> Observation<Other> {
        switch self {
        case .observed(let value): transform(value)
        case .absent(let why): .absent(why)
        case .notAttempted(let why): .notAttempted(why)
        }
    }
}

extension Observation: Equatable where Value: Equatable {}
extension Observation: Hashable where Value: Hashable {}
extension Observation: Codable where Value: Codable {}

/// Text that must not be seen: prints as its length.
///
/// Secrets come from the environment or a file, never from an argument's text.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text itself, for the one place that sends it.
    package func reveal() -> String { text }

    package var isEmpty: Bool { text.isEmpty }
    package var description: String { "(secret:\(text.count)-characters)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
