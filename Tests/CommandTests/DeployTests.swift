import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The manifests that start a batch run on engines of others.
@Suite("Manifests", .phase(.fleet), .timeLimit(.minutes(20)))
struct DeployTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test(
        "Kubernetes' manifests are what its published schemas allow, and no member is unknown",
        arguments: ["fleet.yaml", "merge.yaml"]
    )
    func kubernetes(file: String) async throws {
        let python = try await Oracle.python("kubernetes_validate").require()
        let judge = ["-m", "kubernetes_validate", "--strict"]
        let path = "\(Self.root)/Deploy/kubernetes/\(file)"
        let outcome = try await OtherProgram.run(python, judge + [path])
        #expect(outcome.isSuccess && outcome.words.contains("passed"), "\(outcome.words)")
        // The validator works: it rejects a misspelt member.
        let folder = try TemporaryFolder()
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("restartPolicy", with: "restartPolicies")
        let spoiled = try await OtherProgram.run(python, judge + [folder.file(file, text)])
        #expect(!spoiled.isSuccess, "\(spoiled.words)")
    }

    @Test("JOB_COMPLETIONS equals the manifest's completions, so that each shard knows the total")
    func completions() throws {
        let text = try String(contentsOfFile: Self.root + "/Deploy/kubernetes/fleet.yaml", encoding: .utf8)
        let completions = try #require(text.firstMatch(of: #/completions: ([0-9]+)/#)?.1)
        let stated = try #require(text.firstMatch(of: #/JOB_COMPLETIONS\s+value: "([0-9]+)"/#)?.1)
        #expect(completions == stated)
    }

    @Test(
        "the files for GitLab and GitHub match their schemas",
        arguments: [
            ("vendor.gitlab-ci", "gitlab/fleet.gitlab-ci.yml"), ("vendor.github-workflows", "github/fleet.yml"),
        ]
    )
    func pipelines(schema: String, file: String) async throws {
        let python = try await Oracle.python("check_jsonschema").require()
        let words = ["-m", "check_jsonschema", "--builtin-schema", schema, "\(Self.root)/Deploy/\(file)"]
        let outcome = try await OtherProgram.run(
            python,
            words
                + (schema.contains("gitlab") ? ["--data-transform", "gitlab-ci", "--regex-variant", "nonunicode"] : [])
        )
        #expect(outcome.isSuccess, "\(outcome.words)")
    }

    @Test("GNU parallel runs a batch in shards and merges them")
    func parallel() async throws {
        for program in ["parallel", "python3"] { try await Oracle.program(program).require() }
        let folder = try TemporaryFolder()
        // Nothing listens there, so the result is inconclusive.
        let list = try folder.file("issuers.txt", (1...6).map { "http://127.0.0.\($0):9\n" }.joined())
        let outcome = try await OtherProgram.run(
            "sh",
            [Self.root + "/Deploy/gnu-parallel/fleet.sh", "2", list, folder.path + "/out", "--quiet"],
            environment: ["OIDC_PREFLIGHT": Program.path, "RUN": "night"]
        )
        #expect(outcome.code == 2, "\(outcome.words)")
        #expect(outcome.text.contains("6 results: 0 open, 0 closed, 6 inconclusive\n"), "\(outcome.words)")
    }
}
