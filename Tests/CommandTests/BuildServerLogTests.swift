import Foundation
import Testing

/// The automatic output on a build server.
@Suite("Build servers", .timeLimit(.minutes(5)))
struct BuildServerLogTests {
    /// A document whose gate closes, with the member that is wrong on line 3.
    private static let document = """
        {
          "response_types_supported": ["code"],
          "issuer": "http://a.example/?x"
        }
        """

    private static func lint(
        _ arguments: [String] = [],
        _ environment: [String: String?],
        summary: String? = "s.md",
        output: String? = "o.txt"
    ) async throws -> (result: Program.Result, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", document)
        var variables = environment
        variables["GITHUB_STEP_SUMMARY"] = summary
        variables["GITHUB_OUTPUT"] = output
        let words = ["lint", "d.json"] + arguments
        return (try await Program.run(words, environment: variables, in: folder.path), folder)
    }

    @Test func `in GitHub Actions annotations follow the report, and summary and outputs are written`() async throws {
        let (result, folder) = try await Self.lint(["-o", "json=r.json"], ["GITHUB_ACTIONS": "true"])
        #expect(result.code == 1 && result.errors.isEmpty, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        let verdict = try #require(lines.firstIndex { $0.hasPrefix("Gate closed: ") })
        let commands = lines[(verdict + 1)...]
        #expect(!commands.isEmpty && commands.allSatisfy { $0.hasPrefix("::error ") }, "\(result.output)")
        #expect(!lines[...verdict].contains { $0.contains("::") && $0.hasPrefix("::") })
        let issuer = "::error file=d.json,line=3,title=discovery.issuer."
        #expect(commands.contains { $0.hasPrefix(issuer) }, "\(result.output)")
        #expect(try folder.read("s.md").hasPrefix("## Gate closed: "))
        #expect(try folder.read("o.txt") == "gate=closed\nsign-in=fails\nreport=r.json\n")
    }

