import Conformance
import Testing

/// A root cause supersedes the failures that it explains.
@Suite(.timeLimit(.minutes(5))) struct SupersessionTests {
    private static func failed(_ report: Report) -> [CheckID] {
        report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id).sorted()
    }

    @Test func `a failure is superseded by its root cause, in any order and over several steps`() {
        let checks: [Check] = [
            .fixed("keys.c.c", .wrong, supersededBy: ["keys.b.b"]),
            .fixed("keys.a.a", .wrong),
            .fixed("keys.b.b", .wrong, supersededBy: ["keys.a.a"]),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
            let report = Bench().judge(order.map { checks[$0] })
            #expect(Self.failed(report) == ["keys.a.a"])
            #expect(report.entries.compactMap(\.verdict.supersede) == ["keys.a.a", "keys.a.a"])
            #expect(report.coverage.superseded == 2)
            #expect(report.coverage.judged == 3)
        }
    }

    @Test(arguments: [
        Verdict.passed, .inconclusive("no answer"), .notApplicable("no key"), .notAttempted("lower tier"),
    ])
    func `only a failed root cause supersedes`(_ verdict: Verdict) {
        let report = Bench()
            .judge([
                .fixed("keys.a.a", verdict), .fixed("keys.b.b", .wrong, supersededBy: ["keys.a.a", "keys.unknown.x"]),
            ])
        #expect(Self.failed(report) == ["keys.b.b"])
        #expect(report.outcome.gate == .closed)
    }

    @Test func `an excluded root cause supersedes nothing`() {
        var bench = Bench()
        bench.selection = Selection(skip: ["keys.a.a"])
        let report = bench.judge([.fixed("keys.a.a", .wrong), .fixed("keys.b.b", .wrong, supersededBy: ["keys.a.a"])])
        #expect(report.outcome.gate == .closed)
    }

    @Test func `a root cause does not hide a failure of a higher level`() {
        let checks: [Check] = [
            .fixed("keys.a.a", .wrong, .should), .fixed("keys.b.b", .wrong, .must, supersededBy: ["keys.a.a"]),
        ]
        let report = Bench().judge(checks)
        #expect(Self.failed(report) == ["keys.a.a", "keys.b.b"])
        #expect(report.outcome.gate == .closed)
    }

    @Test func `a cycle without a root cause outside it stays failed`() {
        let ring: [Check] = [
            .fixed("keys.a.a", .wrong, supersededBy: ["keys.b.b"]),
            .fixed("keys.b.b", .wrong, supersededBy: ["keys.a.a"]),
        ]
        #expect(Self.failed(Bench().judge(ring)) == ["keys.a.a", "keys.b.b"])
        let alone = Bench().judge([.fixed("keys.a.a", .wrong, supersededBy: ["keys.a.a"])])
        #expect(alone.outcome.gate == .closed)
        let fed =
            ring + [
                .fixed("keys.c.c", .wrong), .fixed("keys.d.d", .wrong, supersededBy: ["keys.c.c", "keys.a.a"]),
            ]
        #expect(Self.failed(Bench().judge(fed)) == ["keys.a.a", "keys.b.b", "keys.c.c"])
    }
}
