import Conformance
import JSONTree
import Preflight
import ReferenceProvider
import Testing

/// Results of runs against a conformant provider with a wrong configuration.
@Suite("Mistakes of the configuration", .timeLimit(.minutes(5)))
struct ConfigurationMistakeTests {
    private static let mistakes: [FailureCase] = issuers + redirectURIs + clients + endings + registrations

    /// The discovery URL is right, but the issuer differs: no credentials are sent until the user corrects the issuer.
    private static let issuers: [FailureCase] = [
        FailureCase(
            testDescription: "an issuer with a slash too many",
            make: { $0.target.issuer += "/" },
            // Sign-in fails with this issuer in any case.
            exitCode: 1,
            signInStep: .discovery,
            message: "sent no secret",
            advice: "Configure issuer: ",
            reported: ["discovery.issuer.matches-request"],
            signIns: 0,
            requests: 12,
            seconds: 10
        ),
        FailureCase(
            testDescription: "an issuer with its scheme in capitals",
            make: { $0.target.issuer = $0.target.issuer.replacing("https:", with: "HTTPS:") },
            exitCode: 1,
            signInStep: .discovery,
            message: "sent no secret",
            advice: "Configure issuer: ",
            reported: ["discovery.issuer.matches-request"],
            signIns: 0,
            requests: 12,
            seconds: 10
        ),
    ]

    private static let redirectURIs: [FailureCase] = [Tier.unauthenticated, .full]
        .flatMap { tier in
            [
                ("with a slash too many", RegisteredClient.redirectURI + "/", 400),
                ("with http for https", RegisteredClient.redirectURI.replacing("https://", with: "http://"), 400),
                ("in other letter case", RegisteredClient.redirectURI.replacing("/auth/", with: "/Auth/"), 400),
                ("with a slash too many", RegisteredClient.redirectURI + "/", 200),
            ]
            .map { what, uri, status in
                FailureCase(
                    testDescription: "a redirect URI \(what), \(tier.rawValue), rejected with status \(status)",
                    tier: tier,
                    provide: { settings in
                        settings.hook { hooks in hooks.onAnswer(.authorization, 400...499) { $0.status = status } }
                    },
                    make: { $0.target.redirectURI = uri },
                    signInStep: .authorizationRequest,
                    message: "ordinary authorization request",
                    advice: "configure redirect_uri: \(RegisteredClient.redirectURI)",
                    // A client that the run registers has its own redirect URI, and sign-in works with the registered one.
                    signIns: tier == .full ? 2 : 0,
                    requests: 95,
                    seconds: 10
                )
            }
        }

