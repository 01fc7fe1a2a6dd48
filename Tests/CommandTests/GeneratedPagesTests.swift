import Foundation
import OtherPrograms
import TestSupport
import Testing

/// What the program says of itself, kept as files: a change of the command line is seen in a diff.
@Suite("Pages of the command line")
struct GeneratedPagesTests {
    /// The names that lead to each command.
    private static let commands = [
        "", "check", "try", "sign-in", "sign-in test", "sign-in record", "sign-in save", "judge", "diff", "register",
        "curl", "lint",
        "token", "plan", "checks", "checks list", "checks explain", "profiles", "profiles list", "profiles show",
        "provider", "demo", "doctor", "init", "config", "config check", "config schema", "completions", "fleet",
        "fleet judge", "fleet merge", "fleet report",
    ]

    private static func fileName(_ command: String) -> String {
        (["oidc-preflight"] + command.split(separator: " ").map(String.init)).joined(separator: "-")
    }

    @Test("the help of each command", arguments: commands)
    func help(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let result = try await Program.run(words + ["--help"], environment: ["COLUMNS": "80"])
        #expect(result.code == 0 && result.errors.isEmpty)
        try CommittedFile.expect(result.output, in: "Tests/Fixtures/command-line/\(Self.fileName(command)).txt")
        let asked = try await Program.run(["help"] + words, environment: ["COLUMNS": "80"])
        #expect(asked.output == result.output)
        for width in [40, 80] {
            let page = try await Program.run(words + ["--help"], environment: ["COLUMNS": "\(width)"]).output
            for line in page.split(separator: "\n") where line.contains(where: \.isLetter) {
                // A single word that is longer cannot be broken.
                let isOneWord = line.drop { $0 == " " }.split(separator: " ").filter { $0 != "\\" }.count == 1
                #expect(line.count <= width || isOneWord, "\(line)")
            }
        }
    }

    @Test("the manual page of each command, which groff understands", arguments: commands)
    func manual(command: String) async throws {
        let page = try await Program.run(["manual"] + command.split(separator: " ").map(String.init)).output
        try CommittedFile.expect(page, in: "Documentation/Manual/\(Self.fileName(command)).1")
        try await Oracle.program("groff").require()
        let judged = try await OtherProgram.run("groff", ["-man", "-ww", "-z", "-Kutf8"], input: page)
        #expect(judged.code == 0 && judged.errors.isEmpty, "\(judged.errors)")
    }

    @Test("the schema of the configuration")
    func schema() async throws {
        try CommittedFile.expect(try await Program.run(["config", "schema"]).output, in: "preflight.schema.json")
    }

    @Test("the documentation's page of all commands")
    func markdown() async throws {
        let page = try await Program.run(["manual", "--markdown"]).output
        try CommittedFile.expect(page, in: "Documentation/Commands.md")
        let told = page.matches(of: #/\n\| \[`([^`]+)`/#).map { String($0.output.1) }
        #expect(told.sorted() == Self.commands.filter { !$0.isEmpty }.sorted(), "a command has no page here")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: CommittedFile.root.appendingPathComponent("Documentation/Manual").path
        )
        // What another test writes at the moment has a hidden name until it is whole.
        let pages = files.filter { !$0.hasPrefix(".") }
        #expect(Set(pages) == Set(Self.commands.map { Self.fileName($0) + ".1" }))
    }
}
