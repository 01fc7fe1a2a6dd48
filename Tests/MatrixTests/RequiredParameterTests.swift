import Conformance
import JSONTree
import Preflight
import ReferenceProvider
import Testing
import Transport

/// Providers that require a parameter of the authorization request: forgotten, it is named; configured, nothing is wrong.
@Suite("Parameters that a provider requires", .timeLimit(.minutes(5)))
struct RequiredParameterTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var requirement: RequestRequirement
        var configure: @Sendable (inout Target) -> Void
        /// Contained in the message and the advice of the root cause.
        var message: String
        var advice: String

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
            configure: { $0.customParameters = [Field(name, value)] },
            message: name == "acr_values" ? name : "names \(name), which the request does not contain",
            advice: "onfigure custom_parameters: { \(name): "
        )
    }

    static let cases = [
        custom("acr_values", "1", "Please fill in this field: Acr values"),
        custom("vtr", "[\"P2.Cl.Cm\"]", "Request is missing vtr"),
        custom("prompt", "consent", "The parameter prompt is required", isMet: { $0?.contains("consent") == true }),
        custom("response_mode", "form_post", "response_mode must be form_post", isMet: { $0 == "form_post" }),
        custom("audience", "https://api.example.com", "Missing required parameter: audience"),
        custom("tenant", "acme", "Missing required parameter: tenant"),
        custom("service_code", "acme", "The parameter 'service_code' is required"),
        Case(
            requirement: RequestRequirement("scope", "service code is missing in scope") {
                $0?.split(separator: " ").contains("service:ACME") == true
            },
            configure: { $0.scopes.append("service:ACME") },
            message: "names scope",
            advice: "Compare scopes with the values that the provider requires"
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

    @Test("a forgotten parameter is named, and the provider is not charged", arguments: cases, Rejection.allCases)
    func isNamed(example: Case, rejection: Rejection) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { Self.require(example.requirement, rejection, &$0) }
        )
        let report = result.report
        let cause = try #require(report.causes.first)
        #expect(report.outcome.exitCode == 2, "\(report.entries.filter(\.closesGate).map(\.id)) \(cause.message)")
        #expect(cause.message.contains(example.message), "\(cause.message)")
        #expect(cause.advice.contains(example.advice), "\(cause.advice)")
        #expect(report.entries.filter(\.closesGate).map(\.id) == [])
    }

    @Test(
        "everyday words on a page name no parameter",
        arguments: [
            "JavaScript is required to display this page", "Organization is required", "Choose an identity provider",
            "You must answer the prompt", "Access to the resource requires authentication",
            "The request is missing a required parameter, includes an invalid parameter value, or is otherwise malformed.",
            "A required parameter is missing", "Cookies is required", "Invalid parameter value",
            "Another parameter is missing",
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
        // What closes the gate closes it with the right method as well.
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

    @Test("a parameter that a pushed request lacks is named, and the provider is not charged")
    func pushed() async throws {
        let result = try await Laboratory.collect(
            .fapi,
            profile: "openid",
            provide: { settings in
                settings.hook { $0.require([RequestRequirement("vtr", "Missing required parameter: vtr")]) }
            }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.message.contains("names vtr, which the request does not contain"), "\(cause.message)")
        #expect(cause.mayBeOurs)
        let closing = result.report.entries.filter(\.closesGate).map(\.id)
        #expect(closing == ["discovery.id-token-signing-alg-values-supported.include-rs256"])
    }

    @Test("an error page after a form says nothing of the parameter; one at once, or for a pushed request, does")
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
        #expect(cause.mayBeOurs)
        #expect(result.report.entries.filter(\.closesGate).allSatisfy { $0.id.rawValue.hasPrefix("token.error.") })
    }

    /// Without a bound, the search for the end of each script takes more than an hour.
    @Test("a page of unclosed scripts at the token endpoint is judged")
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

    @Test(
        "PKCE that the configuration removes is named, in whatever form the provider rejects the request",
        arguments: Rejection.allCases
    )
    func pkce(rejection: Rejection) async throws {
        let requirement = RequestRequirement("code_challenge", "PKCE is required")
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: { $0.client?.sendsPKCE = false },
            provide: { Self.require(requirement, rejection, &$0) }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.message.contains("names code_challenge, which the request does not contain"), "\(cause.message)")
        #expect(cause.keys == ["client.pkce"])
        #expect(result.report.outcome.exitCode == 2, "\(result.report.entries.filter(\.closesGate).map(\.id))")
    }

    @Test(
        "a requirement of the token endpoint is named, in whatever form the provider rejects the request",
        arguments: [
            ("Use client_secret_post instead of client_secret_basic", "client.authentication: client_secret_post"),
            ("invalid client secret", "Check client.id, the client's secret"),
            ("DPoP proof is required", "client.dpop_bound_access_tokens: true"),
            ("Missing parameter id_token_key_type", "token_parameters: { id_token_key_type: "),
        ],
        Rejection.allCases.filter { ![.page200, .json200].contains($0) }
    )
    func tokenEndpoint(example: (words: String, advice: String), rejection: Rejection) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in
                settings.hook { hooks in
                    hooks.tokenError = { _, _ in OAuthError("invalid_request", example.words) }
                    guard let form = rejection.answer(example.words) else { return }
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .token else { return }
                        answer = HTTPAnswer(
                            status: form.status,
                            headers: [Field("Content-Type", form.type)],
                            body: Array(form.body.utf8)
                        )
                    }
                }
            }
        )
        let report = result.report
        let cause = try #require(report.causes.first)
        #expect(cause.advice.contains(example.advice), "\(cause.message) \(cause.advice)")
        #expect(cause.words?.contains(example.words) == true, "\(cause.words ?? "")")
        // An error in another form than that of RFC 6749 section 5.2 is a deviation of its own.
        let isOfForm = { (id: CheckID) in id.rawValue.hasPrefix("token.error.") }
        #expect(report.entries.filter { $0.closesGate && !isOfForm($0.id) }.map(\.id) == [], "\(cause.message)")
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
