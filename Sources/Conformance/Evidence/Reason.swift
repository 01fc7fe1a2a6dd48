/// Why something is not there to be judged, in words, and what broke where that is known.
///
/// Written into a text, a reason hands its cause on: `.absent("no code: \(why)")` waits for what `why` waits for. Evidence keeps
/// the words alone; the causes are found when it is judged.
package struct Reason: Sendable, Hashable, CustomStringConvertible {
    package let text: String
    /// The rung of the ladder that broke; `nil` for a reason of its own.
    package let cause: Cause?

    package init(_ text: String, of cause: Cause? = nil) {
        self.text = text
        self.cause = cause
    }

    package var description: String { text }

    /// Whether it is that cause by which the thing is not there.
    package func isWaiting(for other: Cause) -> Bool { cause?.isSame(as: other) ?? false }
}

extension Reason: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = DefaultStringInterpolation(literalCapacity: 0, interpolationCount: 0)
        fileprivate var cause: Cause?

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = DefaultStringInterpolation(
                literalCapacity: literalCapacity,
                interpolationCount: interpolationCount
            )
        }

        package mutating func appendLiteral(_ literal: String) { text.appendLiteral(literal) }

        package mutating func appendInterpolation(_ reason: Reason) {
            text.appendInterpolation(reason.text)
            cause = cause ?? reason.cause
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text.appendInterpolation(value.description)
        }
    }

    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(String(stringInterpolation: stringInterpolation.text), of: stringInterpolation.cause)
    }
}

extension Reason: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
