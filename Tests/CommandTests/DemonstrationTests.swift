import Foundation
import Testing

/// `demo` is the first thing that a new user runs.
@Suite("Demonstrations")
struct DemonstrationTests {
    @Test(
        "a provider of the world is shown with the verdict that is expected of it",
        arguments: ["twitter", "yahoo", "line", "cognito"]
    )
    func demonstration(persona: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(["demo", "--persona", persona, "--output", folder.path])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Gate "))
    }
}
