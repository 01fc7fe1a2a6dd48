import Conformance
import Foundation
import Profiles
import Testing

/// `Documentation/Profiles.md` names all that a profile may be or state.
@Suite("The page of the profiles", .timeLimit(.minutes(5)))
struct ProfilePageTests {
    private static let page = try? String(
        contentsOf: URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Profiles.md"),
        encoding: .utf8
    )

    @Test("the rules stand there with what they compare with, as they are declared")
    func rules() throws {
        let rows = PlatformRule.known.map { "| `\($0.name)` | \(Self.word($0.kind)) | \($0.demanded) |" }
        let table = (["| rule | value | demanded is |", "| --- | --- | --- |"] + rows).joined(separator: "\n") + "\n\n"
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

    @Test("every rule that is declared is one that a profile can state")
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

    @Test("every feature is named", arguments: Feature.allCases)
    func feature(feature: Feature) throws {
        let isThere = try #require(Self.page).contains("`\(feature.rawValue)`")
        #expect(isThere, "Documentation/Profiles.md does not name the feature \(feature.rawValue)")
    }
}
