import Conformance
import Foundation
import Profiles
import ReferenceProvider
import Testing

/// A profile is one file and a row of `PlatformGateTests`; this suite reports missing parts.
@Suite("Parts of a profile", .timeLimit(.minutes(5)))
struct ProfileCompanionTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
    }

    private static let files =
        ((try? FileManager.default.contentsOfDirectory(atPath: repository.appendingPathComponent("Profiles").path))
        ?? [])
        .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }.sorted()

    @Test("every file is embedded and listed, and every listed profile has a file")
    func lists() throws {
        let listed = ProfileLibrary.builtIn.map(\.name)
        #expect(listed.sorted() == Self.files)
        // The embedded text is the file of that name, byte by byte.
        for profile in ProfileLibrary.builtIn {
            #expect(try profile.yaml == Self.text("Profiles/\(profile.name).yaml"), "\(profile.name)")
        }
    }

    @Test("every profile has its file's name, and a row in the table of gates", arguments: files)
    func pages(name: String) throws {
        #expect(try ProfileLibrary { _ in [] }.profile(name).name == name)
        let gates = "Tests/Fixtures/platform-gates.txt"
        #expect(try Self.text(gates).contains("| `\(name)` |"), "\(gates)")
    }

    /// The endpoints of x-oauth2 are those of X; `OAuth1EvidenceTests` runs it against a provider with configured endpoints.
    private static let tried = Set(
        PlatformGateTests.rows.map(\.profile) + DocumentPlatformTests.rows.map(\.profile)
            + Persona.allCases.map(\.profile) + ["x-oauth2"]
    )

    @Test("the gate of every profile is tested with a provider that fits it", arguments: files)
    func gate(name: String) {
        #expect(Self.tried.contains(name), "PlatformGateTests has no row for \(name)")
    }
}