    private static let clients: [FailureCase] = [
        FailureCase(
            testDescription: "a client that is registered for client_secret_post",
            provide: { settings in
                for index in settings.clients.indices
                where settings.clients[index].id == RegisteredClient.confidential.id {
                    settings.clients[index].authenticationMethods = [.clientSecretPost]
                }
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "configure client.authentication: client_secret_post",
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a client that is registered for client_secret_jwt",
            persona: .assertionClient,
            provide: { settings in
                for index in settings.clients.indices {
                    settings.clients[index].authenticationMethods = [.clientSecretJWT]
                }
            },
            make: { configuration in
                let id = configuration.target.otherClient?.id ?? ""
                configuration.target.client = Client(id: id, authentication: .clientSecretBasic, hasSecret: true)
                configuration.target.clients = []
                configuration.target.otherClient = nil
                configuration.target.flows = ["code"]
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "configure client.authentication: client_secret_jwt",
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a provider without PKCE that rejects code_verifier as invalid_client",
            provide: { settings in
                settings.hook { hooks in
                    hooks.discovery = { document, _ in document["code_challenge_methods_supported"] = nil }
                    hooks.tokenError = { request, error in request["code_verifier"] == nil ? error : "invalid_client" }
                }
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "accepts the same secret without code_verifier",
            reported: ["discovery.code-challenge-methods-supported.is-present"],
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a public client with a secret",
            make: { configuration in
                let id = RegisteredClient.publicClient.id
                configuration.target.client = Client(id: id, authentication: .clientSecretBasic, hasSecret: true)
                configuration.target.flows = ["code"]
                configuration.target.otherClient = nil
                configuration.takeClientSecrets { _ in Secret("made-up") }
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "client.authentication: none",
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a public client with a secret that the provider ignores",
            provide: { settings in
                for index in settings.clients.indices where settings.clients[index].secret == nil {
                    settings.clients[index].authenticationMethods = [.none, .clientSecretBasic, .clientSecretPost]
                }
            },
            make: { configuration in
                let id = RegisteredClient.publicClient.id
                configuration.target.client = Client(id: id, authentication: .clientSecretBasic, hasSecret: true)
                configuration.target.flows = ["code"]
                configuration.target.otherClient = nil
                configuration.takeClientSecrets { _ in Secret("made-up") }
            },
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a confidential client without its secret",
            make: { configuration in
                let id = RegisteredClient.confidential.id
                configuration.target.client = Client(id: id, authentication: .none, hasSecret: false)
                configuration.takeClientSecrets { _ in nil }
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "client.secret",
            signIns: 11,
            requests: 342,
            seconds: 30
        ),
        withoutPKCE("and the error has a message", message: "PKCE is required", returnsPage: false),
        withoutPKCE("and the error page has no message", message: nil, returnsPage: true),
    ]

    /// PKCE is required, and the configuration removes it.
    private static func withoutPKCE(_ what: String, message: String?, returnsPage: Bool) -> FailureCase {
        FailureCase(
            testDescription: "PKCE is required but disabled in the configuration, \(what)",
            provide: { settings in
                settings.hook { hooks in
                    hooks.authorizationError = { request, error in
                        let lacks = request.responseType?.hasCode == true && request["code_challenge"] == nil
                        return error ?? (lacks ? OAuthError("invalid_request", message) : nil)
                    }
                    guard returnsPage else { return }
                    hooks.onAnswer(.authorization, 300...399) { answer in
                        guard answer.headers.contains(where: { $0.value.contains("error=invalid_request") }) else {
                            return
                        }
                        answer = HTTPAnswer(status: 400, headers: [Field("Content-Type", "text/html")], body: [])
                    }
                }
            },
            make: { $0.target.client?.sendsPKCE = false },
            signInStep: .authorizationRequest,
            message: "accepts it with code_challenge (PKCE)",
            advice: "client.pkce",
            reported: returnsPage ? ["authorization.error.is-redirected"] : [],
            signIns: 11,
            requests: 342,
            seconds: 30
        )
    }

    /// Rejected because of invisible white space.
    private static let endings: [FailureCase] = [
        FailureCase(
            testDescription: "a secret that ends with a space",
            make: {
                $0.takeClientSecrets { id in Persona.standard.clientSecret(id).map { Secret($0.reveal() + " ") } }
            },
            signInStep: .clientAuthentication,
            message: "rejects client",
            advice: "The client secret ends with a space.",
            signIns: 11,
            requests: 248,
            seconds: 30
        ),
        FailureCase(
            testDescription: "a password that ends with a line break",
            make: { configuration in
                let (username, password) = Persona.standard.credentials
                configuration.signIn(as: username, password: Secret(password.reveal() + "\n"))
            },
            signInStep: .signIn,
            message: "rejects the user name or the password",
            advice: "The password ends with a line break.",
            signIns: 1,
            requests: 68,
            seconds: 10
        ),
        FailureCase(
            testDescription: "a client identifier that ends with a space",
            tier: .unauthenticated,
            make: { $0.target.client?.id += " " },
            signInStep: .authorizationRequest,
            message: "ordinary authorization request",
            advice: "client.id “preflight-client ” ends with a space.",
            signIns: 0,
            requests: 68,
            seconds: 10
        ),
    ]

    private static let registrations: [FailureCase] = [
        FailureCase(
            testDescription: "a wrong initial access token",
            persona: .specialClients,
            make: { $0.takeInitialAccessToken(Secret("not-the-token")) },
            unproven: [
                "registration.missing-redirect-uris.are-refused", "registration.redirect-uri-with-fragment.is-refused",
                "registration.http-initiate-login-uri.is-refused",
                "registration.unknown-authentication-method.is-refused",
                "registration.unsigned-id-token-in-front-channel.is-refused",
                "registration.initial-access-token.is-required",
            ],
            signIns: 5,
            requests: 252,
            seconds: 30
        ),
        FailureCase(
            testDescription: "the other client's secret is wrong",
            make: { configuration in
                let other = RegisteredClient.second.id
                configuration.target.otherClient = Client(
                    id: other,
                    authentication: .clientSecretBasic,
                    hasSecret: true
                )
                configuration.takeClientSecrets { id in
                    id == other ? Secret("not-the-secret") : Persona.standard.clientSecret(id)
                }
            },
            exitCode: 0,
            unproven: ["token.refresh.other-client-is-refused", "token.code.is-bound-to-client"],
            signIns: 11,
            requests: 370,
            seconds: 30
        ),
    ]

    @Test("a run for another spelling of the issuer is not reported as one that sent nothing")
    func runForOtherSpelling() async throws {
        let result = try await Laboratory.collect(.standard, profile: "openid")
        var evidence = result.evidence
        evidence.target.issuer += "/"
        let report = result.run.judge(evidence, now: evidence.endedAt)
        #expect(report.causes.isEmpty, "\(report.causes.map(\.message))")
        #expect(report.entries.contains { $0.id == "discovery.issuer.matches-request" && $0.closesGate })
    }

    @Test(arguments: mistakes) func `a mistake is reported as the one cause, and the provider is not blamed`(
        mistake: FailureCase
    ) async throws {
        try await mistake.run()
    }

    @Test(
        "another issuer is advised only for a response that a wrong issuer gets",
        arguments: [(404, true), (410, true), (403, false), (500, false)]
    )
    func issuer(status: Int, isAdvised: Bool) async throws {
        let result = try await Laboratory.collect(
            .standard,
            profile: "openid",
            tier: .unauthenticated,
            provide: { settings in
                settings.hook { hooks in hooks.onAnswer(.discovery, 200...299) { $0.status = status } }
            }
        )
        let advice = result.report.causes.map(\.advice)
        #expect(advice.contains { $0.hasPrefix("Use ") && $0.contains("issuer") } == isAdvised, "\(advice)")
    }
}
