import Conformance
import Preflight
import TestSupport
import Testing

/// Results of runs against a real provider with one mistake of the user.
@Suite("Mistakes at real providers", .serialized, .phase(.providers), .timeLimit(.minutes(20)))
struct RealProviderMistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (inout Configuration) -> Void
        /// The steps that may fail, depending on how the provider reports it.
        var signInSteps: Set<Cause.SignInStep>
        /// Configuration keys that the advice names, among others.
        var keys: Set<String>
        /// The maximum number of password submissions.
        var signIns: Int
    }

    private static let mistakes: [Mistake] = [
        Mistake(
            testDescription: "a wrong password",
            make: { $0.signIn(as: "alice", password: Secret("not-the-password")) },
            signInSteps: [.signIn],
            keys: ["sign_in.password"],
            signIns: 1
        ),
        Mistake(
            testDescription: "a redirect URI that is not registered",
            make: { $0.target.redirectURI = "https://elsewhere.example/callback" },
            // Two of the products check the client and the redirect URI only after the sign-in.
            signInSteps: [.authorizationRequest, .signIn],
            keys: ["redirect_uri"],
            signIns: 2
        ),
        Mistake(
            testDescription: "a client that is not registered",
            make: { $0.target.client?.id = "nobody-by-this-name" },
            signInSteps: [.authorizationRequest, .signIn],
            keys: ["client.id"],
            // Flows whose response type has its own client still work.
            signIns: 6
        ),
    ]

    @Test(
        "a mistake is reported as the only root cause, and adds no finding",
        arguments: ["canaille", "django-oauth-toolkit", "glewlwyd"],
        mistakes
    )
    func mistake(name: String, mistake: Mistake) async throws {
        let provider = try await RealProvider("\(name)-http")
        let report = try await provider.judge(mistake: mistake.make).reports[0]
        let cause = try #require(report.causes.first, "\(report.outcome.summary)")
        #expect(mistake.signInSteps.contains(cause.signInStep), "\(cause.signInStep): \(cause.message)")
        #expect(report.causes.count == 1, "\(report.causes.map(\.message))")
        #expect(cause.mayBeConfiguration, "\(cause.message)")
        #expect(mistake.keys.isSubset(of: cause.keys), "\(cause.keys): \(cause.message)")
        #expect(report.timings.signIns <= mistake.signIns, "\(report.timings.signIns) sign-ins")
        // Findings in its documents and at its endpoints without a sign-in remain.
        let known = try Expectation(provider: name).keys(scheme: "http")
        let added = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue)
            .filter { !known.contains("failed \($0)") }
        #expect(added.isEmpty, "\(added)")
    }
}
