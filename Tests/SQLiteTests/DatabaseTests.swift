import Foundation
import OtherPrograms
import SQLite
import TestSupport
import Testing

/// A folder that is removed after the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "sqlite-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/test.sqlite" }
}

/// The oracle: SQLite's own command line, which shares the library but not the adapter.
private func sqlite3(_ file: String, _ text: String) async throws -> String {
    let outcome = try await OtherProgram.run("sqlite3", [file, text])
    #expect(outcome.isSuccess, "\(outcome.words)")
    return outcome.text
}

@Suite("Database", .timeLimit(.minutes(5)))
struct DatabaseTests {
    @Test(
        "every value is returned as it was bound, and the command line reads the same",
        .oracle(.program("sqlite3")),
        arguments: [
            (SQLValue.null, "null|NULL\n"), (.integer(.min), "integer|-9223372036854775808\n"),
            (.integer(7), "integer|7\n"), (.real(0.5), "real|0.5\n"), (.text(""), "text|''\n"),
            (.text("O'Brien; DROP TABLE t -- \u{1F511}"), "text|'O''Brien; DROP TABLE t -- \u{1F511}'\n"),
            (.blob([]), "blob|X''\n"), (.blob([0, 255, 10]), "blob|X'00FF0A'\n"),
        ]
    )
    func values(value: SQLValue, reported: String) async throws {
        let folder = try Folder()
        let database = try Database(folder.file)
        try database.run("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (?)", [value])
        #expect(try database.rows("SELECT v FROM t") == [[value]])
        #expect(try await sqlite3(folder.file, "SELECT typeof(v), quote(v) FROM t") == reported)
    }

    @Test("a NUL inside a text is preserved")
    func nul() throws {
        let database = try Database(Database.inMemory)
        #expect(try database.value("SELECT ?", [.text("a\u{0}b")]) == .text("a\u{0}b"))
    }

    @Test(
        "the database uses write-ahead logging and foreign keys, and allows readers during a write",
        .oracle(.program("sqlite3"))
    )
    func modes() async throws {
        let folder = try Folder()
        let database = try Database(folder.file)
        #expect(try database.value("PRAGMA journal_mode") == .text("wal"))
        try database.run("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        try database.run("CREATE TABLE b (a INTEGER NOT NULL REFERENCES a)")
        let error = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO b VALUES (1)") }
        #expect(error?.kind == .constraint, "\(String(describing: error))")
        try database.run("BEGIN IMMEDIATE")
        try database.run("INSERT INTO a VALUES (1)")
        let other = try Database(folder.file, .readOnly)
        #expect(try other.value("SELECT count(*) FROM a") == .integer(0))
        try database.run("COMMIT")
        #expect(try other.value("SELECT count(*) FROM a") == .integer(1))
        #expect(throws: SQLiteError.self) { try other.run("INSERT INTO a VALUES (2)") }
        #expect(try await sqlite3(folder.file, "PRAGMA integrity_check; SELECT count(*) FROM a") == "ok\n1\n")
    }

    @Test("a transaction is stored completely or not at all")
    func transactions() throws {
        struct Stop: Error {}
        let database = try Database(Database.inMemory)
        try database.run("CREATE TABLE t (v UNIQUE)")
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try database.value("SELECT count(*) FROM t") == .integer(0))
        try database.transaction { try database.run("INSERT INTO t VALUES (1), (2)") }
        #expect(database.changes == 2 && database.lastRow == 2)
        #expect(throws: SQLiteError.self) {
            try database.transaction { try database.run("INSERT INTO t VALUES (3), (1)") }
        }
        #expect(try database.rows("SELECT v FROM t ORDER BY v") == [[.integer(1)], [.integer(2)]])
    }

    @Test("each schema migration runs once, and a failed one is rolled back")
    func migrations() throws {
        let folder = try Folder()
        let first = [["CREATE TABLE t (v)", "INSERT INTO t VALUES (1)"]]
        try Database(folder.file).migrate(first)
        try Database(folder.file).migrate(first)
        #expect(throws: SQLiteError.self) {
            try Database(folder.file).migrate(first + [["INSERT INTO t VALUES (2)", "INSERT INTO nowhere VALUES (3)"]])
        }
        #expect(try Database(folder.file).value("SELECT group_concat(v) FROM t") == .text("1"))
        try Database(folder.file).migrate(first + [["ALTER TABLE t ADD COLUMN w"], ["INSERT INTO t VALUES (2, 3)"]])
        #expect(
            try Database(folder.file).rows("SELECT v, w FROM t ORDER BY v") == [
                [.integer(1), .null], [.integer(2), .integer(3)],
            ]
        )
        #expect(try Database(folder.file).schemaVersion() == 3)
        let error = #expect(throws: SQLiteError.self) { try Database(folder.file).migrate(first) }
        #expect(error?.message.contains("later") == true)
    }

    @Test("a file that is not a database is rejected, and so is a missing folder")
    func refusals() throws {
        let folder = try Folder()
        try "This is a text that is long enough to be read as the first page of a database."
            .write(toFile: folder.file, atomically: true, encoding: .utf8)
        let text = #expect(throws: SQLiteError.self) { try Database(folder.file) }
        #expect(text?.kind == .noDatabase)
        let nowhere = #expect(throws: SQLiteError.self) { try Database(folder.path + "/none/test.sqlite") }
        #expect(nowhere?.kind == .cannotOpen)
    }

    @Test("a wrong number of values and an invalid statement are rejected")
    func misuse() throws {
        let database = try Database(Database.inMemory)
        #expect(throws: SQLiteError.self) { try database.run("SELECT ?, ?", [.integer(1)]) }
        #expect(throws: SQLiteError.self) { try database.run(" -- nothing") }
        #expect(throws: SQLiteError.self) { try database.run("SELEKT 1") }
    }
}
