import Conformance
import ReferenceProvider
import Testing

/// A request for a new sign-in that the provider never completes.
@Suite("Sign-ins that never end", .timeLimit(.minutes(5)))
struct SignInAgainTests {
    @Test(
        "the endless request fails its check, and the other request is compared instead",
        arguments: [
            ("max_age", "0", "authorization.max-age.zero-lets-through"),
            ("prompt", "login", "authorization.prompt-login.lets-through"),
        ] as [(String, String, CheckID)],
        [false, true]
    )
    func endless(request: (name: String, value: String, check: CheckID), hasTemplate: Bool) async throws {
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            tier: .full,
            provide: { settings in
                settings.hook { hooks in
                    hooks.session.asksAgainFor = { $0[request.name] == request.value }
                    // Some pages contain a hidden message, which a script shows when it is needed.
                    hooks.answer = { endpoint, answer in
                        guard hasTemplate, endpoint == .signInPage, answer.status == 200 else { return }
                        answer.text = answer.text.replacing(
                            "<form",
                            with: "<p role=\"alert\" hidden>The server could not be reached.</p><form",
                            maxReplacements: 1
                        )
                    }
                }
            }
        )
        let entries = Dictionary(uniqueKeysWithValues: result.report.entries.map { ($0.id, $0.verdict) })
        #expect(entries[request.check]?.findings.isEmpty == false, "\(String(describing: entries[request.check]))")
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        let inconclusive = entries.filter { if case .inconclusive = $0.value { true } else { false } }.keys
        #expect(inconclusive.isEmpty, "\(inconclusive.sorted())")
        // prompt=login alone has a token; no token is requested for max_age=0 alone.
        let compared = request.name == "max_age" ? "passed" : "notAttempted"
        #expect(entries["idtoken.sub.is-the-same-after-sign-in-again"]?.word == compared)
        #expect(result.evidence.signIns <= 13, "\(result.evidence.signIns) sign-ins")
    }
}
