import Foundation
import Testing

/// The code on the pages is compiled and run in the example package.
@Suite(.timeLimit(.minutes(5))) struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private struct Block {
        let source: String?
        let text: String
    }

    /// The blocks of Swift, with the file that the comment before each names.
    private static func blocks(of page: String) -> [Block] {
        var blocks: [Block] = []
        var source: String?
        var lines: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = lines {
                guard line == "```" else {
                    lines = open + [line]
                    continue
                }
                blocks.append(Block(source: source, text: open.joined(separator: "\n")))
                (source, lines) = (nil, nil)
            } else if let match = line.wholeMatch(of: #/<!-- from: (.+) -->/#) {
                source = String(match.1)
            } else if line == "```swift" {
                lines = []
            }
        }
        return blocks
    }

    @Test(
        arguments: [
            ("Sources/OIDCPreflight/OIDCPreflight.docc/TestYourOwnServer.md", 3),
            ("Sources/OIDCPreflight/OIDCPreflight.docc/JudgeAToken.md", 2),
            ("Sources/OIDCPreflight/OIDCPreflight.docc/EmbedInAService.md", 1), ("Documentation/Library.md", 1),
        ]
    )
    func `the example package contains every block of a page`(_ page: String, _ count: Int) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        let blocks = Self.blocks(of: text)
        #expect(blocks.count == count)
        for block in blocks {
            let source = try #require(block.source, "\(page) does not say which file this is from:\n\(block.text)")
            let file = Self.root.appendingPathComponent("Examples/OwnServerTests/\(source)")
            let isThere = try String(contentsOf: file, encoding: .utf8).contains(block.text)
            #expect(isThere, "\(page) shows what \(source) does not hold:\n\(block.text)")
        }
    }

    @Test func `every article is on the landing page`() throws {
        let folder = Self.root.appendingPathComponent("Sources/OIDCPreflight/OIDCPreflight.docc")
        let landing = try String(contentsOf: folder.appendingPathComponent("OIDCPreflight.md"), encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "OIDCPreflight.md" {
            #expect(landing.contains("<doc:\(name.dropLast(3))>"))
        }
    }
}
