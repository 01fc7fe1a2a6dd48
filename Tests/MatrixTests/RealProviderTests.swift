import Conformance
import Flows
import JOSE
import JSONTree
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// Personas of real providers: what they require is named when it is forgotten.
@Suite("Real providers", .phase(.runs), .timeLimit(.minutes(20)))
struct RealProviderTests {
    struct Forgotten: Sendable, CustomTestStringConvertible {
        var persona: Persona
        var what: String
        var forget: @Sendable (inout Target) -> Void
        /// Contained in the message and the advice of the root cause.
        var message: String
        var advice: String

        var testDescription: String { "\(persona) without \(what)" }
    }

    private static func parameters(_ persona: Persona, _ name: String, message: String? = nil) -> Forgotten {
        Forgotten(
            persona: persona,
            what: name,
            forget: { $0.customParameters = [] },
            message: message ?? "names \(name), which the request does not contain",
            advice: "onfigure custom_parameters: { \(name): "
        )
    }

    static let forgotten = [
        parameters(.govUK, "vtr"),
        parameters(.loginGov, "acr_values", message: "accepts it with acr_values"),
        parameters(.franceConnect, "acr_values", message: "accepts it with acr_values"),
        parameters(.idPorten, "acr_values", message: "accepts it with acr_values"),
        parameters(.spid, "prompt"),
        Forgotten(
            persona: .itsme,
            what: "the service's scope",
            forget: { $0.scopes.removeAll { $0.hasPrefix("service:") } },
            message: "names scope",
            advice: "Compare scopes with the values that the provider requires"
        ),
        Forgotten(
            persona: .spid,
            what: "request objects",
            forget: { $0.client?.requestObjectSigningAlg = nil },
            message: "names request objects, which this client does not send",
            advice: "Configure client.request_object_signing_alg: RS256 with client.private_key"
        ),
        Forgotten(
            persona: .singpass,
            what: "the audience",
            forget: { $0.client?.assertionAudience = nil },
            message: "names aud of the client assertion",
            advice: "client.assertion_audience: issuer"
        ),
        Forgotten(
            persona: .singpass,
            what: "a decryption key",
            forget: { $0.client?.decryptionKeyThumbprint = nil },
            message: "The ID Token is encrypted, and the configuration has no key to decrypt it",
            advice: "client.decryption_key"
        ),
        Forgotten(
            persona: .singpass,
            what: "encryption",
            forget: {
                $0.client?.decryptionKeyThumbprint = nil
                $0.client?.idTokenEncryptedResponseAlg = nil
            },
            message: "The ID Token is encrypted, and the configuration has no key to decrypt it",
            advice: "client.decryption_key"
        ),
        Forgotten(
            persona: .singpassFAPI,
            what: "DPoP",
            forget: { $0.client?.usesDPoP = nil },
            message: "requires a DPoP proof",
            advice: "Configure client.dpop_bound_access_tokens: true"
        ),
        Forgotten(
            persona: .itsme,
            what: "a decryption key",
            forget: { $0.client?.decryptionKeyThumbprint = nil },
            message: "The UserInfo response is encrypted, and the configuration has no key to decrypt it",
            advice: "client.decryption_key"
        ),
        Forgotten(
            persona: .nhsLogin,
            what: "the algorithm of assertions",
            forget: { $0.client?.tokenEndpointAuthSigningAlg = nil },
            message: "names alg of the client assertion",
            advice: "client.token_endpoint_auth_signing_alg"
        ),
        Forgotten(
            persona: .keycloak,
            what: "PKCE",
            forget: { $0.client?.sendsPKCE = false },
            message: "accepts it with code_challenge",
            advice: "Remove client.pkce from the configuration"
        ),
        Forgotten(
            persona: .discord,
            what: "its own scopes",
            forget: { $0.scopes = ["openid", "profile", "email"] },
            message: "invalid_scope",
            advice: "scopes"
        ),
        Forgotten(
            persona: .fapi,
            what: "pushed requests that no document states",
            forget: { $0.client?.assertionAudience = .issuer },
            message: "names pushed requests, which this client does not send",
            advice: "client.require_pushed_authorization_requests: true"
        ),
    ]

