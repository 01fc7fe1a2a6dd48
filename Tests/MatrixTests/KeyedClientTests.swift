import Conformance
import ReferenceProvider
import Testing

/// A client that authenticates with a key has no secret.
@Suite("Clients with a key", .timeLimit(.minutes(5)))
struct KeyedClientTests {
    @Test("a provider need not replace the refresh tokens of a client that authenticates with a key")
    func refreshTokens() async throws {
        let habit = Fault(
            "token.refresh.rotates-for-public-clients",
            "refresh tokens are not replaced",
            persona: .assertionClient,
            change: { $0.life.rotates = false }
        )
        let report = try await Laboratory.judge(.assertionClient, faults: [habit]).report
        let entry = try #require(report.entries.first { $0.id == habit.trips })
        #expect(entry.verdict.word == "notApplicable", "\(entry.verdict)")
        #expect(report.outcome.gate == .open)
    }

    @Test("a client that authenticates with a key may push a redirect URI that is not registered")
    func pushedRequests() async throws {
        let habit = Fault(
            "authorization.pushed-request.redirect-uri-is-validated",
            "redirect URIs of pushed requests are not compared",
            persona: .fapi,
            change: { hooks in
                hooks.requests.pushError = { $1?.text == "redirect_uri is not registered" ? nil : $1 }
            }
        )
        let report = try await Laboratory.judge(.fapi, faults: [habit]).report
        let entry = try #require(report.entries.first { $0.id == habit.trips })
        #expect(entry.verdict.word == "notApplicable", "\(entry.verdict)")
    }
}
