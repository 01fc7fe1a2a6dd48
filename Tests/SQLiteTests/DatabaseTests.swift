import Foundation
import OtherPrograms
import SQLite
import TestSupport
import Testing

/// A folder that goes with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "sqlite-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/test.sqlite" }
}

/// The oracle: SQLite's own command line, which shares the library and nothing of the adapter.
private func sqlite3(_ file: String, _ text: String) async throws -> String {
    let outcome = try await OtherProgram.run("sqlite3", [file, text])
    #expect(outcome.isSuccess, "\(outcome.words)")
    return outcome.text
}

@Suite("A database", .timeLimit(.minutes(5)))
struct DatabaseTests {
    @Test(
        "gives back every value as it was bound, and the command line reads the same",
        .oracle(.program("sqlite3")),
        arguments: [
            (SQLValue.null, "null|NULL\n"), (.integer(.min), "integer|-9223372036854775808\n"),
            (.integer(7), "integer|7\n"), (.real(0.5), "real|0.5\n"), (.text(""), "text|''\n"),
            (.text("O'Brien; DROP TABLE t -- \u{1F511}"), "text|'O''Brien; DROP TABLE t -- \u{1F511}'\n"),
            (.blob([]), "blob|X''\n"), (.blob([0, 255, 10]), "blob|X'00FF0A'\n"),
        ]
    )
    func values(value: SQLValue, told: String) async throws {
        let folder = try Folder()
        let database = try Database(folder.file)
        try database.run("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (?)", [value])
        #expect(try database.rows("SELECT v FROM t") == [[value]])
        #expect(try await sqlite3(folder.file, "SELECT typeof(v), quote(v) FROM t") == told)
    }

    @Test("keeps the NUL within a text")
    func nul() throws {
        let database = try Database(Database.inMemory)
        #expect(try database.value("SELECT ?", [.text("a\u{0}b")]) == .text("a\u{0}b"))
    }

    @Test(
        "is kept in write-ahead mode with foreign keys, and others read while it is written to",
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

    @Test("keeps all of a transaction, or nothing")
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

    @Test("takes each step of the schema once, and a step that fails not at all")
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

    @Test("is no other file, and not in a folder that is not there")
    func refusals() throws {
        let folder = try Folder()
        try "This is a text that is long enough to be taken for the first page of a database."
            .write(
                toFile: folder.file,
                atomically: true,
                encoding: .utf8
            )
        let text = #expect(throws: SQLiteError.self) { try Database(folder.file) }
        #expect(text?.kind == .noDatabase)
        let nowhere = #expect(throws: SQLiteError.self) { try Database(folder.path + "/none/test.sqlite") }
        #expect(nowhere?.kind == .cannotOpen)
    }

    @Test("refuses a wrong number of values, and what is no statement")
    func misuse() throws {
        let database = try Database(Database.inMemory)
        #expect(throws: SQLiteError.self) { try database.run("SELECT ?, ?", [.integer(1)]) }
        #expect(throws: SQLiteError.self) { try database.run(" -- nothing") }
        #expect(throws: SQLiteError.self) { try database.run("SELEKT 1") }
    }
}