    @Test("a forgotten requirement is named, and not charged to the provider", arguments: forgotten)
    func isNamed(example: Forgotten) async throws {
        let result = try await Laboratory.collect(
            example.persona,
            profile: "openid",
            configure: example.forget,
            provide: { settings in
                guard example.persona == .fapi else { return }
                settings.hook {
                    $0.discovery = { document, _ in document["require_pushed_authorization_requests"] = nil }
                }
            }
        )
        let report = result.report
        let trial = result.run.trial
        let tried = trial.trial(by: await trial.collect { _ in }, now: 0)
        #expect(tried.exitCode == 2, "\(tried.text(suggesting: nil))")
        let cause = try #require(report.causes.first)
        #expect(cause.message.contains(example.message), "\(cause.message)")
        #expect(cause.advice.contains(example.advice), "\(cause.advice)")
        #expect(cause.mayBeConfiguration)
        let closing = report.entries.filter(\.closesGate).map(\.id.rawValue)
        let known = example.persona.failures.map(\.rawValue)
        #expect(report.outcome.exitCode == (closing.isEmpty ? 2 : 1))
        #expect(closing.filter { !$0.hasPrefix("discovery.") && !$0.hasPrefix("keys.") && !known.contains($0) } == [])
    }

    @Test(
        "the evidence contains no token, encrypted, decrypted or changed",
        arguments: Persona.allCases.filter(\.isNamed)
    )
    func evidenceWithoutTokens(persona: Persona) async throws {
        let evidence = try await Laboratory.collect(persona).evidence
        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        let token = try Regex("eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]*")
        #expect(text.firstMatch(of: token)?.0 == nil)
    }

    @Test(
        "a token that is bound by DPoP suits the platforms that send proofs",
        arguments: [("auth0-enterprise", true), ("openid", true), ("aws-cognito", false), ("firebase-oidc", false)]
    )
    func boundToken(profile: String, isSent: Bool) async throws {
        let report = try await Laboratory.collect(.singpassFAPI, profile: profile).report
        let entry = try #require(report.entries.first { $0.id == "token.token-type.is-bearer" })
        #expect((entry.verdict == .passed) == isSent, "\(entry.verdict)")
        #expect(entry.closesGate == !isSent)
    }

    @Test("proofs contain the nonce that the provider returns")
    func nonceOfProofs() async throws {
        let report =
            try await Laboratory.collect(
                .singpassFAPI,
                profile: "openid",
                provide: { settings in
                    settings.hook { $0.life.proofsNeedNonce = true }
                }
            )
            .report
        let errors = report.entries.filter(\.closesGate).map(\.id)
        #expect(Set(errors) == Set(Persona.singpassFAPI.failures), "\(errors)")
        #expect(report.causes.isEmpty)
    }

