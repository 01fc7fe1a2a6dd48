import Foundation
import Testing

/// Files that a page shows whole: what is read there is what the tests run.
@Suite("Files quoted in the documentation", .timeLimit(.minutes(5)))
struct QuotedFileTests {
    @Test(
        "a page shows the file as it is",
        arguments: ["README.md", "Documentation/Continuous-Integration.md", "Documentation/Sign-In.md"]
    )
    func pages(page: String) throws {
        let text = try String(contentsOf: CommittedFile.root.appendingPathComponent(page), encoding: .utf8)
        // <!-- file: PATH -->, and a block below it.
        let blocks = text.matches(of: #/<!-- file: ([^ ]+) -->\n(```[a-z]*)\n((?:(?!```).*\n)*)```/#)
        #expect(!blocks.isEmpty)
        var current = text
        for block in blocks.reversed() {
            let file = CommittedFile.root.appendingPathComponent(String(block.output.1))
            let content = try String(contentsOf: file, encoding: .utf8)
            current.replaceSubrange(block.output.3.startIndex..<block.output.3.endIndex, with: content)
        }
        try CommittedFile.expect(current, in: page)
    }
}
