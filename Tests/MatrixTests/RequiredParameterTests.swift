import Conformance
import JSONTree
import Preflight
import ReferenceProvider
import Testing
import Transport

/// Providers that require a parameter of the authorization request: forgotten, it is named; configured, nothing is wrong.
@Suite("Parameters that a provider requires", .timeLimit(.minutes(5)))
struct RequiredParameterTests {
    struct Requirement: Sendable, CustomTestStringConvertible {
        var name: String
        /// Whether a request meets it.
        var isMet: @Sendable (String?) -> Bool = { $0 != nil }
        /// The provider's words.
        var words: String
        var configure: @Sendable (inout Target) -> Void
        /// Contained in the message and the advice of the root cause.
        var message: String
        var advice: String

        var testDescription: String { name }
    }

    private static func custom(
        _ name: String,
        _ value: String,
        _ words: String,
        isMet: @escaping @Sendable (String?) -> Bool = { $0 != nil }
    ) -> Requirement {
        Requirement(
            name: name,
            isMet: isMet,
            words: words,
            configure: { $0.customParameters = [Field(name, value)] },
            message: name == "acr_values" ? name : "names \(name), which the request does not contain",
            advice: "onfigure custom_parameters: { \(name): "
        )
    }

    static let requirements = [
        custom("acr_values", "1", "Please fill in this field: Acr values"),
        custom("vtr", "[\"P2.Cl.Cm\"]", "Request is missing vtr"),
        custom("prompt", "consent", "The parameter prompt is required", isMet: { $0?.contains("consent") == true }),
        custom("response_mode", "form_post", "response_mode must be form_post", isMet: { $0 == "form_post" }),
        custom("audience", "https://api.example.com", "Missing required parameter: audience"),
        Requirement(
            name: "scope",
            isMet: { $0?.split(separator: " ").contains("service:ACME") == true },
            words: "service code is missing in scope",
            configure: { $0.scopes.append("service:ACME") },
            message: "names scope",
            advice: "Compare scopes with the values that the provider requires"
        ),
    ]

    enum Refusal: Sendable, CaseIterable {
        case error
        case page400
        case page403
        case page200
    }

    private static func require(
        _ requirement: Requirement,
        _ refusal: Refusal,
        _ settings: inout ReferenceProviderConfiguration
    ) {
        settings.hook { hooks in
            hooks.authorizationError = { request, error in
                requirement.isMet(request[requirement.name])
                    ? error : OAuthError("invalid_request", requirement.words)
            }
            hooks.discovery = { document, _ in document["acr_values_supported"] = ["1", "2"] }
            let status: Int
            switch refusal {
            case .error: return
            case .page400: status = 400
            case .page403: status = 403
            case .page200: status = 200
            }
            hooks.answer = { endpoint, answer in
                guard endpoint == .authorization, answer.isRedirect(withDescription: requirement.words) else { return }
                let text = "<!doctype html><title>Sign-in</title><h1>Something is wrong</h1><p>\(requirement.words)</p>"
                answer = HTTPAnswer(
                    status: status,
                    headers: [Field("Content-Type", "text/html")],
                    body: Array(text.utf8)
                )
            }
        }
    }

    @Test("a forgotten parameter is named, and the provider is not charged", arguments: requirements, Refusal.allCases)
    func isNamed(requirement: Requirement, refusal: Refusal) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { Self.require(requirement, refusal, &$0) }
        )
        let report = result.report
        let cause = try #require(report.causes.first)
        #expect(report.outcome.exitCode == 2, "\(report.entries.filter(\.closesGate).map(\.id)) \(cause.message)")
        #expect(cause.message.contains(requirement.message), "\(cause.message)")
        #expect(cause.advice.contains(requirement.advice), "\(cause.advice)")
        #expect(report.entries.filter(\.closesGate).map(\.id) == [])
    }

    @Test(
        "everyday words on a page name no parameter",
        arguments: [
            "JavaScript is required to display this page", "Organization is required", "Choose an identity provider",
            "You must answer the prompt", "Access to the resource requires authentication",
        ]
    )
    func everydayWords(words: String) {
        #expect(NamedParameter(in: words, isPage: true) { _ in false } == nil)
    }

    @Test(
        "a signed request object that the document requires is named, and a wrong redirect URI before it",
        arguments: [true, false]
    )
    func signedRequestObject(redirectURIIsRight: Bool) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: { if !redirectURIIsRight { $0.redirectURI = "https://other.example.com/cb" } },
            provide: { settings in
                settings.hook { hooks in
                    hooks.discovery = { document, _ in document["require_signed_request_object"] = true }
                    hooks.authorizationError = { _, _ in "invalid_request" }
                }
            }
        )
        let cause = try #require(result.report.causes.first)
        let expected = redirectURIIsRight ? "has require_signed_request_object" : "names redirect_uri"
        #expect(cause.message.contains(expected), "\(cause.message)")
        #expect(result.report.outcome.exitCode == 2)
    }

    @Test("a value of acr_values_supported is tried", arguments: [Refusal.error, .page400])
    func isTried(refusal: Refusal) async throws {
        var requirement = Self.requirements[0]
        requirement.words = "Bad request"
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { [requirement] in Self.require(requirement, refusal, &$0) }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.message.contains("accepted with acr_values"), "\(cause.message)")
        #expect(cause.advice.contains("custom_parameters: { acr_values: 1 }"), "\(cause.advice)")
        #expect(result.report.outcome.exitCode == 2)
    }

    @Test(
        "the part of a client assertion that the provider's message names is named",
        arguments: [
            ("The aud of the client assertion must be the issuer", "client.assertion_audience: issuer"),
            ("alg RS256 is not one of ES256, PS256", "client.token_endpoint_auth_signing_alg"),
            ("kid is required in the header", "client.private_key as a JWK"),
        ]
    )
    func assertionPartIsNamed(words: String, advice: String) async throws {
        let result = try await Laboratory.collect(
            .assertionClient,
            profile: "openid",
            configure: { target in
                target.flows = ["code"]
                target.clients = []
            },
            provide: { settings in
                settings.hook { hooks in
                    hooks.tokenError = { _, _ in OAuthError("invalid_client", words) }
                }
            }
        )
        let cause = try #require(result.report.causes.first)
        #expect(
            cause.signInStep == .clientAuthentication && cause.message.contains("its message names"),
            "\(cause.message)"
        )
        #expect(cause.advice.contains(advice), "\(cause.advice)")
        #expect(result.report.outcome.exitCode == 2)
    }

    @Test("with the parameter configured, the provider has no errors", arguments: requirements)
    func isConfigured(requirement: Requirement) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: requirement.configure,
            provide: { Self.require(requirement, .error, &$0) }
        )
        let report = result.report
        let errors = report.entries.filter(\.closesGate).map { "\($0.id): \($0.verdict.findings.map(\.message))" }
        #expect(errors == [])
        #expect(report.answers.signIn.reason == nil, "\(report.answers.signIn)")
        let open = report.entries.filter(\.blocksOpening).map { "\($0.id): \($0.verdict.reason ?? "")" }
        #expect(open == [])
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }
}

extension HTTPAnswer {
    fileprivate func isRedirect(withDescription words: String) -> Bool {
        let location = headers.first { $0.name == "Location" }?.value ?? ""
        let parameters = location.split(whereSeparator: { "?#".contains($0) }).last.map { FormParameters(parsing: $0) }
        return parameters?["error_description"] == words
    }
}
