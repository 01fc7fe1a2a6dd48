import Foundation
import JSONTree
import Testing

@Suite("Hostile issuers", .timeLimit(.minutes(5)))
struct HostileIssuerTests {
    /// The behaviour of a broken issuer, the exit code, and the expected text of the report.
    private static let cases: [(mode: String, code: Int, words: [String])] = [
        ("missing", 1, ["404"]),
        ("html", 1, ["403"]),
        ("page", 1, ["text/html"]),
        ("big", 2, ["2097152"]),
        ("endless", 2, ["2097152"]),
        ("loop", 1, ["302"]),
        ("deep", 1, ["deep"]),
        ("truncated", 2, ["the connection ended before the body was complete"]),
        ("control", 1, ["issuer"]),
        ("private", 1, ["169.254.169.254"]),
    ]

    @Test("each misbehaviour has a clear entry, and the reports are complete", arguments: cases.map(\.mode))
    func misbehaviour(mode: String) async throws {
        let expected = try #require(Self.cases.first { $0.mode == mode })
        try await HostileServer.run { port in
            let folder = try TemporaryFolder()
            let result = try await Program.run([
                "check", "http://127.0.0.1:\(port)/\(mode)", "--report", "json=\(folder.path)/r.json",
                "--report", "junit=\(folder.path)/r.xml", "--report", "markdown=\(folder.path)/r.md",
            ])
            #expect(result.code == expected.code, "\(result.output)\(result.errors)")
            let reported = result.output.lowercased().replacing(/\s+/, with: " ")
            for word in expected.words { #expect(reported.contains(word.lowercased()), "\(word) in \(result.output)") }
            let lines = result.output.split(separator: "\n")
            #expect(lines.count <= 60)
            // The heading and the verdict have the same number.
            if let count = result.output.firstMatch(of: #/\nINCONCLUSIVE \((\d+)[,)]/#)?.output.1 {
                #expect(lines.last?.contains(" \(count) inconclusive") == true, "\(result.output)")
            }
            let json = try JSONDocument.parse(try folder.read("r.json")).root
            #expect(json["outcome"]?["exitCode"]?.integerValue == Int64(expected.code))
            #expect(try folder.read("r.xml").contains("</testsuites>"))
            #expect(try folder.read("r.md").utf8.count < 60_000)
            #expect(!result.output.contains("\u{1B}"), "a pipe never receives escape sequences")
            #expect(!result.output.split(separator: "\n").contains { $0.hasPrefix("::") })
        }
    }

    /// Log commands that build servers interpret, on both streams.
    @Test(
        "no form of a report on standard output is a command for a build server",
        arguments: ["text", "json", "junit", "markdown"]
    )
    func commands(format: String) async throws {
        try await HostileServer.run { port in
            let result = try await Program.run([
                "check", "http://127.0.0.1:\(port)/control", "--report", "\(format)=-",
            ])
            #expect(result.code == 1)
            for line in (result.output + "\n" + result.errors).split(separator: "\n") {
                #expect(!line.contains("##[") && !line.contains("##vso["), "\(line)")
                #expect(!line.drop { $0.isWhitespace }.utf8.starts(with: "::".utf8), "\(line)")
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" }, "\(line)")
            }
            if format == "json" {
                let root = try JSONDocument.parse(result.output).root
                #expect(root["outcome"]?["exitCode"]?.integerValue == 1)
                let issuer = root["exchanges"]?.arrayValue?.first?["response"]?["body"]?["text"]?.stringValue
                #expect(
                    issuer?.contains("##vso[task.setvariable") == true,
                    "what was sent is in the record as it was sent"
                )
            }
        }
    }

    @Test(
        "an unreachable issuer is inconclusive",
        arguments: [("http://127.0.0.1:1", "refused"), ("https://no-such-host.invalid", "no-such-host.invalid")]
    )
    func unreachable(issuer: String, word: String) async throws {
        let result = try await Program.run(["check", issuer, "--quiet", "--report", "text=-"])
        #expect(result.code == 2, "\(result.output)\(result.errors)")
        #expect(result.output.contains(word), "\(result.output)")
    }

    @Test("waiting for an issuer ends when the time is over")
    func waiting() async throws {
        let result = try await Program.run([
            "check", "http://127.0.0.1:1", "--wait-for-issuer", "1", "--report", "text=-",
        ])
        #expect(result.code == 2)
        #expect(result.errors.contains("waiting for the issuer"))
    }
}
