import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// Results of runs against a conformant provider with one mistake of the user.
@Suite("Mistakes of the user", .phase(.runs), .timeLimit(.minutes(20)))
struct MistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var tier: Tier?
        var faults: [Fault] = []
        var make: @Sendable (inout Configuration) -> Void
        /// The step that failed.
        var signInStep: Cause.SignInStep
        /// Contained in the message of the root cause.
        var message: String
        /// Contained in its advice.
        var advice: String
        /// The number of password submissions.
        var signIns: Int
        /// Limits: requests and seconds.
        var requests = 88
        var seconds = 10.0
    }

    private static let mistakes: [Mistake] = [
        Mistake(
            testDescription: "a wrong password",
            make: { $0.signIn(as: Persona.standard.credentials.username, password: Secret("not-the-password")) },
            signInStep: .signIn,
            message: "rejects the user name or the password",
            advice: "sign_in.username",
            signIns: 1
        ),
        Mistake(
            testDescription: "a redirect URI that is not registered",
            make: { $0.target.redirectURI = "https://elsewhere.example/callback" },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "https://elsewhere.example/callback",
            // A client that the run registers has its own redirect URI, with which the user can sign in.
            signIns: 1
        ),
        Mistake(
            testDescription: "a redirect URI that is not registered, without a user",
            tier: .unauthenticated,
            make: { $0.target.redirectURI = "https://elsewhere.example/callback" },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "https://elsewhere.example/callback",
            signIns: 0
        ),
        Mistake(
            testDescription: "a redirect URI with an extra slash",
            tier: .unauthenticated,
            make: { $0.target.redirectURI = ($0.target.redirectURI ?? "") + "/" },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "The provider accepts another redirect URI",
            signIns: 0
        ),
        Mistake(
            testDescription: "a client that is not registered",
            make: { $0.target.client?.id = "nobody-by-this-name" },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "nobody-by-this-name",
            signIns: 1
        ),
        Mistake(
            testDescription: "a client that neither endpoint accepts",
            make: {
                $0.target.client?.id = "nobody-by-this-name"
                $0.takeClientSecrets { _ in Secret("some-secret") }
            },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "First check that client.id is registered at the provider. The token endpoint rejects",
            signIns: 1
        ),
        Mistake(
            testDescription: "a wrong client secret",
            make: { $0.takeClientSecrets { _ in Secret("not-the-secret") } },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "client.authentication",
            signIns: 11,
            requests: 260,
            seconds: 30
        ),
        Mistake(
            testDescription: "a denied consent",
            faults: [
                Fault("authorization.flow.succeeds", "no user may use the client") { _ in
                } change: { hooks in
                    hooks.authorizationError = { _, error in error ?? "access_denied" }
                }
            ],
            make: { _ in },
            signInStep: .authorizationRequest,
            message: "access_denied",
            advice: "Allow the test user to use client",
            signIns: 0
        ),
        Mistake(
            testDescription: "a consent that the provider treats as denied",
            faults: [
                Fault("authorization.flow.succeeds", "consent is not understood") { _ in
                } change: { hooks in
                    hooks.authorizationResponse = { response in
                        guard !response.isError else { return }
                        response.parameters.removeAll { !["state", "iss"].contains($0.name) }
                        response.parameters.append(Field("error", "access_denied"))
                    }
                }
            ],
            make: { _ in },
            signInStep: .authorizationRequest,
            message: "access_denied",
            advice: "The last form was sent with no field filled or ticked and the button “answer=accept”.",
            signIns: 11,
            requests: 99
        ),
        Mistake(
            testDescription: "a flow that the client is not enabled for, beside flows that work",
            faults: [implicitIsOff],
            make: { _ in },
            signInStep: .authorizationRequest,
            message: "response_type id_token: The provider rejects the ordinary authorization request",
            advice: "remove it from flows",
            signIns: 11,
            requests: 360,
            seconds: 30
        ),
    ]

    @Test func `a client that the authorization endpoint knows and a secret that is wrong are two causes`() async throws
    {
        let report =
            try await Laboratory.collect(
                .standard,
                faults: [Self.implicitIsOff],
                profile: "openid",
                mistake: { configuration in
                    configuration.target.flows = ["code", "id_token"]
                    configuration.takeClientSecrets { _ in Secret("not-the-secret") }
                }
            )
            .report
        #expect(report.causes.map(\.signInStep) == [.authorizationRequest, .clientAuthentication])
        #expect(!report.causes.contains { $0.advice.contains("that the client is registered") })
    }

    private static let implicitIsOff = Fault("authorization.flow.succeeds", "the implicit flow is off") { _ in
    } change: { hooks in
        hooks.authorizationError = { request, error in
            error ?? (request.responseType == "id_token" ? "unauthorized_client" : nil)
        }
    }

    @Test(arguments: mistakes) func `a mistake is reported as the one cause, and nothing is blamed on the provider`(
        mistake: Mistake
    ) async throws {
        let result = try await Laboratory.collect(
            .standard,
            faults: mistake.faults,
            profile: "openid",
            tier: mistake.tier,
            mistake: mistake.make
        )
        let report = result.report
        #expect(report.outcome.exitCode == 2, "\(report.outcome.summary)")
        let cause = try #require(report.causes.first)
        #expect(report.causes.count == 1, "\(report.causes.map(\.message))")
        #expect(cause.signInStep == mistake.signInStep)
        #expect(cause.message.contains(mistake.message), "\(cause.message)")
        #expect(cause.advice.contains(mistake.advice), "\(cause.advice)")
        #expect(report.outcome.alone.contains(cause.message.prefix(40)))
        #expect(report.timings.signIns <= mistake.signIns, "\(report.timings.signIns)")
        #expect(report.timings.requests <= mistake.requests, "\(report.timings.requests) requests")
        #expect(report.timings.duration <= mistake.seconds, "\(report.timings.duration) s")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }
        #expect(failed.isEmpty, "\(failed.map(\.id))")
        // A rejection proves nothing if the baseline request is rejected too.
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        let tier = result.evidence.tier
        let vacuous = report.entries.filter { entry in
            guard entry.verdict == .passed, let check = checks[entry.id] else { return false }
            return check.needs.contains { need in
                guard case .probe(let scenario) = need, cause.signInStep <= .signIn else { return false }
                return BaselineScenario.of(scenario, in: result.evidence.target, tier: tier) == cause.scenario
            }
        }
        #expect(vacuous.isEmpty, "\(vacuous.map(\.id))")
    }
}
