#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A JSON value as the specification knows it (RFC 8259), with what a validator must see kept.
///
/// Integers stay apart from reals, integers beyond 64 bits keep their digits, members keep their order. Strings and
/// names are compared code point by code point (RFC 8259 section 8.3), never by canonical equivalence.
package indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer beyond 64 bits: its decimal digits, with a leading minus if negative.
    case bigInteger(String)
    /// A number written with a fraction or an exponent; infinite if it lies outside the range of a double.
    case real(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The kind of a value, as messages name it.
    package enum Kind: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        case null
        case boolean
        case integer
        case number
        case string
        case array
        case object

        package var description: String { rawValue }

        /// The kind with its article: "a string", "an array", "null".
        package var phrase: String {
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .integer: "an integer"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .bigInteger: .integer
        case .real: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of an integer that fits 64 bits; a real is not one, even if it is whole.
    package var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// Whether it is a number that is written without fraction and exponent.
    package var isWholeNumber: Bool {
        switch self {
        case .integer, .bigInteger: true
        default: false
        }
    }

    /// The value of any number, rounded to a double.
    package var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .bigInteger(let digits): Double(digits)
        case .real(let value): value
        default: nil
        }
    }

    package var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements of an array whose elements are all strings; nil for anything else.
    package var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        var result: [String] = []
        result.reserveCapacity(elements.count)
        for element in elements {
            guard case .string(let text) = element else { return nil }
            result.append(text)
        }
        return result
    }

    /// The member of that name, if this is an object that has it.
    package subscript(name: String) -> JSON? { objectValue?[name] }

    /// The value that the pointer leads to (RFC 6901), if there is one.
    package subscript(pointer: JSONPointer) -> JSON? {
        var value = self
        for token in pointer.tokens {
            let next: JSON? =
                switch value {
                case .object(let object): object[token]
                case .array(let elements): JSONPointer.index(token, in: elements).map { elements[$0] }
                default: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.bigInteger(let a), .bigInteger(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.string(let a), .string(let b)): a.isIdenticalText(to: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .bigInteger(let digits): hasher.combine(digits)
        case .real(let value): hasher.combine(value)
        // Swift's own hash is coarser than our equality (canonical equivalence), hence consistent with it.
        case .string(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

extension String {
    /// Whether both have the same code points; `==` would also accept canonically equivalent ones.
    package func isIdenticalText(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Comparing byte by byte would be many times slower, and documents are compared by thousands of names. Copies of one
        // text share their storage, and a text may have millions of bytes.
        let isSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                guard let start = one.baseAddress, let otherStart = other.baseAddress else { return one.isEmpty }
                return start == otherStart || memcmp(start, otherStart, one.count) == 0
            }
        }
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}
