import Foundation
import OtherPrograms
import TestSupport
import Testing
import YAMLTree

/// The repository's own YAML files.
enum Files {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// By their path within the repository.
    static let all: [(path: String, bytes: [UInt8])] = {
        let folders = ["Profiles", "Reports/samples", "Tests/InteropTests", "Tests/Fixtures"]
        return folders.flatMap { folder -> [(path: String, bytes: [UInt8])] in
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            let paths = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
            return paths.compactMap { path in
                let data = try? Data(contentsOf: root.appending(path: "\(folder)/\(path)"))
                return data.map { ("\(folder)/\(path)", Array($0)) }
            }
        }
    }()
}

private let pyYAML = Oracle.python("yaml")

/// PyYAML with its own parser, which shares no code with libyaml.
@Suite("YAML, compared with PyYAML", .oracle(pyYAML), .timeLimit(.minutes(5)))
struct OracleTests {
    private struct Read: Decodable {
        let tree: [String]?
        let refused: String?
    }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "compose.py").path

    /// The result of PyYAML for each text.
    private func read(_ texts: [[UInt8]]) async throws -> [Read] {
        let python = try await pyYAML.path()
        let input = texts.map { $0.map { String(format: "%02x", $0) }.joined() + "\n" }.joined()
        let outcome = try await OtherProgram.run(python, [Self.script], input: input)
        #expect(outcome.isSuccess, "\(outcome.errors)")
        let read = try JSONDecoder().decode([Read].self, from: Data(outcome.output))
        try #require(read.count == texts.count)
        return read
    }

    @Test("every YAML file of the repository is read as the same tree")
    func files() async throws {
        try #require(Files.all.count >= 30)
        let read = try await read(Files.all.map(\.bytes))
        for (file, theirs) in zip(Files.all, read) {
            let ours = try Lines.of(YAML.parse(file.bytes))
            expectSame(ours, theirs.tree ?? [], file.path)
        }
    }

    @Test("unusual texts have the same result, except for the listed differences")
    func samples() async throws {
        let read = try await read(Sample.all.map(\.bytes))
        for (sample, theirs) in zip(Sample.all, read) {
            switch sample.outcome {
            case .tree: expectSame(try Lines.of(YAML.parse(sample.bytes)), theirs.tree ?? [], sample.name)
            case .elsewhere:
                let ours = try Lines.of(YAML.parse(sample.bytes))
                #expect(ours != theirs.tree, "\(sample.name)")
                expectSame(Lines.withoutPlaces(ours), Lines.withoutPlaces(theirs.tree ?? []), sample.name)
            case .refused, .refusedThere: #expect(theirs.refused != nil, "PyYAML accepts: \(sample.name)")
            case .refusedHere: #expect(theirs.tree != nil, "PyYAML also rejects: \(sample.name)")
            }
        }
    }

    private func expectSame(_ ours: [String], _ theirs: [String], _ name: String) {
        #expect(ours.count == theirs.count, "\(name)")
        for (mine, other) in zip(ours, theirs) { #expect(mine == other, "\(name)") }
    }
}

/// A tree as `compose.py` writes it.
enum Lines {
    static func of(_ node: YAML, depth: Int = 0) -> [String] {
        let place = "\(node.place.line):\(node.place.column)"
        switch node.content {
        case .scalar(let scalar):
            let tag = scalar.isText ? "str" : scalar.tag?.rawValue ?? "?"
            return ["\(depth) scalar \(place) \(scalar.style) \(tag) \(scalar.text)"]
        case .sequence(let elements):
            return ["\(depth) sequence \(place)"] + elements.flatMap { of($0, depth: depth + 1) }
        case .mapping(let entries):
            return ["\(depth) mapping \(place)"]
                + entries.flatMap { of($0.key, depth: depth + 1) + of($0.value, depth: depth + 1) }
        }
    }

    static func withoutPlaces(_ lines: [String]) -> [String] {
        lines.map { $0.replacing(/^(\d+ \w+) \d+:\d+/) { $0.output.1 } }
    }
}
