import Conformance
import Preflight
import ReferenceProvider
import Testing

/// A provider that answers every authorization request with an unusual parameter in one way, whatever the parameter is.
@Suite("Unusual requests, all rejected alike", .timeLimit(.minutes(5)))
struct UnusualRequestTests {
    private static let usual: Set<String> = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
    ]

    /// Checks of what a provider must do, not of what it must reject: a rejection or a crash passes none.
    private static let required: [CheckID] = [
        "authorization.prompt-login.asks-again", "authorization.max-age.asks-again",
        "authorization.max-age.zero-asks-again", "authorization.prompt-consent.asks",
        "authorization.prompt-select-account.asks", "authorization.prompt-login.is-accepted",
        "authorization.max-age.is-accepted", "authorization.max-age.young-session-is-used",
        "authorization.ui-locales.is-accepted", "authorization.acr-values.is-accepted",
        "authorization.claims-locales.is-accepted", "authorization.id-token-hint.is-accepted",
    ]

    /// Checks that something invalid is rejected, where the provider also rejects what is valid.
    private static let unattributed: [CheckID] = [
        "authorization.claims-parameter.malformed-is-refused", "authorization.max-age.malformed-is-refused",
    ]

    @Test(
        "no check of a required behaviour passes, and no rejection of an invalid value is attributed to the value",
        arguments: ["access_denied", "invalid_request", "invalid_client", "server_error", "400", "500"]
    )
    func decidesNothing(answer: String) async throws {
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            tier: .full,
            provide: { settings in
                settings.hook { hooks in
                    hooks.authorizationError = { request, error in
                        request.all.allSatisfy { Self.usual.contains($0.name) } ? error : OAuthError(answer)
                    }
                    guard let status = Int(answer) else { return }
                    hooks.answer = { endpoint, response in
                        let isRejection = response.headers.contains {
                            $0.isNamed("Location") && $0.value.contains("error=\(answer)")
                        }
                        guard endpoint == .authorization, isRejection else { return }
                        response.status = status
                        response.headers = [Field("Content-Type", "text/html")]
                        response.text = "<!DOCTYPE html><title>Error</title><p>An error occurred.</p>"
                    }
                }
            }
        )
        let passed = Set(result.report.entries.filter { $0.verdict.word == "passed" }.map(\.id))
        let wrong = passed.intersection(Self.required + Self.unattributed)
        #expect(wrong.isEmpty, "\(wrong.sorted())")
        #expect(result.report.outcome.gate != .open)
    }
}
