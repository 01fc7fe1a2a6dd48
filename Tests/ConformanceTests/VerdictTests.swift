import Conformance
import Testing

/// One verdict over several subjects, and text from a provider made visible.
@Suite(.timeLimit(.minutes(5))) struct VerdictTests {
    /// The verdict of a check whose subjects are these; a finding for each `false`.
    private static func verdict(
        _ samples: [Sample<Bool>],
        exempt: (@Sendable (Bool, Facts) -> String?)? = nil
    ) -> Verdict {
        let query = Query<Bool>("samples", needs: [], whenEmpty: "there was nothing") { _ in samples }
        let check = Check(
            "keys.a.b",
            "title",
            .must,
            .signIn,
            Citation(.core, "2", "REQUIRED"),
            why: "why",
            reads: query,
            exempt: exempt
        ) { subject, _ in subject ? [] : [Finding("wrong", fix: "mend"), Finding("too", fix: "mend", exchange: 9)] }
        let target = Target(issuer: "https://idp.example.com")
        let evidence = Evidence(tool: "t", startedAt: 0, target: target, tier: .full, because: "no")
        return check.judge(Facts(evidence, profile: Profile(name: "p", title: "p")))
    }

    private static let good = Sample<Bool>(.observed(true))
    private static let bad = Sample<Bool>(.observed(false), label: "second", exchange: 4)
    private static let absent = Sample<Bool>(.absent("no answer"))
    private static let left = Sample<Bool>(.notAttempted("lower tier"))

    @Test func `missing evidence anywhere forbids a pass`() {
        #expect(Self.verdict([Self.good, Self.absent]) == .inconclusive("no answer"))
        #expect(Self.verdict([Self.absent, Self.left, Self.good]) == .inconclusive("no answer"))
    }

    @Test func `a failure anywhere fails, and keeps every finding with its subject`() {
        let findings = Self.verdict([Self.good, Self.absent, Self.bad]).findings
        #expect(findings.map(\.message) == ["wrong.", "too."])
        #expect(findings.map(\.subjects) == [["second"], ["second"]])
        #expect(findings.map(\.exchange) == [4, 9])
    }

    @Test func `without missing evidence one good subject passes`() {
        #expect(Self.verdict([Self.left, Self.good]) == .passed)
        #expect(Self.verdict([Self.good]) == .passed)
    }

    @Test func `a check without a subject to evaluate never passes`() {
        #expect(Self.verdict([]) == .notApplicable("there was nothing"))
        #expect(Self.verdict([Self.left]) == .notAttempted("lower tier"))
        #expect(Self.verdict([Self.good, Self.left], exempt: { _, _ in "exempt" }) == .notApplicable("exempt"))
        #expect(Self.verdict([Self.bad], exempt: { _, _ in "exempt" }) == .notApplicable("exempt"))
    }

    @Test func `every verdict other than passed and failed has a reason`() {
        #expect(Verdict.passed.reason == nil)
        #expect(Verdict.failed([]).reason == nil)
        #expect(Verdict.superseded(by: "keys.a.a").reason == "skipped, because keys.a.a failed")
        for verdict in [Verdict.notApplicable("why"), .inconclusive("why"), .notAttempted("why")] {
            #expect(verdict.reason == "why")
            #expect(verdict.findings.isEmpty)
        }
    }

    @Test(arguments: [
        ("plain é 漢 💥", "plain é 漢 💥"), ("a\nb\r\t\u{0}", "a\\u{A}b\\u{D}\\u{9}\\u{0}"),
        ("\u{1B}[31m", "\\u{1B}[31m"), ("\u{202E}x\u{2066}\u{200B}\u{FEFF}", "\\u{202E}x\\u{2066}\\u{200B}\\u{FEFF}"),
        ("\u{2028}\u{2029}\u{85}", "\\u{2028}\\u{2029}\\u{85}"), ("\u{E000}\u{FFFE}", "\\u{E000}\\u{FFFE}"),
        ("\r\n", "\\u{D}\\u{A}"), ("", ""),
    ])
    func `invisible characters are written as escapes`(_ text: String, _ shown: String) {
        #expect(text.shown() == shown)
        #expect(text.quoted == "“\(shown)”")
    }

    @Test func `shown text is bounded`() {
        let long = String(repeating: "\u{0}", count: 1_000_000)
        #expect(long.shown(limit: 3) == "\\u{0}\\u{0}\\u{0}…")
        #expect(long.quoted.hasSuffix("…”"))
        #expect("abc".shown(limit: 3) == "abc")
        #expect(String(repeating: "a", count: 201).quoted.count == 203)
    }
}
