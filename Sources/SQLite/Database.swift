import CSQLite
import CShims

/// One connection to an SQLite database.
///
/// It belongs to one thread at a time, and is not `Sendable`. A file that is written is in write-ahead mode, so that readers
/// see a whole state while it is written to, foreign keys are enforced, and text is UTF-8. The connection waits ``timeLimit`` for
/// others that write.
package final class Database {
    package enum Access: Sendable {
        /// Makes the file where there is none.
        case readWrite
        /// Changes nothing, not even the way that the file is kept.
        case readOnly
    }

    /// A place in memory, which goes with the connection.
    package static let inMemory = ":memory:"

    /// Milliseconds.
    private static let timeLimit: Int32 = 10_000

    private let connection: OpaquePointer

    /// Why SQLite cannot be used on this system; `nil` when it can.
    package static var problem: String? { preflight_sqlite_problem().map { String(cString: $0) } }

    /// The version of the library that is used; only where there is no ``problem``.
    package static var version: String { String(cString: sqlite3_libversion()) }

    /// Opens a database file.
    ///
    /// - Throws: ``SQLiteError``, for a file that is no database as well.
    package init(_ path: String, _ access: Access = .readWrite) throws(SQLiteError) {
        var opened: OpaquePointer?
        // One thread at a time: SQLite needs no mutex of its own.
        let flags = (access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let connection = opened else {
            throw SQLiteError(code: Int(code), message: String(cString: sqlite3_errstr(code)))
        }
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: Int(code), message: String(cString: sqlite3_errmsg(connection)))
            sqlite3_close_v2(connection)
            throw error
        }
        self.connection = connection
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, Self.timeLimit)
        if access == .readWrite, path != Self.inMemory { try run("PRAGMA journal_mode = WAL") }
        // Durable at each checkpoint; a power failure may cost the last transactions and breaks nothing.
        try run("PRAGMA synchronous = NORMAL")
        try run("PRAGMA foreign_keys = ON")
        // A schema from another program must not call functions that have effects (sqlite.org/security.html).
        try run("PRAGMA trusted_schema = OFF")
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Prepares one statement of SQL, to be run any number of times.
    package func prepare(_ text: String) throws(SQLiteError) -> Statement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK else { throw lastError(code) }
        guard let statement else {
            throw SQLiteError(code: Int(SQLITE_MISUSE), message: "there is no statement in “\(text)”")
        }
        return Statement(statement, of: self)
    }

    /// Runs one statement of SQL; what it gives back is left.
    package func run(_ text: String, _ values: [SQLValue] = []) throws(SQLiteError) {
        try prepare(text).run(values)
    }

    /// The rows of one query, all at once: for few of them.
    package func rows(_ text: String, _ values: [SQLValue] = []) throws(SQLiteError) -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try prepare(text).forEach(values) { rows.append($0) }
        return rows
    }

    /// The first value of a query's first row.
    package func value(_ text: String, _ values: [SQLValue] = []) throws(SQLiteError) -> SQLValue? {
        try rows(text, values).first?.first
    }

    /// Runs `body` as a whole: all of it is kept, or nothing when it throws.
    ///
    /// One that writes takes the database at once, so that it never has to give up half-way because another one writes.
    package func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite has ended the transaction itself after some errors, a full disk for instance.
            if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// How many rows the last statement has changed.
    package var changes: Int { Int(sqlite3_changes(connection)) }

    /// The number of the row that was added last.
    package var lastRow: Int { Int(sqlite3_last_insert_rowid(connection)) }

    func lastError(_ code: Int32) -> SQLiteError {
        SQLiteError(code: Int(code), message: String(cString: sqlite3_errmsg(connection)))
    }
}

extension Database {
    /// Migrates the schema to the last version: `user_version` counts the applied steps.
    ///
    /// Each step is a list of statements and is applied as a whole; other connections wait.
    /// - Throws: ``SQLiteError``; also if the file has a later version than this program knows.
    package func migrate(_ steps: [[String]]) throws {
        if try schemaVersion() == steps.count { return }
        try transaction {
            // Another connection may have applied the steps while this one waited.
            let version = try schemaVersion()
            guard version <= steps.count else {
                throw SQLiteError(
                    code: Int(SQLITE_MISMATCH),
                    message:
                        "the database has version \(version), and this program knows \(steps.count): it was written by a "
                        + "later one"
                )
            }
            for step in steps[version...] { for statement in step { try run(statement) } }
            // A number of this program's own: a pragma takes no parameter.
            try run("PRAGMA user_version = \(steps.count)")
        }
    }

    /// The number of applied steps; 0 in a new file.
    package func schemaVersion() throws(SQLiteError) -> Int { try value("PRAGMA user_version")?.integer ?? 0 }
}
