import Conformance
import Testing

@Suite("The provider's clock", .timeLimit(.minutes(5)))
struct ClockTests {
    private static let five: CheckID = "discovery.clock.is-within-five-seconds"
    private static let minute: CheckID = "discovery.clock.is-within-a-minute"

    @Test(
        "the clock error decides which one of the two checks fails",
        arguments: [
            (0.0, []), (-4, []), (3, []), (6, [five]), (-30, [five]), (59, [five]), (61, [minute]), (-7_200, [minute]),
        ] as [(Double, Set<CheckID>)]
    )
    func skews(skew: Double, expected: Set<CheckID>) {
        #expect(failures(date: HTTPDate.text(DocumentProvider.now + skew), age: nil) == expected)
    }

    @Test("Age is added to the date of a cached response")
    func cached() {
        let written = HTTPDate.text(DocumentProvider.now - 3_000)
        #expect(failures(date: written, age: "3000").isEmpty)
        #expect(failures(date: written, age: nil) == [Self.minute])
    }

    @Test("an unreadable date fails only the check of the header")
    func unreadable() {
        #expect(failures(date: "Tuesday", age: nil) == ["discovery.clock.is-stated"])
    }

    private func failures(date: String, age: String?) -> Set<CheckID> {
        var evidence = DocumentProvider().evidence
        for index in evidence.exchanges.indices {
            evidence.exchanges[index].startedAt = DocumentProvider.now
            evidence.exchanges[index].response?.headers = [Field("Date", date)] + (age.map { [Field("Age", $0)] } ?? [])
        }
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        let checks = StaticChecks.all.filter { $0.id.rawValue.hasPrefix("discovery.clock.") }
        return Set(checks.filter { !$0.judge(facts).findings.isEmpty }.map(\.id))
    }
}
