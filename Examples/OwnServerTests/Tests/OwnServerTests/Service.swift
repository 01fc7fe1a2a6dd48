import OIDCPreflight
import Testing

/// A service that checks the issuers of its tenants.
struct TenantCheck: Sendable {
    let http: Preflight.HTTP

    /// The message for a tenant whose issuer cannot be used for sign-in; `nil` if it can.
    func objection(to issuer: String) async throws -> String? {
        let report = try await Preflight(issuer: issuer, profile: .tokenVerifier, http: http).report()
        switch report.gate {
        case .open: return nil
        case .closed: return report.closing.map { "\($0.message) \($0.fix)" }.joined(separator: "\n")
        case .undecided: return "Try again later. " + report.causes.joined(separator: "\n")
        }
    }
}

@Test func `a tenant receives the findings that close the gate`() async throws {
    let http = Preflight.HTTP.inMemory { _ in Preflight.Response(status: 404) }
    let objection = try await TenantCheck(http: http).objection(to: "https://idp.example.com")
    #expect(objection?.isEmpty == false)
}
