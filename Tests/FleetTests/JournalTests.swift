import Conformance
import Fleet
import Foundation
import Testing

@Suite("The results as a journal", .timeLimit(.minutes(5)))
struct JournalTests {
    private let head = Journal.Head(run: "night", shard: .whole, issuers: 3, list: "list")

    private func open(
        _ path: String,
        _ head: Journal.Head? = nil,
        isRunNamed: Bool = true
    ) throws -> (Journal, [String]) {
        var done: [String] = []
        let journal = try Journal(path, head: head ?? self.head, isRunNamed: isRunNamed) { done.append($0.issuer) }
        return (journal, done)
    }

    @Test("a record comes back as it was written")
    func record() throws {
        let record = FleetRecord.sample("https://a.example/\"\u{7}é", gate: .closed)
        let folder = try Folder()
        let file = try folder.file("a", record.line + "\n")
        var read: [FleetRecord] = []
        try ResultLines.read(file: file) { line, _ in if case .result(let record) = line { read.append(record) } }
        #expect(read == [record])
    }

    @Test("killed after any byte, it keeps every complete line, and continues after the last one")
    func killed() throws {
        let folder = try Folder()
        let whole = folder.path + "/whole"
        do {
            let (journal, _) = try open(whole)
            try journal.add(.sample("https://a.example"))
            try journal.add(.sample("https://b.example", gate: .closed))
        }
        let bytes = Array(try folder.text("whole").utf8)
        let ends = bytes.indices.filter { bytes[$0] == 10 }
        for length in stride(from: 0, through: bytes.count, by: 7) {
            let path = folder.path + "/cut"
            try Data(bytes.prefix(length)).write(to: URL(fileURLWithPath: path))
            let (journal, done) = try open(path)
            #expect(done.count == max(0, ends.count { $0 < length } - 1), "\(length) octets")
            try journal.add(.sample("https://c.example", gate: .inconclusive))
            #expect(journal.counts.all == done.count + 1)
            let lines = try folder.text("cut").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == done.count + 3 && lines.last == "", "\(length) octets")
        }
    }

    @Test("a second process cannot write to it, and results of another list are not continued")
    func refusals() throws {
        let folder = try Folder()
        let path = folder.path + "/results"
        do {
            let (journal, _) = try open(path)
            try journal.add(.sample())
            let busy = #expect(throws: FileError.self) { _ = try open(path) }
            #expect(busy?.reason.contains("another process") == true)
        }
        let others = [
            (Journal.Head(run: "night", shard: .whole, issuers: 3, list: "other"), "another list"),
            (Journal.Head(run: "day", shard: .whole, issuers: 3, list: "list"), "the run “night”"),
            (Journal.Head(run: "night", shard: try #require(Shard("1/2")), issuers: 3, list: "list"), "shard 1/1"),
        ]
        for (other, reported) in others {
            let error = #expect(throws: FileError.self) { _ = try open(path, other) }
            #expect(error?.reason.contains(reported) == true, "\(String(describing: error))")
        }
        // A run without a name has that of the file.
        let (journal, done) = try open(path, others[1].0, isRunNamed: false)
        #expect(journal.head.run == "night" && done == ["https://idp.example.com"])
        let foreign = try folder.file("notes.txt", "not to be written to\n")
        #expect(throws: FileError.self) { _ = try open(foreign) }
        #expect(try folder.text("notes.txt") == "not to be written to\n")
    }
}
