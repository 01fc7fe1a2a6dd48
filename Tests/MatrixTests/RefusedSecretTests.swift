import Conformance
import Preflight
import ReferenceProvider
import Testing

/// The number of requests with a client secret that the provider rejects.
@Suite("A rejected secret", .timeLimit(.minutes(5)))
struct RefusedSecretTests {
    /// Steps that use another authentication method than registered, a deliberately wrong secret, or another client's secret.
    private static let purposes = [
        "a bogus code with client_secret_post", "a bogus code with client_secret_basic and a wrong",
        "sign in with a client that the run registers",
    ]

    @Test("a wrong secret is sent once, and with a fresh code", arguments: [1, 8])
    func once(concurrency: Int) async throws {
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            mistake: { configuration in
                configuration.concurrency = concurrency
                configuration.takeClientSecrets { _ in Secret("not-the-secret") }
            }
        )
        let sent = result.evidence.exchanges.filter { exchange in
            exchange.request.url.hasSuffix("/token") && !Self.purposes.contains(where: exchange.step.hasPrefix)
        }
        #expect(sent.count == 1, "\(sent.map(\.step))")
        #expect(sent.first?.step.hasPrefix("sign in with response_type code") == true, "\(sent.map(\.step))")
        #expect(result.report.causes.map(\.signInStep) == [.clientAuthentication])
        #expect(result.report.outcome.exitCode == 2)
        #expect(result.evidence.requests <= 235, "\(result.evidence.requests) requests")
        let waiting = result.report.entries.filter { if case .inconclusive = $0.verdict { true } else { false } }
        let unexplained = waiting.filter { entry in !result.report.causes.contains(where: entry.isWaiting) }
        #expect(unexplained.isEmpty, "\(unexplained.map { "\($0.id): \($0.verdict.reason ?? "")" })")
    }

    /// GitHub rejects it with status 200 and an error of its own.
    @Test("a secret that GitHub rejects is sent once, and is the root cause")
    func gitHub() async throws {
        let result = try await Laboratory.collect(
            .github,
            mistake: { $0.takeClientSecrets { _ in Secret("not-the-secret") } }
        )
        let sent = result.evidence.exchanges.filter { exchange in
            exchange.request.url.hasSuffix("/access_token") && !exchange.step.contains("a wrong client secret")
        }
        #expect(sent.map(\.step) == ["sign in with response_type code: token request"])
        #expect(result.report.causes.map(\.signInStep) == [.clientAuthentication])
        #expect(result.report.outcome.exitCode == 2)
    }

    /// The provider checks the code first, and has one error for everything.
    @Test("a bogus code that is rejected like a wrong secret does not count against the client")
    func bogusCode() async throws {
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .token, answer.text.contains("invalid_grant") else { return }
                        answer.status = 401
                        answer.text = answer.text.replacing("invalid_grant", with: "invalid_client")
                    }
                }
            }
        )
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        let flow = try #require(result.report.entries.first { $0.id == "token.status.is-200" })
        #expect(flow.verdict == .passed)
        let reported = result.report.entries.filter(\.closesGate).map(\.id)
        let expected: [CheckID] = [
            "token.client-authentication.is-accepted", "token.refresh.made-up-has-invalid-grant",
        ]
        #expect(reported == expected, "\(reported)")
        let finding = try #require(result.report.entries.first { $0.id == reported.first }?.verdict.findings.first)
        #expect(finding.message.contains("the same credentials redeemed a fresh code"))
        #expect(finding.fix == "Return invalid_grant for codes that are unknown, expired or used.")
    }

    /// The client has no registered origin, so the token endpoint rejects all requests from scripts.
    @Test("an origin that is not allowed is one root cause, without findings for its consequences")
    func origin() async throws {
        let result = try await Laboratory.collect(
            .publicClient,
            profile: "spa",
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .token else { return }
                        answer.status = 403
                        answer.text =
                            #"{"error":"unauthorized_client","error_description":"origin not allowed for client"}"#
                        answer.setHeader("Content-Type", "application/json")
                        answer.setHeader("Access-Control-Allow-Origin", nil)
                    }
                }
            }
        )
        #expect(result.report.causes.count == 1, "\(result.report.causes.map(\.message))")
        #expect(result.report.causes.first?.words?.contains("origin not allowed for client") == true)
        let reported = result.report.entries.filter { $0.level == .error && !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(reported.count <= 1, "\(reported)")
    }
}
