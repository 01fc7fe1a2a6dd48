import Conformance
import JSONTree
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// Providers that require a parameter of the authorization request: forgotten, it is named; configured, nothing is wrong.
@Suite("Parameters that a provider requires", .phase(.runs), .timeLimit(.minutes(20)))
struct RequiredParameterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var requirement: RequestRequirement
        var configure: @Sendable (inout Target) -> Void

        var testDescription: String { requirement.parameter }
    }

    private static func custom(
        _ name: String,
        _ value: String,
        _ words: String,
        isMet: @escaping @Sendable (String?) -> Bool = { $0 != nil }
    ) -> Case {
        Case(
            requirement: RequestRequirement(name, words, isMet: isMet),
            configure: { $0.customParameters = [Field(name, value)] }
        )
    }

    static let cases = [
        custom("acr_values", "1", "Please fill in this field: Acr values"),
        custom("vtr", "[\"P2.Cl.Cm\"]", "Request is missing vtr"),
        custom("prompt", "consent", "The parameter prompt is required", isMet: { $0?.contains("consent") == true }),
        custom("response_mode", "form_post", "response_mode must be form_post", isMet: { $0 == "form_post" }),
        custom("max_age", "3600", "max_age is required"),
        custom("audience", "https://api.example.com", "Missing required parameter: audience"),
        custom("tenant", "acme", "Missing required parameter: tenant"),
        custom("service_code", "acme", "The parameter 'service_code' is required"),
        Case(
            requirement: RequestRequirement("scope", "service code is missing in scope") {
                $0?.split(separator: " ").contains("service:ACME") == true
            },
            configure: { $0.scopes.append("service:ACME") }
        ),
    ]

    private static func require(
        _ requirement: RequestRequirement,
        _ rejection: Rejection,
        _ settings: inout ReferenceProviderConfiguration
    ) {
        settings.hook { hooks in
            hooks.require([requirement], rejection: rejection)
            hooks.discovery = { document, _ in document["acr_values_supported"] = ["1", "2"] }
        }
    }

    @Test(
        "everyday words on a page name no parameter",
        arguments: [
            "JavaScript is required to display this page", "Organization is required", "Choose an identity provider",
            "You must answer the prompt", "Access to the resource requires authentication",
            "The request is missing a required parameter, includes an invalid parameter value, or is otherwise malformed.",
            "A required parameter is missing", "Cookies is required", "Invalid parameter value",
            "Another parameter is missing", "No details provided", "This page needs input parameter",
        ]
    )
    func everydayWords(words: String) {
        #expect(NamedParameter(in: words, isPage: true) { _ in false } == nil)
    }

    @Test(
        "a message for developers names a kind of request by its acronym",
        arguments: [
            ("PAR is required for this client", "pushed"), ("request_uri is required", "pushed"),
            ("The client must use JAR", "request_object"), ("The request parameter is missing", "request_object"),
            ("Missing required parameter: request", "request_object"), ("A required parameter is missing", nil),
            ("A required request parameter is missing", nil), ("Missing required parameters of the request", nil),
            ("L'erreur est causée par le client", nil),
        ] as [(String, String?)]
    )
    func acronyms(words: String, parameter: String?) {
        #expect(NamedParameter(in: words, isPage: false) { _ in false }?.name == parameter)
    }

    @Test(
        "a message names a parameter without an entry in the table as missing",
        arguments: [
            ("AADSTS900144: The request body must contain the following parameter: 'tenant_hint'.", "tenant_hint"),
            ("missing tenant parameter", "tenant"), ("no tenant_id given", "tenant_id"), ("No reason given", nil),
        ] as [(String, String?)]
    )
    func missing(words: String, parameter: String?) {
        #expect(NamedParameter(in: words, isPage: false) { _ in false }?.name == parameter)
    }

    @Test(
        "a rejected code names the configuration if the provider's message does",
        arguments: [
            ("code_verifier is required", nil, false, ["client.pkce"]),
            ("redirect_uri does not match", nil, false, nil),
            ("code_verifier: unsupported parameter", nil, true, ["client.pkce"]),
            ("code_verifier does not match", nil, true, nil),
            ("client_secret is missing.", .clientSecretBasic, true, ["client.authentication"]),
        ] as [(String, ClientAuthentication?, Bool, [String]?)]
    )
    func rejectedCode(words: String, method: ClientAuthentication?, sendsPKCE: Bool, keys: [String]?) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: { target in
                if let method { target.client?.authentication = method }
                if !sendsPKCE { target.client?.sendsPKCE = false }
            },
            provide: { settings in
                settings.hook { $0.tokenError = { _, _ in OAuthError("invalid_request", words) } }
            }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.mayBeConfiguration == (keys != nil), "\(cause.message)")
        if let keys { #expect(cause.keys == keys, "\(cause.message)") }
    }

    @Test("on a page, only request_uri names pushed requests")
    func acronymsOnPages() {
        let name = { (words: String) in NamedParameter(in: words, isPage: true) { _ in false }?.name }
        #expect(name("PAR request_uri not included.") == "pushed")
        #expect(name("PAR L'ERREUR EST REQUIRED") == nil)
    }

    @Test(
        "the methods that the document lists are named if the client's is not among them",
        arguments: [Persona.kakao, .franceConnect, .twitch]
    )
    func methodOfDocument(persona: Persona) async throws {
        let result = try await Laboratory.collect(
            persona,
            profile: "openid",
            configure: { $0.client?.authentication = .clientSecretBasic }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.advice.contains("client.authentication: client_secret_post"), "\(cause.message) \(cause.advice)")
        // The remaining blocking findings do not depend on the authentication method.
        let closing = result.report.entries.filter(\.closesGate).map(\.id)
        #expect(!closing.contains("discovery.target.client-authentication-is-offered"))
        if persona == .kakao { #expect(result.report.outcome.exitCode == 2, "\(closing)") }
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

    @Test("a value of acr_values_supported is tried", arguments: [Rejection.error, .page400])
    func isTried(rejection: Rejection) async throws {
        var requirement = Self.cases[0].requirement
        requirement.words = "Bad request"
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { [requirement] in Self.require(requirement, rejection, &$0) }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.message.contains("accepts it with acr_values"), "\(cause.message)")
        #expect(cause.advice.contains("custom_parameters: { acr_values: 1 }"), "\(cause.advice)")
        #expect(result.report.outcome.exitCode == 2)
    }

    @Test("an error page proves a missing parameter only before any form, or for a pushed request")
    func pageAfterForm() async throws {
        let result = try await Laboratory.collect(.codeOnly, profile: "openid")
        let exchanges = result.evidence.exchanges
        let isAsked = { (exchange: Exchange) in exchange.request.url.contains("client_id=") }
        let asked = try #require(exchanges.first { $0.request.method == "GET" && isAsked($0) })
        let isPosted = { (exchange: Exchange) in exchange.request.method == "POST" }
        let posted = try #require(exchanges.first { isPosted($0) && $0.response?.header("Location") != nil })
        for (exchange, pushError, expected) in [
            (asked.id, nil, "failed"), (posted.id, nil, "notApplicable"), (posted.id, "invalid_request", "failed"),
        ] {
            var page = PageSummary(address: "", status: 400, title: "Error", forms: [], text: "This does not work")
            page.pushError = pushError
            var evidence = result.evidence
            let run = try #require(evidence.runs.firstIndex { $0.scenario == Scenario.refusals.id })
            let step = try #require(evidence.runs[run].steps.firstIndex { $0.id == .resource })
            evidence.runs[run].steps[step].outcome = .observed(
                .authorization(AuthorizationAnswer(ending: .page(page), exchange: exchange))
            )
            let report = result.run.judge(evidence, now: evidence.endedAt)
            let entry = report.entries.first { $0.id == "authorization.resource.has-right-error" }
            #expect(entry?.verdict.word == expected, "\(entry?.verdict.reason ?? "")")
        }
    }

    @Test(
        "a rejected assertion without words is explained by the document, or by one with another audience",
        arguments: [
            ("aud", "with another aud: configure client.assertion_audience: issuer"),
            (
                "alg",
                "Configure client.token_endpoint_auth_signing_alg with the registered algorithm, and a key for it: the provider lists PS256"
            ),
        ]
    )
    func wordlessAssertion(part: String, advice: String) async throws {
        let result = try await Laboratory.collect(
            part == "aud" ? .fapi : .assertionClient,
            profile: "openid",
            configure: { target in
                target.flows = ["code"]
                target.clients = []
            },
            provide: { settings in
                settings.hook { hooks in
                    let isAudience = part == "aud"
                    hooks.discovery = { document, _ in
                        document["require_pushed_authorization_requests"] = nil
                        if !isAudience { document["token_endpoint_auth_signing_alg_values_supported"] = ["PS256"] }
                    }
                    if isAudience {
                        hooks.requests.requiresPush = false
                        hooks.tokenError = { _, error in error.map { OAuthError($0.code) } }
                    } else {
                        hooks.tokenError = { _, _ in "invalid_client" }
                    }
                }
            }
        )
        let cause = try #require(result.report.causes.first { $0.signInStep == .clientAuthentication })
        #expect(cause.advice.contains(advice), "\(cause.message) \(cause.advice)")
        #expect(cause.mayBeConfiguration)
        let closing = result.report.entries.filter(\.closesGate).map(\.id)
        #expect(!closing.contains("discovery.target.assertion-algorithm-is-offered"))
    }

    @Test("a message that names only the method in use keeps the advice about the secret")
    func methodInUse() async throws {
        let words = "Client authentication with client_secret_basic failed"
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in
                settings.hook { $0.tokenError = { _, _ in OAuthError("invalid_client", words) } }
            }
        )
        #expect(result.report.causes.first?.keys.contains("client.secret") == true)
    }

    @Test(
        "a wrong secret is the cause of an error with status 200 or 403",
        arguments: [(200, "bad_client_secret"), (403, "forbidden"), (400, "invalid_grant")]
    )
    func errorWithAnotherStatus(status: Int, error: String) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in
                settings.hook { hooks in
                    hooks.tokenError = { _, _ in "invalid_grant" }
                    hooks.onAnswer(.token, 400...400) { answer in
                        answer.status = status
                        answer.text = JSON.object(["error": .string(error), "message": "wrong secret"]).serialized()
                    }
                }
            }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.keys.contains("client.secret"), "\(cause.message)")
        #expect(cause.mayBeConfiguration)
        #expect(result.report.entries.filter(\.closesGate).allSatisfy { $0.id.rawValue.hasPrefix("token.error.") })
    }

    /// Without a bound, the search for the end of each script takes more than an hour.
    @Test("a run evaluates a page of unclosed scripts at the token endpoint")
    func unclosedScripts() async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .token else { return }
                        answer = HTTPAnswer(
                            status: 400,
                            headers: [Field("Content-Type", "text/html")],
                            body: Array(String(repeating: "<script>", count: 100_000).utf8)
                        )
                    }
                }
            }
        )
        #expect(result.report.causes.first?.signInStep == .codeRedemption)
    }

    @Test(
        "a configured parameter that the platform does not send is not recommended again",
        arguments: [Rejection.error, .page400]
    )
    func reservedParameter(form: Rejection) async throws {
        let isMet = { @Sendable (mode: String?) in mode == "form_post" }
        let words = "response_mode must be form_post"
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "firebase-oidc",
            configure: { $0.customParameters = [Field("response_mode", "form_post")] },
            provide: { Self.require(RequestRequirement("response_mode", words, isMet: isMet), form, &$0) }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.advice.contains("but the platform of the profile does not send it"), "\(cause.advice)")
    }

    @Test("an error without a message may be about a parameter that the configuration lacks")
    func withoutWords() async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in settings.hook { $0.authorizationError = { _, _ in "invalid_request" } } }
        )
        let report = result.report
        #expect(report.outcome.exitCode == 2, "\(report.entries.filter(\.closesGate).map(\.id))")
        #expect(report.causes.first?.advice.contains("custom_parameters") == true)
    }

    @Test("with the parameter configured, the provider has no errors", arguments: cases)
    func isConfigured(example: Case) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: example.configure,
            provide: { Self.require(example.requirement, .error, &$0) }
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