    @Test func `summary and outputs are added to what is there`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", Self.document)
        for name in ["s.md", "o.txt"] { _ = try folder.file(name, "before\n") }
        let variables = ["GITHUB_STEP_SUMMARY": "s.md", "GITHUB_OUTPUT": "o.txt"]
        _ = try await Program.run(["lint", "d.json", "--ci", "github"], environment: variables, in: folder.path)
        #expect(try folder.read("s.md").hasPrefix("before\n## Gate closed: "))
        #expect(try folder.read("o.txt") == "before\ngate=closed\nsign-in=fails\n")
    }

    @Test(
        "-q leaves the log alone and the files written; --ci none leaves all of it; another format on standard output moves the commands",
        arguments: [
            (["-q"], 0, 0, true), (["--ci", "none"], 0, 0, false), (["-o", "json=-"], 0, 1, true),
            (["-o", "github=-"], 1, 0, true),
        ]
    )
    func choices(arguments: [String], onOutput: Int, onErrors: Int, writes: Bool) async throws {
        let (result, folder) = try await Self.lint(arguments, ["GITHUB_ACTIONS": "true"])
        #expect(result.code == 1)
        let count = { (text: String) in
            text.split(separator: "\n")
                .count { $0.hasPrefix("::error ") && $0.contains("title=discovery.issuer.uses-https") }
        }
        #expect(
            count(result.output) == onOutput && count(result.errors) == onErrors,
            "\(result.output)\(result.errors)"
        )
        #expect(FileManager.default.fileExists(atPath: folder.path + "/s.md") == writes)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/o.txt") == writes)
        if arguments == ["-q"] { #expect(result.output.split(separator: "\n").count == 1) }
    }

    @Test(
        "a file that cannot be written costs no verdict and no exit code",
        arguments: ["/dev/full", "missing/folder/s.md", "large.md"]
    )
    func unwritable(path: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", Self.document)
        _ = try folder.file("large.md", String(repeating: "x", count: 1 << 20))
        let result = try await Program.run(
            ["lint", "d.json", "--fail-on", "error", "--skip", "discovery"],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path],
            in: folder.path
        )
        #expect(result.code != 64 && result.output.contains("Inconclusive, "), "\(result.output)")
        #expect(result.errors.hasPrefix("The step summary was not written: \(path): "), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        if path == "large.md" {
            #expect(result.errors.contains("the limit is 1048576"), "\(result.errors)")
            #expect(try folder.read("large.md").utf8.count == 1 << 20)
        }
    }

    @Test func `in GitLab every check is folded before the report, whose verdict stays the last line`() async throws {
        let (result, _) = try await Self.lint([], ["GITLAB_CI": "true"])
        let mark =
            #/^\e\[0Ksection_start:[0-9]{10}:oidc_preflight_checks\[collapsed=true\]\r\e\[0Koidc-preflight: every check\n/#
        #expect(result.output.firstMatch(of: mark) != nil, "\(result.output.prefix(200))")
        let parts = result.output.components(separatedBy: "oidc_preflight_checks\r\u{1B}[0K\n")
        try #require(parts.count == 2)
        #expect(parts[0].contains("discovery.response-types-supported.is-present ·"), "every check is in it")
        #expect(parts[1].hasPrefix("oidc-preflight 0.") && parts[1].contains("BLOCKING: "))
        #expect(parts[1].split(separator: "\n").last?.hasPrefix("Gate closed: ") == true)
        let (quiet, _) = try await Self.lint(["-q"], ["GITLAB_CI": "true"])
        #expect(quiet.output.hasPrefix("Gate closed: ") && !quiet.output.contains("\u{1B}"))
        let (json, _) = try await Self.lint(["-o", "json=-"], ["GITLAB_CI": "true"])
        #expect(json.output.hasPrefix("{"))
    }

    @Test func `in Azure issues follow the report, and the summary is in the agent's folder`() async throws {
        let agent = try TemporaryFolder()
        let (result, folder) = try await Self.lint([], ["TF_BUILD": "True", "AGENT_TEMPDIRECTORY": agent.path])
        #expect(
            result.output.contains(
                "\n##vso[task.logissue type=error;sourcepath=d.json;linenumber=3;code=discovery.issuer."
            ),
            "\(result.output)"
        )
        let upload = try #require(result.output.split(separator: "\n").last)
        let path = String(upload.dropFirst("##vso[task.uploadsummary]".count))
        #expect(path.hasPrefix(agent.path + "/oidc-preflight-") && path.hasSuffix(".md"), "\(upload)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("## Gate closed: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/s.md"))
    }

    @Test func `a file is named from the root of the checkout`() async throws {
        let folder = try TemporaryFolder()
        let root = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        let name = URL(fileURLWithPath: folder.path).lastPathComponent
        _ = try folder.file("d.json", Self.document)
        let result = try await Program.run(
            ["lint", "d.json"],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": root],
            in: folder.path
        )
        #expect(result.output.contains("::error file=\(name)/d.json,line="), "\(result.output)")
    }

    @Test func `elsewhere nothing is said to a build server`() async throws {
        let (result, folder) = try await Self.lint([], ["GITHUB_ACTIONS": "false"])
        #expect(!result.output.contains("::error") && !FileManager.default.fileExists(atPath: folder.path + "/s.md"))
        let (wrong, _) = try await Self.lint(["--ci", "jenkins"], [:])
        #expect(wrong.code == 64 && wrong.errors.contains("github, gitlab, azure or none"), "\(wrong.errors)")
    }

    private static let configuration = "issuer: https://idp.example.com\nclient:\n  id: c\n  colour: blue\n"

    /// Mistakes that end the program before a run.
    struct Mistaken: Sendable {
        var words: [String]
        var variables: [String: String]
        /// The lines of standard error that are log commands.
        var commands: [String]
    }

    @Test(
        "an error before a run is shown at its line, or without a file",
        arguments: [
            Mistaken(
                words: ["check", "-c", "sub/p.yaml"],
                variables: ["GITHUB_ACTIONS": "true"],
                commands: ["::error file=sub/p.yaml,line=4::unknown key “colour” in “client”"]
            ),
            Mistaken(
                words: ["config", "check", "-c", "sub/p.yaml"],
                variables: ["TF_BUILD": "True"],
                commands: [
                    "##vso[task.logissue type=error;sourcepath=sub/p.yaml;linenumber=4;]unknown key “colour” in “client”"
                ]
            ),
            Mistaken(
                words: ["check", "-c", "none.yaml"],
                variables: ["GITHUB_ACTIONS": "true"],
                commands: ["::error::none.yaml: "]
            ),
            Mistaken(
                words: ["check", "--fail-on", "x%0A::y", "--colour"],
                variables: ["GITHUB_ACTIONS": "true"],
                commands: ["::error::", "::error::"]
            ),
            Mistaken(
                words: ["check", "-c", "sub/p.yaml", "--ci", "azure"],
                variables: ["GITHUB_ACTIONS": "true"],
                commands: ["##vso[task.logissue type=error;sourcepath="]
            ),
            Mistaken(words: ["check", "-c", "sub/p.yaml", "--ci", "none"], variables: ["TF_BUILD": "1"], commands: []),
            Mistaken(words: ["check", "-c", "sub/p.yaml", "-q"], variables: ["TF_BUILD": "1"], commands: []),
            Mistaken(words: ["check", "-c", "sub/p.yaml"], variables: ["GITLAB_CI": "1"], commands: []),
            Mistaken(words: ["check", "-c", "sub/p.yaml"], variables: [:], commands: []),
        ]
    )
    func mistakes(_ case: Mistaken) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/sub",
            withIntermediateDirectories: false
        )
        _ = try folder.file("sub/p.yaml", Self.configuration)
        let result = try await Program.run(`case`.words, environment: `case`.variables, in: folder.path)
        #expect(result.code == 64 && result.output.isEmpty, "\(result.output)")
        let found = result.errors.split(separator: "\n").filter { $0.hasPrefix("::") || $0.contains("##vso[") }
        #expect(found.count == `case`.commands.count, "\(result.errors)")
        for (command, start) in zip(found, `case`.commands) { #expect(command.hasPrefix(start), "\(command)") }
        // The message is there as well, as on any terminal.
        #expect(!result.errors.hasPrefix("::") && !result.errors.hasPrefix("##"), "\(result.errors)")
    }
}
