import Foundation
import Testing

/// The destinations of reports, and the messages on the terminal.
@Suite("Report files", .timeLimit(.minutes(5)))
struct ReportFileTests {
    private static let document = #"{"issuer": "https://a.example"}"#

    struct Case: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        /// The files that are written, and no others.
        var files: [String] = []
        /// The start of standard output.
        var output: String
        /// Whether the verdict is on standard error.
        var reportsOnErrors = false
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        arguments: [
            Case(arguments: [], output: "oidc-preflight 0."),
            Case(arguments: ["-q"], output: "Gate closed: "),
            Case(arguments: ["-o", "text=a.txt"], files: ["a.txt"], output: "oidc-preflight 0."),
            Case(arguments: ["--report", "junit=a.xml", "-q"], files: ["a.xml"], output: "Gate closed: "),
            Case(arguments: ["--report", "json=-"], output: "{", reportsOnErrors: true),
            Case(arguments: ["--report", "junit=-", "-q"], output: "<?xml", reportsOnErrors: true),
            Case(arguments: ["--report", "html=-"], output: "<!DOCTYPE html>", reportsOnErrors: true),
            Case(arguments: ["--report", "har=a.har", "-q"], files: ["a.har"], output: "Gate closed: "),
            Case(arguments: ["-o", "text=-"], output: "oidc-preflight 0."),
            Case(
                arguments: ["--report-dir", "all"],
                files: [
                    "badge.json", "code-quality.json", "ctrf.json", "github.txt", "html", "json", "md", "openmetrics",
                    "sarif", "tap", "txt", "xml",
                ]
                .map { "all/report.\($0)" },
                output: "oidc-preflight 0."
            ),
        ]
    )
    func `nothing is written unless asked, and the verdict always reaches the terminal`(example: Case) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", Self.document)
        let words = ["lint", "--discovery", "d.json"] + example.arguments
        let result = try await Program.run(words, in: folder.path)
        #expect(result.code == 1)
        #expect(result.output.hasPrefix(example.output), "\(result.output)")
        let written = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(written.filter { $0.contains(".") && $0 != "d.json" }.sorted() == example.files)
        let stream = example.reportsOnErrors ? result.errors : result.output
        let verdict = try #require(stream.split(separator: "\n").last)
        #expect(verdict.hasPrefix("Gate closed: ") && verdict.hasSuffix("; exit code 1"), "\(verdict)")
        #expect(result.errors.isEmpty != example.reportsOnErrors)
        // Files contain every check, and the terminal shows what matters.
        for file in example.files where file.hasSuffix(".txt") && !file.hasSuffix(".github.txt") {
            #expect(try folder.read(file).contains("discovery.issuer.matches-request ·"))
            #expect(!result.output.contains("discovery.issuer.matches-request"))
        }
    }

    @Test("a folder that cannot be written to is reported before any check")
    func forbidden() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", Self.document)
        let result = try await Program.run(
            ["lint", "--discovery", "d.json", "--report-dir", "d.json"],
            in: folder.path
        )
        #expect(
            result.code == 64 && result.errors.contains("a file exists where a folder is needed"),
            "\(result.errors)"
        )
    }

    @Test(
        "a full disk does not hide the verdict; an open gate exits with 64, other codes are unchanged",
        arguments: [
            (["markdown=/dev/full"], true, 64), (["markdown=/dev/full"], false, 1),
            (["json=/dev/full", "junit=r.xml"], true, 64),
        ]
    )
    func fullDisk(reports: [String], isSound: Bool, code: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", isSound ? OutputTests.good : Self.document)
        let result = try await Program.run(["lint", "d.json"] + reports.flatMap { ["-o", $0] }, in: folder.path)
        #expect(result.code == code, "\(result.errors)")
        #expect(result.errors.contains("/dev/full: no space left on the device"), "\(result.errors)")
        #expect(result.output.contains(isSound ? "Gate open" : "Gate closed"), "\(result.output)")
        #expect(!result.errors.contains("defect"))
        if reports.count > 1 { #expect(try folder.read("r.xml").contains("<testsuite")) }
    }

    @Test("a report replaces an older one atomically and keeps its mode")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", Self.document)
        _ = try folder.file("old.xml", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/old.xml")
        let result = try await Program.run(
            ["lint", "d.json", "-o", "junit=old.xml", "-o", "text=new/deep/r.txt"],
            in: folder.path
        )
        #expect(result.code == 1, "\(result.errors)")
        #expect(try folder.read("old.xml").contains("<testsuite"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/old.xml")[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(try folder.read("new/deep/r.txt").contains("Gate closed"))
        let left = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(!left.contains { $0.hasSuffix(".part") })
    }
}
