import Conformance
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// The results for a provider are the same in every run, whatever the concurrency and the delay.
@Suite("Determinism", .phase(.sockets), .timeLimit(.minutes(20)))
struct SamenessTests {
    /// The concurrency and the delay of each of the ten runs per persona.
    private static let ways: [(concurrency: Int, delay: Double)] =
        Array(repeating: [(8, 0), (8, 0.015), (1, 0)], count: 3).flatMap(\.self) + [(1, 0.015)]

    /// The kinds of provider, and the real ones whose scenario differs: plain OAuth, OAuth 1.0a, and no session.
    private static let personas = Persona.allCases.filter { !$0.isNamed } + [.github, .twitter, .spid, .tara]

    @Test("ten runs have the same results", arguments: personas)
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
            let others = Self.differences(known, verdicts)
            #expect(others.isEmpty, "\(way): \(others)")
        }
    }

    @Test("a rejected password has the same results, whichever flow sends it")
    func refusedPassword() async throws {
        let username = Persona.standard.credentials.username
        var seen: [[CheckID: String]] = []
        for flows: [ResponseType] in [["code", "id_token"], ["id_token", "code"]] {
            let report =
                try await Laboratory.collect(
                    .standard,
                    mistake: { configuration in
                        configuration.signIn(as: username, password: Secret("not-the-password"))
                        configuration.target.flows = flows
                        // One at a time, so that the first of them is known.
                        configuration.concurrency = 1
                    }
                )
                .report
            #expect(report.causes.map(\.signInStep) == [.signIn])
            seen.append(Dictionary(uniqueKeysWithValues: report.entries.map { ($0.id, $0.verdict.word) }))
        }
        #expect(Self.differences(seen[0], seen[1]) == [])
    }

    private static func differences(_ left: [CheckID: String], _ right: [CheckID: String]) -> [String] {
        right.filter { left[$0.key] != $0.value }.map { "\($0.key): \(left[$0.key] ?? "") became \($0.value)" }.sorted()
    }
}
