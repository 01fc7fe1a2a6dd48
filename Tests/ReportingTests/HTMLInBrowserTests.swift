import Foundation
import JSONTree
import OtherPrograms
import Reporting
import TestSupport
import Testing

private let axe = Oracle.python("axe_core_python")

/// The page in a browser: by mouse and keyboard, on a phone, in both themes, printed, without scripts, and checked by axe.
@Suite(
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(.program("chromium")),
    .oracle(.program("chromedriver")),
    .oracle(axe)
)
struct HTMLInBrowserTests {
    private struct Verdict {
        var problems: [String]
        var done: JSON
    }

    private static func use(_ pages: [String]) async throws -> [Verdict] {
        let python = try await axe.path()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "oidc-preflight-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = pages.indices.map { folder.appendingPathComponent("page\($0).html") }
        for (file, page) in zip(files, pages) { try Data(page.utf8).write(to: file) }
        let script = Repository.folder("Tests/ReportingTests/use_page.py").path
        let answer = try await OtherProgram.run(python, [script] + files.map(\.path), limit: .seconds(240))
        try #require(answer.isSuccess, "\(answer.errors.suffix(2_000))")
        let root = try JSONDocument.parse(answer.text).root
        return files.map { file in
            let verdict = root[file.path]
            return Verdict(
                problems: verdict?["problems"]?.strings ?? ["nothing was said of it"],
                done: verdict?["done"] ?? .null
            )
        }
    }

    @Test func `the page is usable`() async throws {
        let samples = HTMLReportTests.samples()
        let hostile = ReportFormat.html.render(
            HostileTests.report(
                "</script><script>window.wasRun = true</script><img src=https://evil.example/x onerror=alert(1)> '\""
            )
        )
        // The same page with unreadable colors and a field without a label, in which this test must find both errors.
        let spoiled = samples[1].replacing("<label for=\"filter-text\">Text</label>", with: "")
            .replacing("--ink: #1b1f24", with: "--ink: #b0b4b8")
            .replacing("id=\"reset\"", with: "id=\"reset\" tabindex=\"-1\"")
        let verdicts = try await Self.use([samples[1], samples[3], hostile, spoiled])
        for (place, verdict) in verdicts.dropLast().enumerated() {
            #expect(verdict.problems == [], "page \(place)")
            #expect((verdict.done["rules"]?.integerValue ?? 0) > 60, "page \(place)")
            #expect((verdict.done["filters"]?.integerValue ?? 0) >= 4, "page \(place)")
            #expect((verdict.done["stops"]?.integerValue ?? 0) > 10, "page \(place)")
            #expect((verdict.done["plain"]?.integerValue ?? 0) > 1, "page \(place)")
            #expect((verdict.done["paper"]?.integerValue ?? 0) > 10_000, "page \(place)")
        }
        let found = verdicts.last?.problems.joined(separator: "\n") ?? ""
        // The policy allows only the original style of the page.
        #expect(found.contains("violates the following Content Security Policy directive"), "\(found)")
        #expect(found.contains("label: Form elements must have labels"), "\(found)")
        #expect(found.contains("reset is not reached by the keyboard"), "\(found)")
    }
}
