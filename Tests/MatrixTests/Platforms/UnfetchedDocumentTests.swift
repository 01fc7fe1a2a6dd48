import Conformance
import JSONTree
import ReferenceProvider
import TestSupport
import Testing

/// A provider that states its support for client ID metadata documents, and fetches none.
@Suite("Client metadata that is not fetched", .phase(.sockets), .timeLimit(.minutes(20)))
struct UnfetchedDocumentTests {
    @Test(
        "a rejection at an https address is inconclusive, and one at http says nothing",
        arguments: [("https://client.example.com", true), (nil, false)]
    )
    func unfetched(base: String?, isInconclusive: Bool) async throws {
        let fault = Fault(
            "registration.client-document.can-sign-in",
            "no document is fetched",
            change: { hooks in
                hooks.discovery = { document, _ in document["client_id_metadata_document_supported"] = true }
            }
        )
        let run = try await Laboratory.collect(
            .standard,
            faults: [fault],
            profile: "mcp-host",
            over: .sockets,
            configure: { target in
                target.resource = "https://\(Target.authority(of: target.issuer))/resource"
                target.dynamicRegistration?.documentListener = base.map { _ in "127.0.0.1:0" }
                target.dynamicRegistration?.documentsAt = base
            }
        )
        let entries = run.report.entries.filter { $0.id.rawValue.hasPrefix("registration.client-document.") }
        #expect(entries.count == 3 && entries.allSatisfy { $0.verdict.findings.isEmpty })
        let first = try #require(entries.first { $0.id == fault.trips })
        #expect(first.blocksOpening == isInconclusive, "\(first.verdict)")
        #expect(first.verdict.reason?.contains("fetched nothing") == true, "\(first.verdict)")
        #expect(run.report.outcome.gate == (isInconclusive ? .inconclusive : .open), "\(run.report.outcome.summary)")
    }
}
