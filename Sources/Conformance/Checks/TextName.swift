/// A name with a type of its own, so that it cannot be confused with another text; saved as that text.
package protocol TextName: RawRepresentable, Hashable, Sendable, Codable, Comparable, ExpressibleByStringLiteral,
    CustomStringConvertible
where RawValue == String {
    init(_ rawValue: String)
}

extension TextName {
    package init(rawValue: String) {
        self.init(rawValue)
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package var description: String { rawValue }

    package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
