/// A fact that was looked for: seen, looked for in vain, or not looked for.
package enum Observation<Value: Sendable>: Sendable {
    case observed(Value)
    /// It should have been there; the reason names step, place and cause.
    case absent(Reason)
    /// The run did not request it; the reason says why.
    case notAttempted(Reason)

    // A literal is a reason: written in one, another hands its kind and its cause on.
    @_disfavoredOverload
    package static func absent(_ why: String) -> Observation { .absent(Reason(why)) }

    @_disfavoredOverload
    package static func notAttempted(_ why: String) -> Observation { .notAttempted(Reason(why)) }

    package var value: Value? {
        guard case .observed(let value) = self else { return nil }
        return value
    }

    /// Whether the run requested it, whatever the result.
    package var wasTried: Bool {
        if case .notAttempted = self { false } else { true }
    }

    /// The reason of everything but what was observed.
    package var whyNot: Reason? {
        switch self {
        case .observed: nil
        case .absent(let why), .notAttempted(let why): why
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

extension Observation: Codable where Value: Codable {
    private enum CodingKeys: CodingKey {
        case observed, absent, notAttempted
    }

    /// The names in files of a value or a sentence, and of a reason's kind with its sentence.
    private enum Content: String, CodingKey {
        case value = "_0"
        case kind
    }

    /// A reason whose kind is missing, or is one of a later version, is of no kind that decides anything.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func reason(_ key: CodingKeys) throws -> Reason {
            let content = try container.nestedContainer(keyedBy: Content.self, forKey: key)
            let kind = try content.decodeIfPresent(String.self, forKey: .kind).flatMap(Reason.Kind.init)
            return Reason(try content.decode(String.self, forKey: .value), kind ?? .other)
        }
        if container.contains(.absent) {
            self = .absent(try reason(.absent))
        } else if container.contains(.notAttempted) {
            self = .notAttempted(try reason(.notAttempted))
        } else {
            let content = try container.nestedContainer(keyedBy: Content.self, forKey: .observed)
            self = .observed(try content.decode(Value.self, forKey: .value))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ why: Reason, _ key: CodingKeys) throws {
            var content = container.nestedContainer(keyedBy: Content.self, forKey: key)
            try content.encode(why.text, forKey: .value)
            if why.kind != .other { try content.encode(why.kind.rawValue, forKey: .kind) }
        }
        switch self {
        case .observed(let value):
            var content = container.nestedContainer(keyedBy: Content.self, forKey: .observed)
            try content.encode(value, forKey: .value)
        case .absent(let why): try encode(why, .absent)
        case .notAttempted(let why): try encode(why, .notAttempted)
        }
    }
}

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
