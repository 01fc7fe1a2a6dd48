import Catalogue
import Conformance
import Foundation
import Testing

@Suite("Checks missing from the catalogue", .timeLimit(.minutes(5)))
struct OrphanTests {
    @Test("every check declared in the catalogue's sources is in the catalogue")
    func everyDeclarationIsListed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Catalogue").path
        var declared: Set<String> = []
        for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for match in text.matches(of: /Check\(\s*"([a-z0-9.-]+)"/) { declared.insert(String(match.output.1)) }
        }
        let listed = Set(Catalogue.all.map(\.id.rawValue))
        #expect(!declared.isEmpty)
        #expect(declared.subtracting(listed).isEmpty, "declared and in no list")
    }
}
