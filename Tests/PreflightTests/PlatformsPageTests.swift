import Conformance
import Foundation
import Preflight
import Profiles
import TestSupport
import Testing

/// The page `Documentation/Platforms.md`: what `lint` reports of recorded documents of real providers, for every platform.
@Suite("Documents at platforms, GeneratedPages", .phase(.programs), .timeLimit(.minutes(5)))
struct PlatformsPageTests {
    private static let environment = Environment(
        variable: { _ in nil },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )
    private static let introduction = """
        # Discovery documents of real providers at the platforms

        To compare a discovery document with the rules of every platform, run `lint DOCUMENT --profile all`. This page has the results for the documents in
        [Tests/Fixtures/corpus](../Tests/Fixtures/corpus/README.md). The documents are as they were at some date, and some show the defaults of a product.
        **Open** means only that nothing in the document prevents a sign-in: no key set was read, no user signed in, and the platform's settings were not
        compared. To check a provider of yours, run `check`.

        A check that closes the gate of every platform is named once. `make samples` writes this page.

        | document | open | closed by |
        | --- | ---: | --- |

        """

    /// The table of the personas, whose gates `PersonaGateTests` verifies.
    private static var personas: String {
        let rows = Fixture.table("persona-gates").dropFirst()
            .map { cells in
                let names = { (cell: String) in
                    cell == "-" ? "" : cell.split(separator: " ").map { "`\($0)`" }.joined(separator: ", ")
                }
                return
                    "| `\(cells[0])` | \(cells[1]) | \(cells[2]) | \(cells[3...5].map(names).joined(separator: " | ")) |"
            }
        return """
            ## Real providers, imitated on this machine

            `provider --persona NAME --config-out preflight.yaml` starts a provider that requires of its clients what the
            real one requires, as far as its public documentation says so, and writes the configuration that it accepts. The table has the
            checks that close the gate with this configuration, for the profile `openid` and for Firebase, and other platforms whose gate is open.

            | persona | provider | requires | closes at `openid` | closes at `firebase-oidc` | open at |
            | --- | --- | --- | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            """
    }

    @Test("the page matches lint's report of each document for each platform")
    func page() async throws {
        let names = Fixture.names(in: "corpus/discovery").map { String($0.dropLast(".json".count)) }.sorted()
        #expect(names.count >= 61)
        var options = RunOptions()
        options.profiles = ProfileLibrary.members(of: "all")
        options.tier = .static
        var rows: [String] = []
        for name in names {
            let bytes = try await Fixture.bytes("corpus/discovery/\(name).json.gz")
            let documents = try LintDocuments(discovery: (name, bytes))
            let evidence = PreflightRun.lintEvidence(documents, issuer: nil, now: 0)
            let run = try JointRun(Configuration(judging: evidence), options, Self.environment)
            rows.append("| \(name) | \(Self.cells(of: run.judge(JointEvidence(evidence), now: 0).reports)) |")
        }
        let text = Self.introduction + rows.joined(separator: "\n") + "\n\n" + Self.personas
        try GeneratedPagesTests.expect(
            text,
            in: GeneratedPagesTests.root.appendingPathComponent("Documentation/Platforms.md")
        )
    }

    /// The number of open gates, and each closing check with its platforms, the one that closes most first.
    private static func cells(of reports: [Report]) -> String {
        var platforms: [(check: CheckID, names: [String])] = []
        for report in reports {
            for entry in report.entries where entry.closesGate {
                let place = platforms.firstIndex { $0.check == entry.id } ?? platforms.count
                if place == platforms.count { platforms.append((entry.id, [])) }
                platforms[place].names.append(report.profile.name)
            }
        }
        let texts = platforms.enumerated()
            .sorted { (-$0.element.names.count, $0.offset) < (-$1.element.names.count, $1.offset) }
            .map { _, one in
                let isEveryPlatform = one.names.count == reports.count
                return "`\(one.check)`: " + (isEveryPlatform ? "all" : one.names.joined(separator: ", "))
            }
        let open = reports.count { report in !report.entries.contains(where: \.closesGate) }
        return "\(open) of \(reports.count) | \(texts.joined(separator: "; "))"
    }
}
