import Conformance
import Testing

@Suite("Documents of real providers", .timeLimit(.minutes(5)))
struct CorpusTests {
    @Test("the corpus contains the expected documents")
    func present() async throws {
        #expect(Corpus.documents.count >= 80)
        #expect(try await Corpus.rows.value.count >= 370)
    }

    @Test("every document can be checked, whatever it contains", arguments: Corpus.documents)
    func judged(document: String) async throws {
        for (check, findings) in try await Corpus.failures(of: document) {
            for finding in findings {
                #expect(!finding.message.isEmpty && !finding.fix.isEmpty, "\(check.id)")
                #expect(finding.message.count < 4_000, "\(check.id)")
            }
        }
    }

    @Test(
        "every independent finding of MUST or SHOULD is found, or listed as a difference",
        arguments: Corpus.documents
    )
    func fewer(document: String) async throws {
        let failed = try await Corpus.failures(of: document)
        for row in try await Corpus.rows.value where row.document == document && row.severity != "NOTE" {
            let checks = try #require(Corpus.checks[row.rule], "\(row.rule) has no check")
            let found = failed.filter { checks.contains($0.check.id) && mentions($0.findings, row) }
            let isAllowed: (String) -> Bool = { kind in
                Corpus.differences.contains { $0.kind == kind && $0.rule == row.rule && $0.covers(document) }
            }
            #expect(!found.isEmpty || isAllowed("fewer"), "\(row)")
            let isError = found.contains { $0.check.requirement.level == .error }
            #expect(found.isEmpty || isError == (row.severity == "MUST") || isAllowed("weaker"), "\(row)")
        }
    }

    @Test(
        "every MUST or SHOULD finding is an independent finding too, or listed as a difference",
        arguments: Corpus.documents
    )
    func more(document: String) async throws {
        let rows = try await Corpus.rows.value.filter { $0.document == document && $0.severity != "NOTE" }
        for (check, findings) in try await Corpus.failures(of: document)
        where check.requirement == .must || check.requirement == .should {
            let rules = rows.filter { Corpus.checks[$0.rule]?.contains(check.id) ?? false }
            let isAllowed = Corpus.differences.contains {
                $0.kind == "more" && $0.check == check.id.rawValue && $0.covers(document)
            }
            #expect(!rules.isEmpty || isAllowed, "\(document) \(check.id) \(findings.map(\.message))")
        }
    }

    @Test("every listed difference still exists")
    func differencesAreNeeded() async throws {
        for difference in Corpus.differences {
            let documents = Corpus.documents.filter(difference.covers)
            #expect(!documents.isEmpty, "\(difference)")
            var isNeeded = false
            for document in documents where !isNeeded {
                isNeeded =
                    difference.kind == "fewer"
                    ? try await Corpus.rows.value.contains { $0.document == document && $0.rule == difference.rule }
                    : try await Corpus.failures(of: document).contains { $0.check.id.rawValue == difference.check }
            }
            #expect(isNeeded, "\(difference)")
        }
    }

    /// Whether one of the findings is about the member or the key of the row.
    private func mentions(_ findings: [Finding], _ row: Corpus.Row) -> Bool {
        let start = row.detail.prefix { !" =:".contains($0) }
        if let key = start.wholeMatch(of: /keys\[(\d+)\]/)?.output.1 {
            let member = row.detail.split(separator: " ").last ?? ""
            return findings.contains { finding in
                let place = finding.pointer ?? ""
                return place.hasPrefix("/keys/\(key)/") && (member.count > 1 || place.hasSuffix("/\(member)"))
            }
        }
        let isMember = start.contains("_") && !start.contains("/") && !start.contains(where: \.isUppercase)
        return !isMember || findings.contains { $0.pointer == "/\(start)" }
    }
}
