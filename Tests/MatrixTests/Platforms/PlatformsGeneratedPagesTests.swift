import Conformance
import Foundation
import ReferenceProvider
import TestSupport
import Testing

@Suite("Platforms, GeneratedPages", .phase(.sockets), .timeLimit(.minutes(20)))
struct PlatformsGeneratedPagesTests {
    private static let gates = ExampleRecord.repository.appendingPathComponent("Tests/Fixtures/platform-gates.txt")
    /// The folder into which `make site` writes.
    private static let site = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_SITE"]

    @Test("every provider has the recorded gate at every platform")
    func gates() async throws {
        let columns = try await withThrowingTaskGroup(of: (Persona, [Report]).self) { group in
            for persona in PlatformMatrix.personas {
                group.addTask { (persona, try await PlatformMatrix.reports(persona)) }
            }
            return try await group.reduce(into: [Persona: [Report]]()) { $0[$1.0] = $1.1 }
        }
        let providers = PlatformMatrix.personas.compactMap { persona in
            columns[persona].map { PlatformsPage.Provider(persona: persona, reports: $0) }
        }
        #expect(providers.count == PlatformMatrix.personas.count)
        #expect(providers.allSatisfy { $0.reports.count == PlatformMatrix.platforms.count })
        if let site = Self.site {
            let page = URL(fileURLWithPath: site).appendingPathComponent("Documentation/Personas.md")
            try PlatformsPage.text(providers).write(to: page, atomically: true, encoding: .utf8)
        }
        let table = PlatformsPage.matrix(providers) + "\n"
        if ExampleRecord.isRecording { try table.write(to: Self.gates, atomically: true, encoding: .utf8) }
        let recorded = try String(contentsOf: Self.gates, encoding: .utf8)
        let changed = table.split(separator: "\n").filter { !recorded.contains($0) }
        let isCurrent = recorded == table
        #expect(isCurrent, "\(Self.gates.lastPathComponent) is stale; regenerate it with: make examples\n\(changed)")
    }
}
