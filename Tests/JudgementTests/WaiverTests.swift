import Conformance
import Testing

/// A finding that is accepted until a date.
@Suite(.timeLimit(.minutes(5))) struct WaiverTests {
    private static func waiver(_ check: CheckID, until: String? = nil) -> Waiver {
        Waiver(
            check: check,
            because: "test issuer",
            until: until.flatMap { CalendarDay($0) },
            source: "preflight.yaml:14"
        )
    }

    @Test(arguments: [nil, "2026-11-21", "2027-03-31"])
    func `a valid waiver keeps the failure and opens the gate`(_ until: String?) throws {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.a.a", until: until)]
        let report = bench.judge([.fixed("keys.a.a", .wrong), .fixed("keys.b.b", .passed)])
        let entry = try #require(report.entries.first)
        #expect(entry.waiver == bench.waivers[0])
        #expect(!entry.verdict.findings.isEmpty)
        #expect(!entry.closesGate)
        #expect(report.outcome.gate == .open)
        #expect(report.coverage.waived == 1)
        #expect(report.coverage.failed == 0)
        #expect(report.notes.isEmpty)
    }

    @Test func `an expired waiver has no effect, and the report says so`() {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.a.a", until: "2026-11-20")]
        let report = bench.judge([.fixed("keys.a.a", .wrong)])
        #expect(report.outcome.gate == .closed)
        #expect(report.entries[0].waiver == nil)
        #expect(
            report.notes == [
                "The waiver for keys.a.a (preflight.yaml:14) expired on 2026-11-20: the failure counts again."
            ]
        )
    }

    @Test func `one valid waiver of several is enough`() {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.a.a", until: "2026-11-20"), Self.waiver("keys.a.a")]
        let report = bench.judge([.fixed("keys.a.a", .wrong), .fixed("keys.b.b", .passed)])
        #expect(report.outcome.gate == .open)
        #expect(report.notes.isEmpty)
    }

    @Test(arguments: [
        (Verdict.passed, true), (.notApplicable("no key"), true), (.inconclusive("no answer"), false),
        (.notAttempted("lower tier"), false),
    ])
    func `a waiver that is no longer needed is reported, if that is known`(_ verdict: Verdict, _ isNamed: Bool) {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.a.a"), Self.waiver("keys.unknown.x")]
        let notes = bench.judge([.fixed("keys.a.a", verdict)]).notes
        #expect(notes.count == (isNamed ? 1 : 0))
        #expect(notes.allSatisfy { $0.contains("is no longer needed") })
    }

    @Test func `a waiver of a superseded check may be needed again`() {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.b.b")]
        let report = bench.judge([.fixed("keys.a.a", .wrong), .fixed("keys.b.b", .wrong, supersededBy: ["keys.a.a"])])
        #expect(report.notes.isEmpty)
    }

    @Test func `a waiver has no effect on an inconclusive check`() {
        var bench = Bench()
        bench.waivers = [Self.waiver("keys.a.a")]
        let report = bench.judge([.fixed("keys.a.a", .inconclusive("no answer"))])
        #expect(report.outcome.gate == .inconclusive)
    }
}
