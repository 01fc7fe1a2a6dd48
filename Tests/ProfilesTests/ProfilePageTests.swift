import Conformance
import Foundation
import Profiles
import Testing

/// `Documentation/Profiles.md` names all that a profile may be or state.
@Suite("The page of the profiles")
struct ProfilePageTests {
    private static let page = try? String(
        contentsOf: URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Profiles.md"),
        encoding: .utf8
    )

    @Test("every built-in profile has a row", arguments: ProfileLibrary.builtIn.map(\.name))
    func profile(name: String) throws {
        let rows = try #require(Self.page).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let isThere = rows.contains { $0.split(separator: "|").first?.contains("`\(name)`") == true }
        #expect(isThere, "Documentation/Profiles.md has no row for \(name)")
    }

    @Test("every rule has a row", arguments: PlatformRule.Name.allCases)
    func rule(name: PlatformRule.Name) throws {
        let rows = try #require(Self.page).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let isThere = rows.contains { $0.split(separator: "|").first?.contains("`\(name.rawValue)`") == true }
        #expect(isThere, "Documentation/Profiles.md has no row for the rule \(name.rawValue)")
    }

    @Test("every feature is named", arguments: Feature.allCases)
    func feature(feature: Feature) throws {
        let isThere = try #require(Self.page).contains("`\(feature.rawValue)`")
        #expect(isThere, "Documentation/Profiles.md does not name the feature \(feature.rawValue)")
    }
}
