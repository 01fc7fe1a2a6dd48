import Foundation
import Testing

/// The answers to mistyped command lines: Tests/Fixtures/usage-errors.txt has each command line after `$`, and its messages below it.
@Suite("Usage errors, Samples", .timeLimit(.minutes(5)))
struct UsageErrorSamplesTests {
    private static let file = "Tests/Fixtures/usage-errors.txt"

    @Test("a mistyped command line ends with exit code 64, and its messages on standard error")
    func answers() async throws {
        let folder = try TemporaryFolder()
        let committed = try String(contentsOf: CommittedFile.root.appendingPathComponent(Self.file), encoding: .utf8)
        let lines = committed.split(separator: "\n").filter { $0.hasPrefix("$ oidc-preflight ") }
        #expect(lines.count > 80)
        var text = ""
        for line in lines {
            let words = line.split(separator: " ").dropFirst(2).map { $0 == "''" ? "" : String($0) }
            let result = try await Program.run(words, in: folder.path)
            #expect(result.code == 64, "\(line)")
            #expect(result.output.isEmpty, "\(line): \(result.output)")
            let errors = result.errors.split(separator: "\n")
            let hints = errors.suffix(2)
                .filter { $0.hasPrefix("usage: oidc-preflight ") || $0.hasPrefix("help:  oidc-preflight ") }
            #expect(hints.count != 1, "\(line): usage and help stand together")
            let messages = errors.dropLast(hints.count).map { String($0).replacing(#/^oidc-preflight: /#, with: "") }
            #expect(!messages.isEmpty, "\(line)")
            text += ([String(line)] + messages).joined(separator: "\n") + "\n"
        }
        try CommittedFile.expect(text, in: Self.file)
    }
}
