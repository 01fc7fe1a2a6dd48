/// A value of a column or a parameter, in SQLite's five storage classes (sqlite.org/datatype3.html section 2).
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }

    package var text: String? { if case .text(let value) = self { value } else { nil } }

    package var integer: Int? { if case .integer(let value) = self { Int(value) } else { nil } }

    /// A number, whole or not.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text, .blob: nil
        }
    }
}

/// An error code of SQLite, with its message.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The primary result code, the low byte of an extended one (sqlite.org/rescode.html).
    package enum Kind: Sendable, Hashable {
        /// Another connection kept the lock for longer than the wait.
        case busy
        /// A rule of the schema would be broken: a foreign key, a key that is there already.
        case constraint
        /// The file is no database, or its content is broken.
        case noDatabase
        /// The file cannot be opened, or its folder cannot be written to.
        case cannotOpen
        case readOnly
        case full
        case other
    }

    /// The extended result code.
    let code: Int
    /// SQLite's words, or ours where no call failed.
    package let message: String

    package init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    package var kind: Kind {
        switch code & 0xFF {
        case 5, 6: .busy
        case 8: .readOnly
        case 11, 26: .noDatabase
        case 13: .full
        case 14: .cannotOpen
        case 19: .constraint
        default: .other
        }
    }

    package var description: String { "SQLite: \(message)" }
}
