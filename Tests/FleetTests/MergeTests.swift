import Conformance
import Fleet
import Foundation
import OtherPrograms
import TestSupport
import Testing

@Suite("Joining results", .timeLimit(.minutes(5)))
struct MergeTests {
    /// Results as shards and their retries leave them: some issuers twice, some in another run, heads of shards among them.
    private func files(_ chance: inout Chance, in folder: Folder) throws -> [String] {
        try (0..<3)
            .map { number in
                var lines = [
                    Journal.Head(run: "night", shard: Shard(index: number, count: 4) ?? .whole, issuers: 6, list: "l")
                        .line
                ]
                for _ in 0..<8 {
                    let gates: [Report.Gate] = [.open, .closed, .inconclusive]
                    let record = FleetRecord.sample(
                        "https://i\(Int.random(in: 0..<10, using: &chance)).example",
                        run: Bool.random(using: &chance) ? "night" : "day",
                        at: Double(Int.random(in: 0..<3, using: &chance)),
                        gate: gates[Int.random(in: 0..<3, using: &chance)]
                    )
                    lines.append(record.line)
                }
                return try folder.file("part-\(number).jsonl", lines.joined(separator: "\n") + "\n")
            }
    }

    private func merged(_ files: [String], _ folder: Folder) throws -> String {
        var bytes: [UInt8] = []
        _ = try FleetMerge.lines(of: files) { bytes += $0 }
        return try folder.file(UUID().uuidString, String(decoding: bytes, as: UTF8.self))
    }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    @Test("is associative, commutative and idempotent, byte for byte", arguments: 1...40)
    func laws(seed: UInt64) throws {
        var chance = Chance(seed)
        let folder = try Folder()
        let parts = try files(&chance, in: folder)
        let (a, b, c) = (parts[0], parts[1], parts[2])
        let all = try text(merged([a, b, c], folder))
        #expect(try text(merged([merged([a, b], folder), c], folder)) == all, "seed \(seed): associative on the left")
        #expect(
            try text(merged([a, merged([b, c], folder)], folder)) == all,
            "seed \(seed): associative on the right"
        )
        #expect(try text(merged(parts.shuffled(using: &chance), folder)) == all, "seed \(seed): commutative")
        let once = try merged(parts, folder)
        #expect(try text(merged([once, once, a], folder)) == all, "seed \(seed): idempotent")
    }

    @Test(
        "a database has the same content, whatever the order and repetition of results",
        .oracle(.program("sqlite3")),
        arguments: 1...8
    )
    func database(seed: UInt64) async throws {
        var chance = Chance(seed)
        let folder = try Folder()
        let parts = try files(&chance, in: folder)
        func add(_ files: [String], _ name: String) throws {
            let store = try FleetStore(folder.path + "/" + name)
            for file in files { try store.add { add in try FleetMerge.read(file) { line, _ in try add(line) } } }
        }
        try add(parts, "a")
        try add(parts.reversed() + parts.shuffled(using: &chance), "b")
        // By names and not by numbers, which are those of the order.
        let query = """
            SELECT r.name, r.started_at, r.ended_at, i.issuer, x.sha256, x.started_at, o.sha256, o.gate, o.closing, d.sha256, k.sha256
            FROM result x JOIN run r ON r.id = x.run JOIN issuer i ON i.id = x.issuer JOIN outcome o ON o.id = x.outcome
            JOIN document d ON d.id = x.discovery JOIN document k ON k.id = x.keys ORDER BY 1, 4;
            SELECT r.name, s.shard, s.issuers, s.list FROM shard s JOIN run r ON r.id = s.run ORDER BY 1, 2;
            PRAGMA integrity_check; PRAGMA foreign_key_check;
            """
        let one = try await OtherProgram.run("sqlite3", [folder.path + "/a", query])
        let other = try await OtherProgram.run("sqlite3", [folder.path + "/b", query])
        #expect(one.isSuccess && one.text == other.text, "seed \(seed)\n\(one.words)\n\(other.words)")
        #expect(one.text.contains("\nok\n"))
        // Both forms keep the same records.
        let kept = try text(merged(parts, folder)).split(separator: "\n").filter { $0.contains("\"type\":\"result\"") }
        for line in kept { #expect(one.text.contains(Digest.sha256(Array(line.utf8))), "seed \(seed)") }
        #expect(one.text.split(separator: "\n").count { $0.contains("|https://") } == kept.count)
    }

    @Test("says which shards and how many issuers are missing")
    func missing() throws {
        let folder = try Folder()
        let head = Journal.Head(run: "night", shard: try #require(Shard("2/3")), issuers: 5, list: "l")
        let file = try folder.file("a", head.line + "\n" + FleetRecord.sample().line + "\n" + "{\"type\":\"resu")
        let sum = try FleetMerge.lines(of: [file]) { _ in }
        #expect(sum.counts.all == 1 && sum.missing == 4)
        #expect(sum.absent == ["run night: 1/3", "run night: 3/3"])
    }

    @Test("rejects a line that is not a batch result, and reports its number")
    func foreign() throws {
        let folder = try Folder()
        let file = try folder.file("a", FleetRecord.sample().line + "\n{\"a\": 1}\n")
        let error = #expect(throws: FileError.self) { try FleetMerge.lines(of: [file]) { _ in } }
        #expect(error?.reason.contains("line 2") == true)
    }
}
