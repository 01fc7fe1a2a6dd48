import Foundation
import Fuzzing
import Testing

/// The short, fixed form of `make fuzz`: inputs that once broke a parser, and some hundred mutations, the same in every run.
///
/// Only `make fuzz` bounds the time per text.
@Suite(.timeLimit(.minutes(5))) struct FuzzTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/fuzz")

    @Test(arguments: FuzzTarget.all)
    func `no text breaks a parser`(target: FuzzTarget) {
        let found = target.found(in: Self.folder)
        for (name, bytes) in target.texts.map({ ("a sound text", $0) }) + found {
            let problem = target.contradiction(bytes)
            #expect(problem == nil, "\(name)")
        }
        var mutator = target.mutator(found, seed: 1)
        for number in 1...300 {
            let text = mutator.next()
            let problem = target.contradiction(text)
            #expect(problem == nil, "mutation \(number): \(String(decoding: text.prefix(400), as: UTF8.self))")
            if problem != nil { return }
        }
    }

    @Test func `every folder of found cases is of a parser that is fuzzed`() {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
        let names = Set(FuzzTarget.all.map(\.name))
        for folder in folders where !folder.hasPrefix(".") && folder != "README.md" { #expect(names.contains(folder)) }
    }
}
