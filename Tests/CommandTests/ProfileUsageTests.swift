import Foundation
import Testing

@Suite("Profiles on the command line", .timeLimit(.minutes(5)))
struct ProfileUsageTests {
    @Test(
        "a mistake in a profile exits with 64 before any request, wherever the profile is named",
        arguments: [
            ["check", "https://a.invalid", "--profile"], ["profiles", "show"], ["checks", "list", "--profile"],
        ]
    )
    func mistake(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let text = "name: mine\nextends: openid\nadjust:\n  - { check: keys.kid.is-uniqe, drop: true, because: no }\n"
        let file = try folder.file("mine.yaml", text)
        let result = try await Program.run(arguments + [file])
        #expect(result.code == 64)
        #expect(result.errors.contains("mine.yaml:4:14: no check matches “keys.kid.is-uniqe”"), "\(result.errors)")
        #expect(result.errors.contains("did you mean “keys.kid.is-unique”?"), "\(result.errors)")
    }

    @Test("a profile lists a dropped check with its reason")
    func dropped() async throws {
        let folder = try TemporaryFolder()
        let text = "name: mine\nextends: openid\nadjust:\n  - { check: keys.*, drop: true, because: we pin them }\n"
        let result = try await Program.run(["profiles", "show", try folder.file("mine.yaml", text)])
        #expect(result.code == 0)
        #expect(result.output.contains("  keys.*: dropped\n    because we pin them\n"), "\(result.output)")
    }
}
