import Conformance
import Foundation
import Testing

/// `Documentation/Profiles.md` lists every rule and feature of profiles.
@Suite("Documentation of profiles", .timeLimit(.minutes(5)))
struct ProfilePageTests {
    private static let page = try? String(
        contentsOf: URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Profiles.md"),
        encoding: .utf8
    )

    @Test("the table of rules matches the declared rules")
    func rules() throws {
        let rows = PlatformRule.known.map { "| `\($0.name)` | \(Self.word($0.kind)) | \($0.demanded) |" }
        let table = (["| rule | value | requirement |", "| --- | --- | --- |"] + rows).joined(separator: "\n") + "\n\n"
        #expect(try #require(Self.page).contains(table), "the table of the rules is to read:\n\(table)")
    }

    private static func word(_ kind: PlatformRule.Kind) -> String {
        switch kind {
        case .words: "list"
        case .text: "text"
        case .pattern: "pattern"
        case .number: "number"
        case .stated: "true"
        }
    }

    @Test("a profile can state every declared rule")
    func everyRuleIsKnown() throws {
        let source = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Sources/Conformance/Judging/Rules.swift"),
            encoding: .utf8
        )
        let declared = source.matches(of: /static var (\w+): Self/).map { String($0.1) }
        let listed = source.matches(of: /KnownRule\(\.(\w+)\)/).map { String($0.1) }
        #expect(declared.count > 50 && Set(declared) == Set(listed) && declared.count == listed.count)
    }

    @Test("the page names every feature", arguments: Feature.allCases)
    func feature(feature: Feature) throws {
        let isThere = try #require(Self.page).contains("`\(feature.rawValue)`")
        #expect(isThere, "Documentation/Profiles.md does not name the feature \(feature.rawValue)")
    }
}