    @Test("a request object that is signed with another key than the registered one is not charged to the provider")
    func otherKey() async throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let report =
            try await Laboratory.collect(
                .spid,
                profile: "openid",
                mistake: { $0.takeClientKeys { _ in key } }
            )
            .report
        let cause = try #require(report.causes.first)
        #expect(cause.words?.contains("request object is invalid") == true, "\(cause.message)")
        #expect(cause.advice.contains("Compare client.request_object_signing_alg"), "\(cause.advice)")
        #expect(cause.mayBeConfiguration && report.outcome.exitCode == 2)
    }

    @Test("the error invalid_request_object is not charged to the provider if the client signs its requests")
    func objectError() async throws {
        let report =
            try await Laboratory.collect(
                .standard,
                profile: "openid",
                configure: { target in
                    target.flows = ["code"]
                    target.client?.requestObjectSigningAlg = "HS256"
                },
                provide: { settings in
                    settings.hook { hooks in hooks.authorizationError = { _, _ in "invalid_request_object" } }
                }
            )
            .report
        let cause = try #require(report.causes.first)
        #expect(cause.keys.first == "client.request_object_signing_alg" && cause.mayBeConfiguration, "\(cause.advice)")
        #expect(report.outcome.exitCode == 2)
    }

    @Test("a decryption key that does not fit is named")
    func otherDecryptionKey() async throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let result = try await Laboratory.collect(
            .itsme,
            mistake: { $0.secrets.decryptionKeys[RegisteredClient.keyed.id] = key }
        )
        let report = result.report
        let trial = result.run.trial
        let tried = trial.trial(by: await trial.collect { _ in }, now: 0)
        #expect(tried.exitCode == 2, "\(tried.text(suggesting: nil))")
        let cause = try #require(report.causes.first)
        #expect(cause.message.contains("client.decryption_key does not decrypt it"), "\(cause.message)")
        #expect(report.outcome.exitCode == 2)
    }

    @Test("a recognised product adds its own setting to the advice, and changes no verdict")
    func product() async throws {
        var reports: [Report] = []
        for isRecognised in [true, false] {
            let result = try await Laboratory.collect(
                .codeOnly,
                profile: "openid",
                configure: { $0.redirectURI = "https://other.example.com/cb" },
                provide: { settings in
                    settings.hook {
                        $0.discovery = { document, _ in
                            let name = isRecognised ? "credentials_endpoint_draft_00" : "credentials_endpoint"
                            document[name] = "https://op.example.com/credentials"
                        }
                    }
                }
            )
            reports.append(result.report)
        }
        let setting = "In Ory Hydra: redirect_uris of the OAuth 2.0 client (hydra update oauth2-client --redirect-uri)."
        #expect(reports.map { $0.causes.first?.advice.hasSuffix(setting) } == [true, false])
        #expect(reports[0].entries.map(\.verdict.word) == reports[1].entries.map(\.verdict.word))
        #expect(reports[0].outcome.exitCode == reports[1].outcome.exitCode)
    }

    @Test("a client that is registered for pushed requests pushes all of them")
    func pushed() async throws {
        let result = try await Laboratory.collect(
            .fapi,
            profile: "openid",
            configure: { target in
                target.client?.requiresPushedRequests = true
                target.client?.assertionAudience = .issuer
            },
            provide: { settings in
                settings.hook {
                    $0.discovery = { document, _ in document["require_pushed_authorization_requests"] = nil }
                }
            }
        )
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.report.answers.signIn.reason == nil)
    }

    @Test("a parameter of the token request is sent with codes and refresh tokens")
    func tokenParameters() async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            configure: { $0.tokenParameters = [Field("id_token_key_type", "JWK")] },
            provide: { settings in
                settings.hook { hooks in
                    hooks.tokenError = { request, error in
                        request["id_token_key_type"] == "JWK"
                            ? error : OAuthError("invalid_request", "id_token_key_type is missing")
                    }
                }
            }
        )
        #expect(result.report.outcome.gate == .open, "\(result.report.outcome.summary)")
    }

    @Test("a client without a secret sends a request object with a wrong signature as well")
    func wrongSignature() async throws {
        let evidence = try await Laboratory.judge(.publicClient).evidence
        let run = evidence.run(Scenario.wronglySignedRequestObject.id)
        #expect(run?.authorization.value?.redirect?.error == "invalid_request_object")
    }

    @Test("an encrypted ID Token is not sent as id_token_hint, and closes the gate of a platform")
    func encrypted() async throws {
        let evidence = try await Laboratory.judge(.singpass).evidence
        let again = evidence.run(Scenario.silentReturn.id)
        #expect(again?.authorization(.hint).value?.redirect?.has("code") == true)
        let report = try await Laboratory.judge(.singpass, profile: "firebase-oidc").report
        #expect(report.entries.contains { $0.id == "idtoken.form.is-not-encrypted" && $0.closesGate })
    }
}
