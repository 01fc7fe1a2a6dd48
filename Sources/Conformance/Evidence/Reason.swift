/// Why data is missing: a sentence for users, the kind for decisions, and the root cause if it is known.
///
/// Interpolated into a text, a reason passes on its kind and its cause: `.absent("no code: \(why)")` has the cause of `why`.
/// Evidence stores sentence and kind; the causes are found when it is evaluated.
package struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// The reasons that decisions are made by; the names of those that evidence keeps stay what they are.
    package enum Kind: String, Sendable {
        case other
        /// The password was not sent, because another sign-in had failed or no further one was allowed.
        case withheld = "keptBack"
        /// A limit of the run was reached.
        case limit
        /// The user interrupted the run.
        case interrupted
        /// The profile does not have the check.
        case notInProfile
        /// The profile drops the check.
        case dropped
        /// The user skips the check.
        case skipped
        /// The user chooses other checks.
        case notChosen
        /// The check is not about the given input.
        case notAbout
    }

    package let text: String
    package let kind: Kind
    private let boxed: Boxed<Cause>?

    package init(_ text: String, _ kind: Kind = .other, of cause: Cause? = nil) {
        self.init(text, kind, cause.map(Boxed.init))
    }

    private init(_ text: String, _ kind: Kind, _ boxed: Boxed<Cause>?) {
        self.text = text
        self.kind = kind
        self.boxed = boxed
    }

    /// The root cause; `nil` for a reason of its own.
    package var cause: Cause? { boxed?.value }

    package var description: String { text }

    /// Whether it is that cause by which the thing is not there.
    package func isWaiting(for other: Cause) -> Bool { cause?.isSame(as: other) ?? false }
}

extension Reason: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = DefaultStringInterpolation(literalCapacity: 0, interpolationCount: 0)
        fileprivate var kind = Kind.other
        fileprivate var cause: Boxed<Cause>?

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = DefaultStringInterpolation(
                literalCapacity: literalCapacity,
                interpolationCount: interpolationCount
            )
        }

        package mutating func appendLiteral(_ literal: String) { text.appendLiteral(literal) }

        package mutating func appendInterpolation(_ reason: Reason) {
            text.appendInterpolation(reason.text)
            if kind == .other { kind = reason.kind }
            cause = cause ?? reason.boxed
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text.appendInterpolation(value.description)
        }
    }

    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(
            String(stringInterpolation: stringInterpolation.text),
            stringInterpolation.kind,
            stringInterpolation.cause
        )
    }
}
