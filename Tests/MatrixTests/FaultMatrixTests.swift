import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import Testing

/// Each fault is one full run of the tool: in memory, so that all of them take two minutes.
@Suite("Fault matrix", .timeLimit(.minutes(5)))
struct FaultMatrixTests {
    @Test(
        "a fault trips its check, what cannot help failing with it, and nothing else",
        arguments: Laboratory.faults.filter { !$0.needsSockets }
    )
    func trips(fault: Fault) async throws {
        try Self.expect(fault, in: try await Laboratory.judge(fault, over: .memory))
    }

    @Test("a faultless provider passes in every persona", arguments: Persona.allCases)
    func faultless(persona: Persona) async throws {
        let report = try await Laboratory.judge(persona, over: .memory).report
        let unseen = Set(report.entries.map(\.id).filter { Catalogue.seenOverSocketsAlone.contains($0) })
        Self.expectNoFindings(report, but: Set(persona.remarks + persona.failures).subtracting(unseen), of: persona)
    }

    /// That a report is the one of a fault.
    static func expect(_ fault: Fault, in report: Report) throws {
        let failed = Set(report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue))
        let expected = Set(([fault.trips] + fault.also).map(\.rawValue))
        let remarks = (fault.persona.remarks + fault.persona.failures).map(\.rawValue)
        #expect(failed.subtracting(expected).subtracting(remarks).isEmpty, "unexpected failures")
        #expect(expected.subtracting(failed).isEmpty, "\(missing(expected.subtracting(failed), report))")
        let errors = report.entries.filter { $0.level == .error && expected.contains($0.id.rawValue) }
        #expect(errors.count <= Self.errors[fault.id] ?? 0, "more errors than FaultErrors counts: \(errors.map(\.id))")
        let twice = Self.toldTwice(fault, report)
        #expect(twice.isEmpty, "one failure told twice: name the cause in excusedBy, or the reason in TwoFindings")
        let entry = report.entries.first { $0.id == fault.trips }
        // What is established closes the gate; what weighs less does where its level is asked for (JudgeTests).
        #expect(entry?.closesGate == (entry?.level == .error), "\(fault.persona.profile)")
        if entry?.closesGate == true { #expect(report.outcome.gate == .closed) }
        let findings = entry?.verdict.findings ?? []
        #expect(findings.allSatisfy { !$0.message.isEmpty && !$0.fix.isEmpty }, "a finding says what to do")
        for finding in findings { #expect(Self.misleading(finding) == nil, "\(finding.fix)") }
        if let finding = findings.first, ExampleRecord.isShownBy(fault) { try isRecorded(finding, of: fault.trips) }
    }

    private static let errors = Dictionary(
        ((try? FaultErrors.all()) ?? []).map { ($0.fault, $0.errors.count) },
        uniquingKeysWith: max
    )

    /// What is wrong with an advice, whatever the finding is about; `nil` where nothing is.
    private static func misleading(_ finding: Finding) -> String? {
        // Typographic quotation marks end no JSON string.
        if finding.fix.contains("\": “") { return "what is to be pasted is no JSON" }
        if finding.fix.contains("or register the issuer that the provider's documentation names"),
            !["404", "410"].contains(finding.found ?? "")
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
        return isKind ? nil : "a JSON string stands beside a plain value"
    }

    /// The checks that fail beside the fault's own, read the same and point at the same place, without a reason.
    private static func toldTwice(_ fault: Fault, _ report: Report) -> [CheckID] {
        let places = { (id: CheckID) in
            Set(report.entries.first { $0.id == id }?.verdict.findings.compactMap(\.pointer) ?? [])
        }
        let slots = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0.reads) })
        return fault.also.filter { other in
            slots[other] == slots[fault.trips] && !places(other).isDisjoint(with: places(fault.trips))
                && TwoFindings.reason(fault.trips, other) == nil
        }
    }

    /// Whether the finding that `checks explain` shows is the one that the check makes.
    private static func isRecorded(_ finding: Finding, of check: CheckID) throws {
        let line = Example(finding, of: check).line
        // A check without any example is told by the samples' test.
        let isHeld = try ExampleRecord.holds(line, of: check)
        #expect(isHeld, "the example of \(check) is stale; write it anew with: make examples")
        #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == 6, "a value holds a tabulator")
    }

    /// Why the checks that should have failed did not.
    private static func missing(_ ids: Set<String>, _ report: Report) -> String {
        report.entries.filter { ids.contains($0.id.rawValue) }
            .map { "\($0.id) \($0.verdict.word): \($0.verdict.reason ?? "")" }
            .joined(separator: "; ")
    }

    /// That a sound provider's report has nothing to say but the persona's remarks.
    static func expectNoFindings(_ report: Report, but remarks: Set<CheckID>, of persona: Persona) {
        for entry in report.entries {
            let messages = entry.verdict.findings.map(\.message)
            #expect(messages.isEmpty != remarks.contains(entry.id), "\(entry.id): \(messages)")
            #expect(!entry.blocksOpening, "\(entry.id): \(entry.verdict.reason ?? "")")
        }
        let closing = Set(report.entries.filter(\.closesGate).map(\.id))
        #expect(closing == Set(persona.failures), "what keeps the gate closed")
        #expect(report.outcome.gate == (closing.isEmpty ? .open : .closed), "\(report.outcome.summary)")
        #expect(report.outcome.shortfall == nil, "\(report.outcome.alone)")
        #expect(report.answers.signIn.reason == nil, "\(report.answers.signIn)")
    }
}

@Suite("Catalogue and faults", .timeLimit(.minutes(5)))
struct MirrorTests {
    @Test("every check has a fault that trips it")
    func everyCheckHasAFault() {
        let tripped = Set(Fault.all.map(\.trips))
        let faultless = Catalogue.all.map(\.id).filter { !tripped.contains($0) }
        #expect(faultless.isEmpty)
    }

    @Test("every fault names checks that exist, and faults have names of their own")
    func faultsNameChecks() {
        let known = Set(Catalogue.all.map(\.id))
        let unknown = Fault.all.flatMap { [$0.trips] + $0.also }.filter { !known.contains($0) }
        #expect(unknown.isEmpty)
        #expect(Set(Fault.all.map(\.id)).count == Fault.all.count)
    }

    @Test("a title belongs to one check, and its sentences and those of the harm are short")
    func titles() {
        #expect(Set(Catalogue.all.map(\.title)).count == Catalogue.all.count)
        for check in Catalogue.all {
            let long = [check.title, check.why].compactMap(Sentence.tooLong)
            #expect(long.isEmpty, "\(check.id)")
        }
    }

    @Test("identifiers are unique, lead to their stage, and excuses name checks that exist")
    func identifiers() {
        let ids = Catalogue.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        let strangers = Catalogue.all.flatMap(\.excusedBy).filter { !ids.contains($0) }
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
