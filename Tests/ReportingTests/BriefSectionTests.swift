import Conformance
import Testing

@testable import Reporting

/// The sections of the short report: no text is cut without a hint, and no finding is without its sentence.
@Suite(.timeLimit(.minutes(5))) struct BriefSectionTests {
    private static let long = "discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256"

    /// A check that failed with this finding.
    static func entry(
        _ id: String,
        _ message: String,
        fix: String = "Change it.",
        level: Level = .error,
        verdict: Verdict? = nil
    ) -> Report.Entry {
        let finding = Finding(message, fix: fix)
        let citation = Citation(.core, "2", "REQUIRED")
        let verdict = verdict ?? .failed([finding])
        return Report.Entry(
            check: Check.fixed(CheckID(id), "title", .must, citation, verdict),
            level: level,
            verdict: verdict,
            closesGate: level == .error && !verdict.findings.isEmpty,
            blocksOpening: false,
            wasSelected: true
        )
    }

    private static func lines(_ entries: [Report.Entry], _ causes: [Cause] = [], width: Int = 80) -> [String] {
        var report = SampleReport.closed.report
        report.entries = entries
        report.causes = causes
        report.notes = []
        return ReportFormat.text.render(report, options: ReportOptions(width: width, verbosity: .brief))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static let words = Array(repeating: "word", count: 15).joined(separator: " ")

    @Test(
        arguments: [
            ("keys.a.is-b", "It is short.", ["  keys.a.is-b: It is short.", "  --verbose shows the fixes"]),
            ("keys.a.is-b", "It is short. The rest.", ["  keys.a.is-b: It is short.", "  --verbose shows the fixes"]),
            (
                long, "RS256 is missing. Clients require it.",
                ["  " + long, "    RS256 is missing.", "  --verbose shows the fixes"]
            ),
            (
                long, Array(repeating: words, count: 5).joined(separator: " "),
                [
                    "  " + long, "    " + words, "    " + words, "    " + words + "…",
                    "  --verbose shows the rest and the fixes",
                ]
            ),
        ] as [(String, String, [String])]
    )
    func `a warning has its sentence, on up to three lines below a long identifier`(
        _ id: String,
        _ message: String,
        _ expected: [String]
    ) {
        let lines = Self.lines([Self.entry(id, message, level: .warning)])
        let section = lines.drop { $0 != "WARNINGS, not blocking (1)" }.dropFirst().prefix { !$0.isEmpty }
        #expect(Array(section) == expected, "\(lines)")
    }

    @Test(arguments: [40, 60, 80, 120])
    func `warnings that do not fit are counted, with one hint`(_ width: Int) {
        let message = Array(repeating: Self.words, count: 5).joined(separator: " ")
        let entries = (0..<30)
            .map { Self.entry("\(Self.long)\($0)", message, level: $0 < 20 ? .error : .warning) }
        let lines = Self.lines(entries, width: width)
        #expect(lines.count <= 61, "\(lines)")
        let section = lines.drop { !$0.hasPrefix("WARNINGS, not blocking (10)") }.prefix { !$0.isEmpty }
        #expect(section.count(where: { $0.contains("--verbose") }) == 1, "\(lines)")
    }

    @Test(
        arguments: [
            (1, "Change it.", nil), (3, "Change it.", nil),
            (12, String(repeating: "Change it now. ", count: 15), "  --verbose shows the fixes"),
        ] as [(Int, String, String?)]
    )
    func `each blocking check has its sentence`(_ count: Int, _ fix: String, _ hint: String?) {
        let entries = (0..<count).map { Self.entry("keys.a\($0).is-b", "Key \($0) is short. The rest.", fix: fix) }
        let lines = Self.lines(entries)
        #expect(lines.count <= 61)
        for number in 0..<count {
            #expect(lines.contains { $0.contains("Key \(number) is short.") }, "\(lines)")
        }
        #expect(lines.filter { $0.contains("--verbose") } == (hint.map { [$0] } ?? []), "\(lines)")
    }

    @Test func `blocking checks that are only counted have a hint`() {
        let lines = Self.lines((0..<200).map { Self.entry("keys.a\($0).is-b", "Key \($0) is short.") })
        #expect(lines.count <= 61)
        #expect(lines.count(where: { $0.hasSuffix(" more; --verbose shows all") }) == 1, "\(lines)")
    }

    @Test(
        arguments: [
            ("the response has HTTP status 404", "The response has HTTP status 404. 1 check is"),
            ("It ended.", "It ended. 1 check is"), ("Is it there?", "Is it there? 1 check is"),
        ]
    )
    func `a root cause ends before the number of its checks`(_ message: String, _ expected: String) {
        let cause = Cause(.keys, message, advice: "Look.", mayBeConfiguration: false)
        let waiting = Self.entry("keys.a.is-b", "", verdict: Verdict.inconclusive(Reason("no key", of: cause)))
        let text = Self.lines([waiting], [cause], width: 200).joined(separator: "\n")
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        arguments: [
            (0, 2, "INCONCLUSIVE (2)"), (3, 2, "INCONCLUSIVE (5, of which 3 for the reason above)"),
        ]
    )
    func `the number of inconclusive checks is that of the verdict`(_ waiting: Int, _ others: Int, _ heading: String) {
        let cause = Cause(.keys, "No key set.", advice: "Look.", mayBeConfiguration: false)
        let entries = (0..<waiting + others)
            .map { number in
                let reason = number < waiting ? Reason("no key", of: cause) : Reason("no answer")
                var entry = Self.entry("keys.a\(number).is-b", "", verdict: Verdict.inconclusive(reason))
                entry.blocksOpening = true
                return entry
            }
        let lines = Self.lines(entries, waiting == 0 ? [] : [cause])
        #expect(lines.contains { $0 == heading }, "\(lines)")
    }

    @Test(
        arguments: [
            (
                ["response_type code, token endpoint", "b", "c"],
                "response_type code, token endpoint, and 2 more places"
            ),
            (["response_type code", "response_type id_token"], "response_type code, and 1 more place"),
            (["token endpoint", "b", "c"], "token endpoint, and 2 more places"),
            (["kid 1", "kid 2", "kid 3"], "kid 1, and 2 more"), (["response_type code"], "response_type code"),
        ]
    )
    func `other places are counted as places`(_ subjects: [String], _ expected: String) {
        var finding = Finding("It is wrong.", fix: "Change it.")
        finding.subjects = subjects
        #expect(finding.firstSubject == expected)
    }

    @Test(
        arguments: [
            (.open, false, .works, "next: register"),
            (.open, true, .works, "next: oidc-preflight checks explain keys.a.is-b"),
            (.closed, false, .works, "next: all platforms"),
            (.closed, false, .fails, "next: oidc-preflight checks explain keys.a.is-b"),
        ] as [(Report.Gate, Bool, Answers.SignInVerdict, String)]
    )
    func `the next command fits the gate and what it leaves out`(
        _ gate: Report.Gate,
        _ isKnown: Bool,
        _ signIn: Answers.SignInVerdict,
        _ expected: String
    ) {
        var report = (gate == .open ? SampleReport.open : .closed).report
        var entry = Self.entry("keys.a.is-b", "It is wrong.")
        entry.closesGate = gate == .closed
        entry.isKnown = isKnown
        entry.consequence = .conformance
        if gate == .open, !isKnown { entry.verdict = .passed }
        report.entries = [entry]
        report.answers = Answers(
            signIn: Answers.SignIn(signIn),
            safety: Answers.Answer(verdict: .sound, judged: 1),
            conformance: Answers.Answer(verdict: .sound, judged: 1)
        )
        var options = ReportOptions(width: 100, verbosity: .brief)
        options.suggestions.register = "register"
        options.suggestions.platforms = "all platforms"
        let lines = ReportFormat.text.render(report, options: options).split(separator: "\n").map(String.init)
        #expect(lines.first { $0.hasPrefix("next: ") } == expected, "\(lines)")
    }
}
