import Conformance
import FoundationEssentials
import JSONTree
import OtherPrograms
import Reporting
import TestSupport
import Testing

/// The JSON format conforms to its schema.
@Suite(.timeLimit(.minutes(5))) struct JSONReportTests {
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        errors = [error for report in json.load(sys.stdin) for error in validator.iter_errors(report)]
        for error in errors[:5]:
            print(error.json_path, error.message[:200])
        sys.exit(1 if errors else 0)
        """
    private static let jsonschema = Oracle.python("jsonschema")
    private static let schema = Repository.folder("Reports/report.schema.json").path

    @Test(.oracle(jsonschema)) func `jsonschema accepts every report`() async throws {
        let python = try await Self.jsonschema.path()
        let samples = SampleReport.allCases.map(\.report)
        let hostile = HostileTests.strings.filter { $0.utf8.count < 100_000 }
            .map { HostileTests.report($0, checks: 1, findings: 1) }
        let reports = (samples + hostile).map { ReportFormat.json.render($0) }
        let answer = try await OtherProgram.run(
            python,
            ["-c", Self.validator, Self.schema],
            input: "[" + reports.joined(separator: ",") + "]"
        )
        #expect(answer.isSuccess, "\(answer.text)\(answer.errors.suffix(500))")
    }

    @Test(
        .oracle(jsonschema),
        arguments: [
            ("/outcome/exitCode", JSON.integer(3)), ("/outcome/gate", "ajar"), ("/entries/0/verdict", "failed"),
            ("/entries/2/closesGate", "yes"), ("/coverage", [:]), ("/schemaVersion", 3),
        ] as [(String, JSON)]
    )
    func `jsonschema rejects an invalid report`(_ pointer: String, _ value: JSON) async throws {
        let python = try await Self.jsonschema.path()
        let root = try JSONDocument.parse(ReportFormat.json.render(SampleReport.closed.report)).root
        let changed = Self.replacing(root, JSONPointer(stringLiteral: pointer).tokens[...], by: value)
        let answer = try await OtherProgram.run(
            python,
            ["-c", Self.validator, Self.schema],
            input: "[" + changed.serialized() + "]"
        )
        #expect(changed != root)
        #expect(!answer.isSuccess)
        #expect(answer.text.hasPrefix("$"), "the refusal names a place: \(answer.errors)")
    }

    @Test func `members are in the documented order`() throws {
        let root = try JSONDocument.parse(ReportFormat.json.render(SampleReport.closed.report)).root
        #expect(
            root.objectValue?.names == [
                "schemaVersion", "tool", "target", "profile", "tier", "failOn", "outcome", "answers", "coverage",
                "comparison", "causes", "entries", "notes", "exchanges", "timings",
            ]
        )
        #expect(
            root["/entries/0" as JSONPointer]?.objectValue?.names.prefix(15) == [
                "id", "title", "requirement", "consequence", "features", "level", "verdict", "reason", "excusedBy",
                "waiver", "citation", "link", "closesGate", "known", "blocksOpening",
            ]
        )
    }

    @Test func `the schema names exactly the written members`() throws {
        let root = try JSONDocument.parse(ReportFormat.json.render(SampleReport.closed.report)).root
        let schema = try JSONDocument.parse(Data(contentsOf: URL(filePath: Self.schema))).root
        let failed = try #require(
            root["/entries" as JSONPointer]?.arrayValue?.firstIndex { $0["verdict"] == "failed" }
        )
        let pairs = [
            ("", ""), ("/entries/0", "/$defs/entry"), ("/entries/\(failed)/findings/0", "/$defs/finding"),
            ("/exchanges/0", "/$defs/exchange"),
        ]
        for (place, definition) in pairs {
            let written = root[JSONPointer(stringLiteral: place)]?.objectValue?.names
            let described = schema[JSONPointer(stringLiteral: definition + "/properties")]?.objectValue?.names
            #expect(written != nil)
            #expect(written == described)
        }
    }

    @Test(
        arguments: [
            ("/properties/tier", Tier.allCases.map(\.rawValue)),
            ("/properties/failOn", Level.allCases.map(\.rawValue)),
            (
                "/properties/answers/properties/signIn/properties/verdict",
                Answers.SignInVerdict.allCases.map(\.rawValue)
            ),
            ("/properties/causes/items/properties/rung", Cause.SignInStep.allCases.map(\.rawValue)),
            ("/$defs/answer/properties/verdict", Answers.Verdict.allCases.map(\.rawValue)),
            ("/$defs/client/properties/authentication", ClientAuthentication.allCases.map(\.rawValue)),
            ("/$defs/entry/properties/requirement", Requirement.allCases.map(\.rawValue)),
            ("/$defs/entry/properties/consequence", Consequence.allCases.map(\.rawValue)),
            ("/$defs/entry/properties/features/items", Feature.allCases.map(\.rawValue)),
            ("/$defs/entry/properties/level", Level.allCases.map(\.rawValue)),
            (
                "/$defs/exchange/properties/failure/oneOf/0/properties/kind",
                Exchange.Failure.Kind.allCases.map(\.rawValue)
            ),
        ]
    )
    func `the schema allows every value that can be written`(_ place: String, _ words: [String]) throws {
        let schema = try JSONDocument.parse(Data(contentsOf: URL(filePath: Self.schema))).root
        let listed = schema[JSONPointer(stringLiteral: place + "/enum")]?.strings ?? []
        #expect(Set(listed) == Set(words))
    }

    @Test func `a report that is read back is unchanged, including the source of each rule`() throws {
        var report = SampleReport.closed.report
        let place = try #require(report.entries.firstIndex { $0.closesGate })
        let findings = report.entries[place].verdict.findings
            .map { finding in
                var finding = finding
                finding.authority = Finding.Authority(profile: "beta", because: "it refuses that", source: "a test")
                return finding
            }
        report.entries[place].verdict = .failed(findings)
        let read = try JSONReportReader.read(Array(ReportFormat.json.render(report).utf8))
        let comparison = Comparison(from: try #require(read.first), to: ReportDigest(report))
        #expect(comparison.known.contains { $0.id == report.entries[place].id })
        #expect((comparison.new + comparison.changed + comparison.fixed + comparison.withoutResult).map(\.id) == [])
    }

    @Test func `a long body is cut and its length kept`() throws {
        let text = String(repeating: "é", count: 50_000)
        let root = try JSONDocument.parse(ReportFormat.json.render(HostileTests.report(text))).root
        let body = root["/exchanges/0/response/body" as JSONPointer]
        #expect(body?["octets"] == 100_000)
        #expect(body?["text"]?.stringValue?.utf8.count == 65_536)
    }

    private static func replacing(_ tree: JSON, _ path: ArraySlice<String>, by value: JSON) -> JSON {
        guard let name = path.first else { return value }
        switch tree {
        case .object(var object):
            object[name] = replacing(object[name] ?? .null, path.dropFirst(), by: value)
            return .object(object)
        case .array(var elements):
            guard let index = Int(name), elements.indices.contains(index) else { return tree }
            elements[index] = replacing(elements[index], path.dropFirst(), by: value)
            return .array(elements)
        default: return tree
        }
    }
}

extension JSONReportTests {
    @Test func `subjects are a list, and a report without the list is rejected`() throws {
        var report = SampleReport.closed.report
        let place = try #require(report.entries.firstIndex { !$0.verdict.findings.isEmpty })
        let findings = Finding.merged((1...10).map { Finding("wrong", fix: "mend it", subject: "key \($0)") })
        report.entries[place].verdict = .failed(findings)
        let text = ReportFormat.json.render(report)
        let read = try #require(try JSONReportReader.read(Array(text.utf8)).first)
        #expect(read.entries[place].findings.first?.subjects == findings[0].subjects)
        let without = text.replacing(/,\s*"subjects": ?\[[^\]]*\]/, with: "")
        #expect(throws: ReportFileError.self) { try JSONReportReader.read(Array(without.utf8)) }
    }
}
