import Foundation
import TestSupport
import Testing

/// `demo` is the first thing that a new user runs.
@Suite("Demonstrations", .phase(.programs), .timeLimit(.minutes(5)))
struct DemonstrationTests {
    @Test(
        "a provider of the world is shown with the verdict that is expected of it",
        arguments: [
            ("twitter", "three faults:"), ("yahoo", "three faults:"), ("apple", "one fault:"), ("google", "one fault:"),
            ("line", "fault"), ("cognito", "fault"), ("linkedin", "fault"),
        ]
    )
    func demonstration(persona: String, count: String) async throws {
        let result = try await Program.spawn(["demo", "--persona", persona])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Gate "))
        #expect(result.output.contains(count), "\(result.output)")
        // Every fault that is announced is found, whatever it weighs.
        let announced = result.output.matches(of: #/\n  - /#).count
        let counts = result.output.matches(of: #/\n(?:BLOCKING: [a-z -]+|[A-Z ]+, not blocking) \((\d+)\)/#)
        let found = counts.compactMap { Int($0.output.1) }.reduce(0, +)
        #expect(announced > 0 && found >= announced, "\(result.output)")
        #expect(result.output.contains("Both verdicts are as expected."))
    }

    @Test("demo --persona github shows an open and a closed gate")
    func github() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.spawn(["demo", "--persona", "github", "--report-dir", folder.path])
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Both verdicts are as expected."))
        #expect(result.output.contains("platform.user-api.subject-is-stable"))
        for file in ["faultless/report.json", "faults/report.txt"] { #expect(try !folder.read(file).isEmpty) }
    }
}
