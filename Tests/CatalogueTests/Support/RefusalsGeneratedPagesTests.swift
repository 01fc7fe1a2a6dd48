import Catalogue
import Conformance
import Foundation
import Preflight
import Testing

/// The records that are generated from the table of clients and compiled into the program.
@Suite("Refusals, GeneratedPages", .timeLimit(.minutes(5)))
struct RefusalsGeneratedPagesTests {
    @Test("the compiled-in record of clients that reject each fault matches the table of clients")
    func refusals() throws {
        let lines = Catalogue.all.flatMap { check in Refusals.Variant.allCases.compactMap { Self.line(check, $0) } }
        try Self.expect([Refusals.heading] + lines, in: "refusals.tsv")
    }

    @Test("the page of rejected faults names every client")
    func page() throws {
        let text = try ClientsPage.text()
        for client in ClientTable.clients { #expect(text.contains("`\(client)`"), "\(client)") }
        guard let site = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_SITE"] else { return }
        try text.write(toFile: site + "/Documentation/Clients.md", atomically: true, encoding: .utf8)
    }

    /// Expects the lines in a record of the program, or writes them there when files are recorded.
    private static func expect(_ lines: [String], in file: String) throws {
        let url = ClientTable.repository.appendingPathComponent("Sources/Preflight/Explanations/\(file)")
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1" {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let isCurrent = (try? String(contentsOf: url, encoding: .utf8)) == text
        #expect(isCurrent, "Sources/Preflight/Explanations/\(file) is stale; regenerate it with: make samples")
    }

    @Test("the page of client libraries describes every client of the table")
    func clientsAreKnown() throws {
        let page = ClientTable.repository.appendingPathComponent("Documentation/Client-Libraries.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for client in ClientTable.clients { #expect(text.contains("`\(client)`"), "\(client)") }
    }

    /// The results of all faults of a check; `nil` if an ordinary sign-in does not show them.
    private static func line(_ check: Check, _ variant: Refusals.Variant) -> String? {
        let rows = ClientTable.rows.filter { $0.check == check.id && $0.isOrdinary == (variant == .code) }
        var endings: [(step: String, clients: [String])] = []
        for client in ClientTable.clients {
            guard let step = rows.lazy.compactMap({ $0.steps[client] }).first else { continue }
            if let index = endings.firstIndex(where: { $0.step == step }) {
                endings[index].clients.append(client)
            } else {
                endings.append((step, [client]))
            }
        }
        let isShown = variant == .code && check.needs.allSatisfy(isSeenBySigningIn)
        guard let tried = rows.map(\.tried).max(), tried > 0, !endings.isEmpty || isShown else { return nil }
        let refused = endings.map { Refusals.ClientsByStep(step: $0.step, clients: $0.clients) }
        return Refusals(check: check.id, variant: variant, tried: tried, endings: refused).line
    }

    /// Whether an ordinary sign-in covers the needs of a check, so that acceptance is meaningful.
    private static func isSeenBySigningIn(_ need: Need) -> Bool {
        switch need {
        case .discovery, .publication, .keys, .hosts, .flows: true
        default: false
        }
    }
}
