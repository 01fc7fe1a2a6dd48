import Conformance
import Testing

/// The comparison with an earlier report, and its effect on the gate.
@Suite(.timeLimit(.minutes(5))) struct BaselineTests {
    fileprivate static let id: CheckID = "keys.a.b"

    /// The verdicts of a check before and now, and the expected result.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: Verdict?
        var now: Verdict?
        var requirementBefore = Requirement.must
        var isWaivedBefore = false
        var only: [CheckPattern] = []
        /// The list of the comparison that the check is in; `nil` for none.
        var list: String?
        var gate: Report.Gate
    }

    private static func failed(_ pairs: (String, String?)...) -> Verdict {
        .failed(
            pairs.map { found, subjects in
                var finding = Finding("wrong", at: "/a", found: found, fix: "mend it")
                finding.subjects = (subjects ?? "").split(separator: "; ").map(String.init)
                return finding
            }
        )
    }

    @Test(
        arguments: [
            Row(testDescription: "a new failure", before: .passed, now: failed(("1", nil)), list: "new", gate: .closed),
            Row(
                testDescription: "the same",
                before: failed(("1", nil)),
                now: failed(("1", nil)),
                list: "known",
                gate: .open
            ),
            Row(
                testDescription: "another value in the same place",
                before: failed(("1", nil)),
                now: failed(("2", nil)),
                list: "changed",
                gate: .open
            ),
            Row(
                testDescription: "a further subject",
                before: failed(("1", "code")),
                now: failed(("1", "code"), ("1", "id_token")),
                list: "new",
                gate: .closed
            ),
            Row(
                testDescription: "a further subject in a finding with several",
                before: failed(("1", "code")),
                now: failed(("1", "code; id_token")),
                list: "new",
                gate: .closed
            ),
            Row(
                testDescription: "fewer subjects",
                before: failed(("1", "code; id_token")),
                now: failed(("1", "id_token")),
                list: "changed",
                gate: .open
            ),
            Row(
                testDescription: "it was inconclusive before",
                before: .inconclusive("no answer"),
                now: failed(("1", nil)),
                list: "new",
                gate: .closed
            ),
            Row(
                testDescription: "there was no such check",
                before: nil,
                now: failed(("1", nil)),
                list: "new",
                gate: .closed
            ),
            Row(
                testDescription: "a warning that became an error",
                before: failed(("1", nil)),
                now: failed(("1", nil)),
                requirementBefore: .should,
                list: "new",
                gate: .closed
            ),
            Row(
                testDescription: "its waiver has ended",
                before: failed(("1", nil)),
                now: failed(("1", nil)),
                isWaivedBefore: true,
                list: "new",
                gate: .closed
            ),
            Row(testDescription: "fixed", before: failed(("1", nil)), now: .passed, list: "mended", gate: .open),
            Row(
                testDescription: "it no longer applies",
                before: failed(("1", nil)),
                now: .notApplicable("no such member"),
                list: "mended",
                gate: .open
            ),
            Row(
                testDescription: "it is inconclusive now",
                before: failed(("1", nil)),
                now: .inconclusive("no answer"),
                list: "notJudged",
                gate: .inconclusive
            ),
            Row(
                testDescription: "the run did not go as far",
                before: failed(("1", nil)),
                now: .notAttempted("nobody signed in"),
                list: "notJudged",
                gate: .inconclusive
            ),
            Row(
                testDescription: "it was excluded by an option",
                before: failed(("1", nil)),
                now: .passed,
                only: ["keys.z.*"],
                list: "notJudged",
                gate: .open
            ),
            Row(
                testDescription: "the check no longer exists",
                before: failed(("1", nil)),
                now: nil,
                list: "notJudged",
                gate: .open
            ),
            Row(testDescription: "passed before and now", before: .passed, now: .passed, list: nil, gate: .open),
            Row(
                testDescription: "inconclusive before and now",
                before: .inconclusive("no answer"),
                now: .inconclusive("no answer"),
                list: nil,
                gate: .inconclusive
            ),
        ]
    )
    func `only new failures close the gate, and an inconclusive check does not open it`(_ row: Row) throws {
        let other = Check.fixed("keys.z.z", .passed)
        var earlier = Bench()
        if row.isWaivedBefore { earlier.waivers = [Waiver(check: Self.id, because: "for now", source: "test:1")] }
        let before = earlier.judge([other] + (row.before.map { [.fixed(Self.id, $0, row.requirementBefore)] } ?? []))
        var bench = Bench()
        bench.selection = Selection(only: row.only)
        bench.baseline = ReportDigest(before)
        let report = bench.judge([other] + (row.now.map { [.fixed(Self.id, $0)] } ?? []))
        let comparison = try #require(report.comparison)
        let lists = [
            "new": comparison.new, "mended": comparison.fixed, "changed": comparison.changed,
            "known": comparison.known, "notJudged": comparison.withoutResult,
        ]
        #expect(lists.filter { !$0.value.isEmpty }.keys.sorted() == [row.list].compactMap(\.self))
        #expect(report.outcome.gate == row.gate, "\(report.outcome.summary)")
        let entry = report.entries.first { $0.id == Self.id }
        #expect(entry?.isKnown ?? false == ["known", "changed"].contains(row.list))
        #expect(entry.map { !($0.isKnown && $0.closesGate) } ?? true)
        // According to the schema of the report, a check that keeps the gate from opening was selected and is inconclusive.
        #expect(
            report.entries.allSatisfy { !$0.blocksOpening || ($0.wasSelected && $0.verdict.word == "inconclusive") }
        )
        #expect(report.coverage.inconclusive == report.entries.count { $0.verdict.word == "inconclusive" })
    }

    @Test func `the answers include known errors`() {
        var bench = Bench()
        let checks = [Check.fixed(Self.id, .wrong), .fixed("keys.z.z", .passed)]
        let alone = bench.judge(checks)
        bench.baseline = ReportDigest(alone)
        let beside = bench.judge(checks)
        #expect(alone.outcome.gate == .closed)
        #expect(beside.outcome.gate == .open)
        #expect(beside.answers == alone.answers)
        #expect(beside.outcome.summary.hasSuffix("1 known error"))
        #expect(alone.comparison == nil)
    }

    @Test func `a known error stays known in the next report`() {
        var bench = Bench()
        let checks = [Check.fixed(Self.id, .wrong), .fixed("keys.z.z", .passed)]
        bench.baseline = ReportDigest(bench.judge(checks))
        bench.baseline = ReportDigest(bench.judge(checks))
        #expect(bench.judge(checks).outcome.gate == .open)
    }
}

