import FoundationEssentials
import JOSE
import JSONTree
import TestSupport
import Testing

/// The vector files, found beside this file in the source tree.
enum Fixtures {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures/jose")

    static func json(_ path: String) throws -> JSON {
        let data = try Data(contentsOf: folder.appending(path: path))
        return try JSONDocument.parse(data, depthLimit: 32).root
    }
}

/// Counts and prints the results of a file of vectors.
struct Tally {
    let file: String
    private(set) var run = 0
    private(set) var skipped: [(id: String, reason: String)] = []
    private(set) var overruled: [(id: String, reason: String)] = []

    init(_ file: String) {
        self.file = file
    }

    /// Runs one vector: it must succeed or be rejected, as expected.
    mutating func judge(_ id: String, accepts: Bool, _ body: () throws(JOSEError) -> Void) {
        run += 1
        do throws(JOSEError) {
            try body()
            if !accepts { Issue.record("\(file) \(id) was accepted") }
        } catch {
            if accepts { Issue.record("\(file) \(id) was refused: \(error)") }
        }
    }

    mutating func skip(_ id: String, _ reason: String) { skipped.append((id, reason)) }

    /// Records that our result differs from the file's on purpose, and why.
    mutating func overrule(_ id: String, _ reason: String) { overruled.append((id, reason)) }

    /// Prints the counts and expects them to be the pinned ones.
    func expect(run expectedRun: Int, skipped expectedSkipped: Int = 0, overruled expectedOverruled: Int = 0) {
        print("vectors: \(file): \(run) run, \(skipped.count) skipped, \(overruled.count) overruled")
        for (verb, rows) in [("skipped", skipped), ("overruled", overruled)] {
            for reason in rows.map(\.reason).uniqued {
                let ids = rows.filter { $0.reason == reason }.map(\.id)
                let shown = ids.count > 12 ? "\(ids.count) vectors" : ids.joined(separator: " ")
                print("vectors:   \(verb): \(shown): \(reason)")
            }
        }
        #expect(run == expectedRun)
        #expect(skipped.count == expectedSkipped)
        #expect(overruled.count == expectedOverruled)
    }
}

extension Array where Element == String {
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// One vector of a Wycheproof file, with its group.
struct WycheproofVector {
    let group: JSON
    let test: JSON

    var id: String { "tcId \(test["tcId"]?.integerValue ?? 0)" }
    var number: Int64 { test["tcId"]?.integerValue ?? 0 }
    var result: String { test["result"]?.stringValue ?? "" }
    var flags: [String] { test["flags"]?.strings ?? [] }
    /// The key or key set to verify with: the public one, or the symmetric one.
    var verificationKey: JSON { group["public"] ?? group["private"] ?? .null }

    static func all(_ file: String) async throws -> [WycheproofVector] {
        let bytes = try await Fixture.bytes("jose/wycheproof/\(file).gz")
        let root = try JSONDocument.parse(bytes, depthLimit: 32).root
        let vectors = (root["testGroups"]?.arrayValue ?? [])
            .flatMap { group in
                (group["tests"]?.arrayValue ?? []).map { WycheproofVector(group: group, test: $0) }
            }
        #expect(Int64(vectors.count) == root["numberOfTests"]?.integerValue)
        return vectors
    }
}

extension [UInt8] {
    init(hex: String) {
        let digits = [UInt8](hex.utf8).map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
