import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import Testing

/// One full run of the tool per fault, in memory, without sockets and delays.
@Suite("Fault matrix", .timeLimit(.minutes(20)))
struct FaultMatrixTests {
    @Test(
        "a fault fails its own check, the checks declared with it, and no others",
        arguments: Laboratory.faults.filter { !$0.needsSockets }
    )
    func trips(fault: Fault) async throws {
        try Self.expect(fault, in: try await Laboratory.judge(fault, over: .memory))
    }

    @Test("a conformant provider passes in every persona", arguments: Persona.allCases)
    func conformant(persona: Persona) async throws {
        let report = try await Laboratory.judge(persona, over: .memory).report
        let unseen = Set(report.entries.map(\.id).filter { Catalogue.seenOverSocketsAlone.contains($0) })
        Self.expectNoFindings(
            report,
            but: Set(persona.expectedWarnings + persona.failures).subtracting(unseen),
            of: persona
        )
    }

    /// Verifies that a report is the expected one of a fault.
    static func expect(_ fault: Fault, in report: Report) throws {
        let failed = Set(report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue))
        let expected = Set(([fault.trips] + fault.also).map(\.rawValue))
        let warnings = (fault.persona.expectedWarnings + fault.persona.failures).map(\.rawValue)
        #expect(failed.subtracting(expected).subtracting(warnings).isEmpty, "unexpected failures")
        #expect(expected.subtracting(failed).isEmpty, "\(missing(expected.subtracting(failed), report))")
        let errors = report.entries.filter { $0.level == .error && expected.contains($0.id.rawValue) }
        #expect(errors.count <= Self.errors[fault.id] ?? 0, "more errors than FaultErrors counts: \(errors.map(\.id))")
        let twice = Self.reportedTwice(fault, report)
        #expect(
            twice.isEmpty,
            "one failure reported twice: list the root cause in excusedBy, or the reason in TwoFindings"
        )
        let entry = report.entries.first { $0.id == fault.trips }
        // An error closes the gate; a lower level does so only with --fail-on (JudgeTests).
        #expect(entry?.closesGate == (entry?.level == .error), "\(fault.persona.profile)")
        if entry?.closesGate == true { #expect(report.outcome.gate == .closed) }
        let findings = entry?.verdict.findings ?? []
        #expect(findings.allSatisfy { !$0.message.isEmpty && !$0.fix.isEmpty }, "a finding has a message and a fix")
        for finding in findings { #expect(Self.misleading(finding) == nil, "\(finding.fix)") }
        if let finding = findings.first, ExampleRecord.isShownBy(fault) { try isRecorded(finding, of: fault.trips) }
    }

    private static let errors = Dictionary(
        ((try? FaultErrors.all()) ?? []).map { ($0.fault, $0.errors.count) },
        uniquingKeysWith: max
    )

    /// The problem with a fix, whatever the finding is; `nil` if there is none.
    private static func misleading(_ finding: Finding) -> String? {
        // Typographic quotation marks do not end a JSON string.
        if finding.fix.contains("\": “") { return "what is to be pasted is no JSON" }
        if finding.fix.contains("Use the issuer that the provider's documentation names"),
            !["HTTP status 404", "HTTP status 410"].contains(finding.found ?? "")
        {
            return "another issuer is no way out of an answer that arrived"
        }
        if finding.pointer?.isEmpty == true { return "an empty place says nothing" }
        if let long = Sentence.tooLong(in: finding.fix) { return "a sentence has more than 25 words: \(long)" }
        let isQuoted = { (text: String?) in text?.hasPrefix("\"") ?? false }
        guard let expected = finding.expected, isQuoted(finding.found), finding.found?.hasSuffix("\"") == true else {
            return nil
        }
        let isKind = expected.contains(" ") || isQuoted(expected)
        return isKind ? nil : "a JSON string is quoted next to a plain value"
    }

    /// The checks that fail with the fault's own, read the same input and point at the same place, without a reason.
    private static func reportedTwice(_ fault: Fault, _ report: Report) -> [CheckID] {
        let places = { (id: CheckID) in
            Set(report.entries.first { $0.id == id }?.verdict.findings.compactMap(\.pointer) ?? [])
        }
        let queries = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0.reads) })
        return fault.also.filter { other in
            queries[other] == queries[fault.trips] && !places(other).isDisjoint(with: places(fault.trips))
                && TwoFindings.reason(fault.trips, other) == nil
        }
    }

    /// Whether the finding that `checks explain` shows is the check's own.
    private static func isRecorded(_ finding: Finding, of check: CheckID) throws {
        let line = Example(finding, of: check).line
        // The samples test reports checks without an example.
        let isContained = try ExampleRecord.contains(line, of: check)
        #expect(isContained, "the example of \(check) is stale; regenerate it with: make examples")
        #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == 6, "a value contains a tab")
    }

    /// The verdicts of the checks that should have failed.
    private static func missing(_ ids: Set<String>, _ report: Report) -> String {
        report.entries.filter { ids.contains($0.id.rawValue) }
            .map { "\($0.id) \($0.verdict.word): \($0.verdict.reason ?? "")" }
            .joined(separator: "; ")
    }

    /// Verifies that a conformant provider's report has only the persona's warnings and notices.
    static func expectNoFindings(_ report: Report, but warnings: Set<CheckID>, of persona: Persona) {
        for entry in report.entries {
            let messages = entry.verdict.findings.map(\.message)
            #expect(messages.isEmpty != warnings.contains(entry.id), "\(entry.id): \(messages)")
            #expect(!entry.blocksOpening, "\(entry.id): \(entry.verdict.reason ?? "")")
        }
        let closing = Set(report.entries.filter(\.closesGate).map(\.id))
        #expect(closing == Set(persona.failures), "the blocking checks")
        #expect(report.outcome.gate == (closing.isEmpty ? .open : .closed), "\(report.outcome.summary)")
        #expect(report.outcome.shortfall == nil, "\(report.outcome.alone)")
        #expect(report.answers.signIn.reason == nil, "\(report.answers.signIn)")
    }
}