extension BaselineTests {
    /// A check that fails with each of these subjects.
    private static func check(_ subjects: [String]) -> Check {
        .fixed(id, .failed(Finding.merged(subjects.map { Finding("wrong", at: "/a", fix: "mend it", subject: $0) })))
    }

    @Test(arguments: [1, 2, 8, 9, 10, 20, 999, 1_000, 1_001, 1_500])
    func `fixing one of many subjects is no new error, but a further subject is one`(_ count: Int) {
        // Names that look like several, and names longer than the kept part.
        let subjects = (0..<count).map { "kid \($0); and 3 more \(String(repeating: "k", count: $0 % 7 * 90))" }
        var bench = Bench()
        bench.baseline = ReportDigest(bench.judge([Self.check(subjects)]))
        for fixed in Set([0, 1, 7, 8, count / 2, count - 1]) where fixed < count && count > 1 {
            var left = subjects
            left.remove(at: fixed)
            let report = bench.judge([Self.check(left)])
            #expect(report.comparison?.new.isEmpty == true, "\(fixed) of \(count)")
            #expect(report.entries[0].isKnown, "\(fixed) of \(count)")
        }
        #expect(bench.judge([Self.check(subjects)]).entries[0].isKnown)
        #expect(bench.judge([Self.check(subjects + ["another"])]).outcome.gate == .closed)
    }
}
