import Conformance
import ReferenceProvider
import Testing

/// Members of the discovery document that no client can use: their checks are skipped, and leave no gate inconclusive.
@Suite("Unusable members", .timeLimit(.minutes(5)))
struct UnusableMemberTests {
    @Test(
        "an unusable address of an endpoint that the platform does not use leaves the gate open",
        arguments: [
            ("end_session_endpoint", "logout.id-token-hint.forged-leads-nowhere", "relying-party"),
            ("userinfo_endpoint", "userinfo.no-token.is-refused", "argo-cd"),
        ],
        [#""""#, #""https://127.0.0.1:undefined/x""#, #""https://[idp.example]/x""#, #""127.0.0.1:8443/x""#]
    )
    func address(row: (member: String, check: CheckID, profile: String), value: String) async throws {
        let report = try await report("document.\(row.member)=\(value)", profile: row.profile)
        #expect(report.outcome.gate == .open, "\(report.entries.filter(\.blocksOpening).map(\.id))")
        let entry = try #require(report.entries.first { $0.id == row.check })
        #expect(entry.verdict.reason == "\(row.member) is not a URL that a client can use")
    }

    @Test(
        "sign-ins fail at a platform that uses UserInfo if its address is unusable",
        arguments: ["pomerium", "gitea"]
    )
    func userInfo(platform: String) async throws {
        let report = try await report(#"document.userinfo_endpoint="https://127.0.0.1:99999/x""#, profile: platform)
        #expect(report.outcome.gate != .open)
    }

    @Test("null counts as a missing member, and not as the promise of a feature")
    func promise() async throws {
        let report = try await report("document.request_parameter_supported=null", profile: "openid")
        let closing = report.entries.filter { $0.blocksOpening || $0.closesGate }.map(\.id)
        #expect(report.outcome.gate == .open, "\(closing)")
    }

    private func report(_ departure: String, profile: String) async throws -> Report {
        let change = Departure(departure)
        let fault = Fault("discovery.url-members.are-absolute", departure, change: { change.apply(to: &$0) })
        return try await Laboratory.collect(.codeOnly, faults: [fault], profile: profile).report
    }
}
