import Conformance
import ReferenceProvider
import Testing

/// The gate of each platform opens for a correct provider of the kind that it is made for.
@Suite("Platforms")
struct PlatformGateTests {
    struct Row: Sendable, CustomStringConvertible {
        var profile: String
        var persona: Persona
        var description: String { "\(profile), \(persona)" }
    }

    static let rows: [Row] = [
        Row(profile: "oauth-security-bcp", persona: .codeOnly), Row(profile: "supabase", persona: .codeOnly),
        Row(profile: "google-identity-platform", persona: .implicitOnly),
        Row(profile: "aws-cognito", persona: .standard), Row(profile: "entra-external-id", persona: .codeOnly),
        Row(profile: "auth0-enterprise", persona: .manyKeys), Row(profile: "appauth", persona: .publicClient),
        Row(profile: "token-verifier", persona: .minimal), Row(profile: "aws-iam", persona: .pairwise),
        Row(profile: "google-workload-identity", persona: .pairwise),
        Row(profile: "kubernetes", persona: .implicitOnly),
        Row(profile: "vault", persona: .assertionClient), Row(profile: "sigstore-fulcio", persona: .codeOnly),
    ]

    @Test("a correct provider opens the gate of a platform that is made for its kind", arguments: rows)
    func opens(row: Row) async throws {
        let (_, report) = try await Laboratory.judge(row.persona, profile: row.profile)
        let errors = report.entries.filter { $0.level == .error && !$0.verdict.findings.isEmpty }
        let told = errors.map { "\($0.id): \($0.verdict.findings.map(\.message))" }
        #expect(errors.isEmpty, "\(told)")
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }

    @Test("FAPI 2.0 closes its gate to a provider of ordinary sign-ins, for the reasons that its text gives")
    func fapi() async throws {
        let (_, report) = try await Laboratory.judge(.standard, profile: "fapi2-security")
        let errors = report.entries.filter { $0.level == .error && !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(
            Set(errors) == [
                "platform.metadata.client-authentication-is-offered", "platform.metadata.signing-algorithm-is-offered",
                "platform.client.authentication-is-accepted",
            ]
        )
        #expect(report.outcome.gate == .closed)
    }

    @Test("a sign-in that fails by an unexpected code_verifier tells of client.pkce")
    func unexpectedVerifier() async throws {
        let result = try await Laboratory.collect(.linkedin) { $0.client?.sendsPKCE = nil }
        let entry = try #require(result.report.entries.first { $0.id == "token.status.is-200" })
        #expect(entry.verdict.findings.map(\.fix).contains { $0.contains("client.pkce: false") })
    }

    @Test(
        "a client without PKCE opens no platform that demands it, and says nothing of the provider's PKCE",
        arguments: ["spa", "appauth", "oauth-security-bcp", "fapi2-security"]
    )
    func withoutPKCE(profile: String) async throws {
        let (_, report) = try await Laboratory.judge(.linkedin, profile: profile)
        #expect(report.entries.filter(\.closesGate).map(\.id).contains("platform.client.sends-pkce"))
        #expect(report.outcome.gate == .closed)
        let verifiers = report.entries.filter { $0.id.rawValue.hasPrefix("token.code-verifier.") && $0.wasSelected }
        #expect(verifiers.allSatisfy { $0.verdict.word == "notApplicable" }, "\(verifiers.map(\.verdict))")
    }
}