@Suite("Catalogue and faults", .timeLimit(.minutes(20)))
struct MirrorTests {
    @Test("every check has a fault that fails it")
    func everyCheckHasAFault() {
        let tripped = Set(Fault.all.map(\.trips))
        let withoutFault = Catalogue.all.map(\.id).filter { !tripped.contains($0) }
        #expect(withoutFault.isEmpty)
    }

    @Test("every fault names existing checks, and fault names are unique")
    func faultsNameChecks() {
        let known = Set(Catalogue.all.map(\.id))
        let unknown = Fault.all.flatMap { [$0.trips] + $0.also }.filter { !known.contains($0) }
        #expect(unknown.isEmpty)
        #expect(Set(Fault.all.map(\.id)).count == Fault.all.count)
    }

    @Test("titles are unique, and the sentences of titles and harms are short")
    func titles() {
        #expect(Set(Catalogue.all.map(\.title)).count == Catalogue.all.count)
        for check in Catalogue.all {
            let long = [check.title, check.why].compactMap(Sentence.tooLong)
            #expect(long.isEmpty, "\(check.id)")
        }
    }

    @Test("identifiers are unique and begin with a stage, and excusedBy names existing checks")
    func identifiers() {
        let ids = Catalogue.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        let strangers = Catalogue.all.flatMap(\.supersededBy).filter { !ids.contains($0) }
        #expect(strangers.isEmpty)
        for check in Catalogue.all {
            #expect(check.id.stage != nil, "\(check.id) begins with no stage")
            #expect(!check.citation.words.isEmpty && !check.why.isEmpty && !check.title.isEmpty)
        }
    }
}

/// The limit that Documentation/Style.md sets.
private enum Sentence {
    private static let mostWords = 25

    /// The first sentence with too many words.
    ///
    /// A semicolon or a colon ends a sentence as well. A quotation of the provider counts as one word.
    static func tooLong(in text: String) -> String? {
        let own = text.replacing(#/“[^”]*”/#, with: "quotation")
        return own.matches(of: #/(?:[^.;:!?]|[.;:!?](?! ))+/#).map { String($0.output) }
            .first { $0.split(separator: " ").count > mostWords }
    }
}
