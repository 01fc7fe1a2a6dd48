import Conformance
import ReferenceProvider
import TestSupport
import Testing

/// The address of its metadata that a protected resource names, where nothing responds.
@Suite("Dead addresses of metadata", .phase(.sockets), .timeLimit(.minutes(20)))
struct DeadMetadataTests {
    @Test(
        "a refused connection is an error, and a name that does not resolve may be the network's fault",
        arguments: [("http://127.0.0.1:1/metadata", true), ("http://no-such-host.invalid/metadata", false)]
    )
    func dead(address: String, isError: Bool) async throws {
        let fault = Fault(
            "platform.resource.metadata-is-available",
            "a dead address",
            change: { hooks in
                hooks.protectedResource = { isMetadata, answer in
                    if !isMetadata { answer.setHeader("WWW-Authenticate", "Bearer resource_metadata=\"\(address)\"") }
                }
            }
        )
        let report =
            try await Laboratory.collect(
                .standard,
                faults: [fault],
                profile: "mcp-host",
                over: .sockets,
                tier: .static,
                configure: { $0.resource = "https://\(Target.authority(of: $0.issuer))/resource" }
            )
            .report
        let checks = report.entries.filter { $0.id.rawValue.hasPrefix("platform.resource.metadata") }
        let closing = checks.filter(\.closesGate).map(\.id)
        #expect(closing == (isError ? [fault.trips] : []), "\(checks.map(\.verdict))")
        #expect(checks.contains(where: \.blocksOpening) != isError, "\(checks.map(\.verdict))")
        #expect((report.outcome.gate == .closed) == isError, "\(report.outcome.summary)")
    }
}
