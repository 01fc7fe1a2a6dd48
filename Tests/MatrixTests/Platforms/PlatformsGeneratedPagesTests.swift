import Conformance
import Foundation
import ReferenceProvider
import Testing

@Suite("Platforms, GeneratedPages")
struct PlatformsGeneratedPagesTests {
    private static let page = ExampleRecord.repository.appendingPathComponent("Documentation/Platforms.md")

    @Test("the page of platforms is what the runs of every provider for every platform come to")
    func isCurrent() async throws {
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
        let text = PlatformsPage.text(providers)
        if ExampleRecord.isRecording { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
        let committed = (try? String(contentsOf: Self.page, encoding: .utf8)) ?? ""
        let difference = text.split(separator: "\n").filter { !committed.contains($0) }.prefix(5)
        let isCurrent = committed == text
        #expect(isCurrent, "Documentation/Platforms.md is stale; write it anew with: make examples\n\(difference)")
    }
}
