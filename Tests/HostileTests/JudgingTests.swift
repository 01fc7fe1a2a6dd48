import Conformance
import Foundation
import JSONTree
import Preflight
import Reporting
import TestSupport
import Testing

/// The largest and strangest documents that are read have reports of a usable size.
@Suite(.phase(.hostile), .timeLimit(.minutes(5))) struct JudgingTests {
    struct Document: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var discovery: String?
        var keys: String?
    }

    private static let metadata =
        #""issuer":"https://op.example","authorization_endpoint":"https://op.example/a","token_endpoint":"https://op.example/t","#
        + #""jwks_uri":"https://op.example/k","response_types_supported":["code"],"subject_types_supported":["public"],"#
        + #""id_token_signing_alg_values_supported":["RS256"]"#

    private static func many(_ count: Int, _ write: (Int) -> String) -> String {
        (0..<count).map(write).joined(separator: ",")
    }

    static let documents = [
        Document(
            testDescription: "60,000 members",
            discovery: "{\(metadata),\(many(60_000) { "\"member_\($0)\":\"\($0)\"" })}"
        ),
        Document(
            testDescription: "60,000 members with names that differ by one letter",
            discovery: "{\(metadata),\(many(60_000) { "\"claims_supported\($0)\":[]" })}"
        ),
        Document(
            testDescription: "lists of 20,000 values",
            discovery: "{\(metadata),\"scopes_supported\":[\(many(20_000) { "\"s\($0)\"" })],"
                + "\"claims_supported\":[\(many(20_000) { "\"c\($0)\"" })],\"acr_values_supported\":[\(many(20_000) { "\"a\($0)\"" })],"
                + "\"grant_types_supported\":[\(many(20_000) { "\"g\($0)\"" })]}"
        ),
        Document(
            testDescription: "a text of 2 MB",
            discovery: "{\(metadata),\"x\":\"\(String(repeating: "\\u0061", count: 330_000))\"}"
        ),
        Document(testDescription: "two million opening brackets", discovery: String(repeating: "[", count: 2_000_000)),
        Document(
            testDescription: "repeated members",
            discovery: "{\(metadata),\(many(200) { _ in "\"issuer\":\"https://op.example\"" })}"
        ),
        Document(
            testDescription: "12,000 keys with one kid",
            keys:
                "{\"keys\":[\(many(12_000) { "{\"kty\":\"RSA\",\"kid\":\"1\",\"use\":\"sig\",\"n\":\"AQAB\($0)\",\"e\":\"AQAB\"}" })]}"
        ),
        Document(
            testDescription: "12,000 keys with 12,000 kids",
            keys: "{\"keys\":[\(many(12_000) { "{\"kty\":\"oct\",\"kid\":\"\($0)\",\"k\":\"AQAB\"}" })]}"
        ),
        Document(
            testDescription: "12,000 invalid keys",
            keys:
                "{\"keys\":[\(many(12_000) { "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\($0)\",\"y\":\"AA\",\"x5c\":[\"MIIB\"]}" })]}"
        ),
    ]

    /// A run that reads these documents twice with the members in a different order, so that all are compared.
    static func run(over document: Document) throws -> (run: PreflightRun, evidence: Evidence) {
        let documents = try LintDocuments(
            discovery: document.discovery.map { ("openid-configuration.json", Array($0.utf8)) },
            keys: document.keys.map { ("jwks.json", Array($0.utf8)) }
        )
        var evidence = PreflightRun.lintEvidence(documents, issuer: "https://op.example", now: 1_800_000_000)
        if document.discovery != nil { evidence.discoveryRefetched = Self.reversed(evidence.discovery) }
        if document.keys != nil { evidence.keysRefetched = Self.reversed(evidence.keys) }
        let run = try PreflightRun(
            configuration: Configuration(judging: evidence),
            tier: .static,
            environment: Environment(
                variable: { _ in nil },
                readFile: { .failure(FileError(path: $0, reason: "no such file")) }
            )
        )
        return (run, evidence)
    }

    @Test(arguments: documents)
    func `a document within the limits is evaluated, and every report of it is bounded`(document: Document) throws {
        let (run, evidence) = try Self.run(over: document)
        let report = run.judge(evidence, now: 1_800_000_000)
        // Every run has a decision, and the gate may be open: some documents are valid except for their size.
        #expect((0...1).contains(report.outcome.exitCode))
        for format in ReportFormat.allCases {
            let text = format.render(report, options: ReportOptions(width: 40, verbosity: .full, explains: true))
            #expect(text.utf8.count <= 20 << 20, "\(format): \(text.utf8.count) bytes")
            if format == .text { #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 2_001) }
            if format == .json {
                let root = try JSONDocument.parse(text, valueLimit: JSONDocument.ownValueLimit).root
                #expect(root["outcome"]?["exitCode"]?.integerValue == Int64(report.outcome.exitCode))
            }
            if format == .junit { #expect(text.hasSuffix("</testsuites>\n")) }
        }
    }

    /// The same document with its members in a different order.
    private static func reversed(_ document: Observation<Document_>) -> Observation<Document_> {
        guard case .observed(var document) = document, let bytes = document.body.bytes,
            let root = try? JSONDocument.parse(bytes).root, let object = root.objectValue
        else { return document }
        document.body = Body(Array(JSONObject(object.members.reversed()).serialized().utf8))
        return .observed(document)
    }

    private typealias Document_ = Conformance.Document

    @Test func `a report of many large answers is bounded, and says what it leaves out`() throws {
        let documents = try LintDocuments(others: [("k.json", Array(#"{"keys":[]}"#.utf8))])
        let evidence = PreflightRun.lintEvidence(documents, issuer: nil, now: 0)
        let run = try PreflightRun(
            configuration: Configuration(judging: evidence),
            tier: .static,
            environment: Environment(
                variable: { _ in nil },
                readFile: { .failure(FileError(path: $0, reason: "no such file")) }
            )
        )
        var report = run.judge(evidence, now: 0)
        let body = Body(Array(String(repeating: "\u{1}x", count: 40_000).utf8))
        report.exchanges = (0..<1_500)
            .map { number in
                Exchange(
                    id: number,
                    step: "attack",
                    request: Exchange.Request(method: "GET", url: "https://op.example/", headers: [], body: nil),
                    response: Exchange.Response(status: 200, headers: [], body: body),
                    failure: nil,
                    timings: Exchange.Timings(),
                    peer: nil,
                    tlsVersion: nil,
                    startedAt: 0
                )
            }
        let text = ReportFormat.json.render(report)
        #expect(text.utf8.count <= 20 << 20)
        let notes = try JSONDocument.parse(text).root["notes"]?.arrayValue ?? []
        #expect(notes.last?.stringValue?.contains("1500 response bodies") == true, "\(notes)")
    }
}
