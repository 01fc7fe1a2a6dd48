import Conformance
import Preflight
import ReferenceProvider
import Testing

/// That a provider is judged the same every time, however many conversations are held at once and however slow it is.
@Suite("Sameness")
struct SamenessTests {
    /// How many conversations at once, and how long each answer takes: ten runs of each persona.
    private static let ways: [(concurrency: Int, delay: Double)] =
        Array(repeating: [(8, 0), (8, 0.015), (1, 0)], count: 3).flatMap(\.self) + [(1, 0.015)]

    @Test("ten runs come to the same verdicts", arguments: Persona.allCases)
    func runs(persona: Persona) async throws {
        var first: [CheckID: String]?
        for way in Self.ways {
            let report =
                try await Laboratory.collect(
                    persona,
                    delay: way.delay,
                    mistake: { $0.concurrency = way.concurrency }
                )
                .report
            let verdicts = Dictionary(uniqueKeysWithValues: report.entries.map { ($0.id, $0.verdict.word) })
            guard let known = first else {
                first = verdicts
                continue
            }
            let others = verdicts.filter { known[$0.key] != $0.value }
                .map { "\($0.key): \(known[$0.key] ?? "") became \($0.value)" }
            #expect(others.isEmpty, "\(way): \(others.sorted())")
        }
    }
}
