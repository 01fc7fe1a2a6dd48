import CSQLite
import CShims

/// One prepared statement; parameters are bound by their place, and no text of others becomes SQL.
package final class Statement {
    private let statement: OpaquePointer
    /// Memo, because a statement must not outlive its connection.
    private let database: Database

    init(_ statement: OpaquePointer, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// Runs the statement to its end.
    package func run(_ values: [SQLValue] = []) throws(SQLiteError) {
        try forEach(values) { _ in }
    }

    /// Hands out the rows one by one; only one is in memory.
    package func forEach(_ values: [SQLValue] = [], _ body: ([SQLValue]) -> Void) throws(SQLiteError) {
        try bind(values)
        defer { sqlite3_reset(statement) }
        let count = sqlite3_column_count(statement)
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: body((0..<count).map(value))
            case SQLITE_DONE: return
            default: throw database.lastError(code)
            }
        }
    }

    private func bind(_ values: [SQLValue]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(statement))
        guard values.count == expected else {
            throw SQLiteError(
                code: Int(SQLITE_RANGE),
                message: "\(values.count) values for \(expected) parameters"
            )
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw database.lastError(code) }
        }
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .real(let number): return sqlite3_bind_double(statement, place, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address SQLite would take an empty text for NULL.
                    guard let address = characters.baseAddress, let length = Int32(exactly: characters.count) else {
                        return characters.isEmpty
                            ? preflight_sqlite_bind_text(statement, place, "", 0) : SQLITE_TOOBIG
                    }
                    return preflight_sqlite_bind_text(statement, place, address, length)
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress, let length = Int32(exactly: bytes.count) else {
                    return bytes.isEmpty ? preflight_sqlite_bind_blob(statement, place, "", 0) : SQLITE_TOOBIG
                }
                return preflight_sqlite_bind_blob(statement, place, address, length)
            }
        }
    }

    private func value(at place: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, place))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, place))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(statement, place)
            // Called after the text function, because it counts the bytes of that text, which may contain NUL.
            let length = Int(sqlite3_column_bytes(statement, place))
            return .text(String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(statement, place)
            let length = Int(sqlite3_column_bytes(statement, place))
            return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
        default: return .null
        }
    }
}
