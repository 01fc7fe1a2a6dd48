import Conformance
import Preflight
import TestSupport
import Testing

/// What a run against a real provider comes to where the user made one mistake.
@Suite("Mistakes at real providers", .serialized, .phase(.providers), .timeLimit(.minutes(15)))
struct RealProviderMistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (inout Configuration) -> Void
        /// The rungs that it may break, by how the provider tells it.
        var rungs: Set<Cause.Rung>
        /// The keys of the configuration that are named, among others.
        var keys: Set<String>
        /// How often the password is sent, at most.
        var signIns: Int
    }

    private static let mistakes: [Mistake] = [
        Mistake(
            testDescription: "a wrong password",
            make: { $0.signIn(as: "alice", password: Secret("not-the-password")) },
            rungs: [.signIn],
            keys: ["sign_in.password"],
            signIns: 1
        ),
        Mistake(
            testDescription: "a redirect URI that is not registered",
            make: { $0.target.redirectURI = "https://elsewhere.example/callback" },
            // Two of the products look at client and redirect URI when somebody has signed in.
            rungs: [.authorizationRequest, .signIn],
            keys: ["redirect_uri"],
            signIns: 2
        ),
        Mistake(
            testDescription: "a client that is not registered",
            make: { $0.target.client?.id = "nobody-by-this-name" },
            rungs: [.authorizationRequest, .signIn],
            keys: ["client.id"],
            // Flows whose response type has a client of its own go on.
            signIns: 6
        ),
    ]

    @Test(
        "a mistake is told as the one cause, and adds no finding",
        arguments: ["canaille", "django-oauth-toolkit", "glewlwyd"],
        mistakes
    )
    func mistake(name: String, mistake: Mistake) async throws {
        let provider = try await RealProvider("\(name)-http")
        let report = try await provider.judge(mistake: mistake.make).reports[0]
        let cause = try #require(report.causes.first, "\(report.outcome.summary)")
        #expect(mistake.rungs.contains(cause.rung), "\(cause.rung): \(cause.message)")
        #expect(report.causes.count == 1, "\(report.causes.map(\.message))")
        #expect(cause.mayBeOurs, "\(cause.message)")
        #expect(mistake.keys.isSubset(of: cause.keys), "\(cause.keys): \(cause.message)")
        #expect(report.timings.signIns <= mistake.signIns, "\(report.timings.signIns) sign-ins")
        // What it gets wrong all the same, in its documents and at its endpoints without a sign-in, stays true.
        let known = try Expectation(provider: name).keys(scheme: "http")
        let added = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id.rawValue)
            .filter { !known.contains("failed \($0)") }
        #expect(added.isEmpty, "\(added)")
    }
}
