import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The scripts of `completions` in real shells on terminals of their own.
@Suite("Completions", .phase(.programs), .timeLimit(.minutes(5)))
struct CompletionTests {
    /// The input before Tab, and the line after it.
    private static let lines: [(typed: String, completed: String)] = [
        ("oidc-preflight regis", "oidc-preflight register "),
        ("oidc-preflight help prov", "oidc-preflight help provider "),
        ("oidc-preflight checks exp", "oidc-preflight checks explain "),
        ("oidc-preflight checks --fai", "oidc-preflight checks --fail-on "),
        ("oidc-preflight check --save-evidence-", "oidc-preflight check --save-evidence-with-secrets "),
        ("oidc-preflight check --fail-on war", "oidc-preflight check --fail-on warning "),
        ("oidc-preflight check --fail-on=war", "oidc-preflight check --fail-on=warning "),
        ("oidc-preflight check --tier unau", "oidc-preflight check --tier unauthenticated "),
        ("oidc-preflight check --profile google-id", "oidc-preflight check --profile google-identity-platform "),
        (
            "oidc-preflight check --profile openid,firebase-tw",
            "oidc-preflight check --profile openid,firebase-twitter "
        ),
        ("oidc-preflight check --profile mine", "oidc-preflight check --profile mine.yaml "),
        (
            "oidc-preflight check --only discovery.issuer.matches-r",
            "oidc-preflight check --only discovery.issuer.matches-request "
        ),
        (
            "oidc-preflight checks explain discovery.issuer.matches-r",
            "oidc-preflight checks explain discovery.issuer.matches-request "
        ),
        ("oidc-preflight register --for kub", "oidc-preflight register --for kubernetes "),
        ("oidc-preflight provider --fault keys.kid.is-uni", "oidc-preflight provider --fault keys.kid.is-unique "),
        ("oidc-preflight demo --persona microsoft-t", "oidc-preflight demo --persona microsoft-tenant "),
        ("oidc-preflight check --report mark", "oidc-preflight check --report markdown="),
        ("oidc-preflight check --report junit=repo", "oidc-preflight check --report junit=report.xml "),
        ("oidc-preflight check --report=junit=repo", "oidc-preflight check --report=junit=report.xml "),
        ("oidc-preflight check --config min", "oidc-preflight check --config mine.yaml "),
        ("oidc-preflight check --config=min", "oidc-preflight check --config=mine.yaml "),
        ("oidc-preflight judge runs/r", "oidc-preflight judge runs/run.json "),
        ("oidc-preflight demo --report-dir ru", "oidc-preflight demo --report-dir runs/"),
        ("oidc-preflight completions fi", "oidc-preflight completions fish "),
    ]

    @Test("a real shell completes what is typed", arguments: ["bash", "zsh", "fish"])
    func shell(name: String) async throws {
        for program in [name, "python3"] { try await Oracle.program(program).require() }
        let folder = try TemporaryFolder()
        for file in ["mine.yaml", "report.xml"] { _ = try folder.file(file, "") }
        try FileManager.default.createDirectory(atPath: folder.path + "/runs", withIntermediateDirectories: true)
        _ = try folder.file("runs/run.json", "")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("type_into_shell.py").path
        let outcome = try await OtherProgram.run(
            "python3",
            [script, name, folder.path, Program.path],
            input: Self.lines.map { $0.typed + "\n" }.joined()
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let completed = outcome.text.split(separator: "\n").map { String($0.dropFirst().dropLast()) }
        try #require(completed.count == Self.lines.count, "\(outcome.words)")
        for (line, completed) in zip(Self.lines, completed) {
            #expect(completed == line.completed, "\(name), after “\(line.typed)”")
        }
    }
}
