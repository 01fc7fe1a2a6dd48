import Conformance
import JOSE
import JSONTree
import ReferenceProvider
import Synchronization
import TestSupport
import Testing

/// Providers with rare but permitted behaviour, which must not be reported.
@Suite("Permitted behaviour", .phase(.runs), .timeLimit(.minutes(20)))
struct LegalHabitTests {
    struct Habit: Sendable, CustomStringConvertible {
        let description: String
        /// The checks that must not fail because of it.
        let unharmed: [CheckID]
        var configure: @Sendable (inout Target) -> Void = { _ in }
        var tier: Tier?
        /// Whether the checks must pass; a skipped check proves nothing.
        var mustPass = false
        let change: @Sendable (inout Hooks) -> Void
    }

    @Test("a provider that grants this client no offline_access leaves the gate open", arguments: [false, true])
    func offlineAccess(returnsPage: Bool) async throws {
        let result = try await Laboratory.collect(
            .codeOnly,
            profile: "openid",
            provide: { settings in
                settings.hook { hooks in
                    hooks.discovery = { document, _ in
                        document["scopes_supported"] = ["openid", "profile", "email", "offline_access"]
                    }
                    hooks.authorizationError = { request, error in
                        request["scope"]?.contains("offline_access") == true ? "invalid_scope" : error
                    }
                    if returnsPage {
                        hooks.answer = { _, answer in
                            guard answer.headers.contains(where: { $0.value.contains("error=invalid_scope") }) else {
                                return
                            }
                            answer = HTTPAnswer(status: 400, headers: [Field("Content-Type", "text/html")], body: [])
                        }
                    }
                }
            }
        )
        let blocking = result.report.entries.filter(\.blocksOpening).map { "\($0.id): \($0.verdict)" }
        #expect(result.report.outcome.gate == .open, "\(blocking)")
    }

    static let habits = [
        Habit(
            description: "a token request without code_verifier is rejected before the code is looked up",
            unharmed: ["token.made-up-code.has-invalid-grant", "token.client-authentication.is-accepted"]
        ) { hooks in
            hooks.tokenError = { request, error in
                let isOfCode = request["grant_type"] == "authorization_code" && request.method != nil
                guard isOfCode, request["code_verifier"] == nil, error?.code != "invalid_client" else { return error }
                return OAuthError("invalid_request", "code_verifier is missing")
            }
        },
        Habit(
            description: "codes are looked up before the client's secret",
            unharmed: ["token.wrong-secret.is-refused", "token.wrong-secret.has-basic-challenge"]
        ) { hooks in
            hooks.tokenError = { request, error in
                let isBogus = request["code"].map { $0.count == 32 && $0.allSatisfy(\.isHexDigit) } ?? false
                return error?.code == "invalid_client" && isBogus ? "invalid_grant" : error
            }
        },
        Habit(
            description: "a POST from no origin is rejected, as better-auth rejects it",
            unharmed: ["authorization.post.is-accepted"],
            mustPass: true
        ) { hooks in
            hooks.answerTo = { visitor, endpoint, answer in
                guard endpoint == .authorization, visitor.method == "POST", visitor.origin == nil else { return }
                answer = HTTPAnswer(status: 403, headers: [], body: [])
            }
        },
        Habit(
            description: "registration with a scope member is rejected",
            unharmed: [
                "registration.client.is-accepted", "registration.client.can-sign-in",
                "registration.missing-redirect-uris.are-refused",
                "registration.unknown-authentication-method.is-refused",
            ]
        ) { hooks in
            hooks.registration.error = { metadata, error in metadata.has("scope") ? "invalid_client_metadata" : error }
        },
        Habit(
            description: "an endpoint URL has a query as long as a page's hidden parameters",
            unharmed: ["discovery.response.is-the-same-again", "authorization.flow.succeeds"],
            change: endpointWithPolicy
        ),
        Habit(
            description: "there are no sessions",
            unharmed: ["authorization.prompt-none.succeeds-with-session"]
        ) { hooks in
            hooks.session.needs = { needs, request in
                guard request.isSignedIn, needs.error == nil else { return }
                if request["prompt"] == "none" { needs.error = "login_required" } else { needs.signIn = true }
            }
        },
        Habit(
            description: "a second redirect URI is registered and configured",
            unharmed: ["authorization.redirect-uri.trailing-slash-is-compared"],
            configure: { $0.otherRedirectURIs = [RegisteredClient.redirectURI + "/"] },
            change: { hooks in
                hooks.acceptsRedirectURI = { asked, registered in
                    registered.contains(asked) || registered.contains { $0 + "/" == asked }
                }
            }
        ),
        Habit(
            description: "an unsupported response type is reported in the query",
            unharmed: ["authorization.error.is-in-its-place"]
        ) { hooks in
            hooks.authorizationResponse = { if $0["error"] == "unsupported_response_type" { $0.mode = .query } }
        },
        Habit(
            description: "state must have at least 32 characters",
            unharmed: [
                "authorization.form-post.is-answered-by-a-form", "authorization.form-post.holds-what-was-asked",
                "authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored",
            ],
            mustPass: true
        ) { hooks in
            hooks.authorizationError = { request, error in
                (request["state"] ?? "").count < 32 ? OAuthError("invalid_request", "state is too short") : error
            }
        },
        Habit(
            description: "state may contain only letters and digits",
            unharmed: [
                "authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored",
                "authorization.nonce.may-be-absent", "authorization.post.is-accepted",
            ],
            mustPass: true
        ) { hooks in
            hooks.authorizationError = { request, error in
                (request["state"] ?? "").allSatisfy { $0.isLetter || $0.isNumber }
                    ? error : OAuthError("invalid_request", "state has other characters than letters and digits")
            }
        },
        Habit(
            description: "a provider-specific scope is required",
            unharmed: [
                "authorization.flow.succeeds", "authorization.claims-parameter.unknown-claim-is-no-error",
                "authorization.unknown-parameter.is-ignored",
            ],
            configure: { $0.scopes.append("service:code") },
            mustPass: true,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["scope"]?.contains("service:code") == true
                        ? error : OAuthError("invalid_request", "service code is missing in scope")
                }
            }
        ),
        Habit(
            description: "prompt is required",
            unharmed: [
                "authorization.flow.succeeds", "authorization.unknown-parameter.is-ignored",
                "authorization.state.special-characters-are-returned", "authorization.post.is-accepted",
            ],
            configure: { $0.customParameters.append(Field("prompt", "consent login")) },
            mustPass: true,
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request["prompt"] == nil ? OAuthError("invalid_request", "prompt is required") : error
                }
            }
        ),
        Habit(
            description: "a request without the scope openid is rejected",
            unharmed: ["authorization.scope.without-openid-yields-no-id-token"]
        ) { hooks in
            hooks.authorizationError = { request, error in
                request["scope"]?.contains("openid") == false ? "invalid_scope" : error
            }
        },
        Habit(
            description: "the sign-in page has status 401, and no user is known",
            unharmed: ["authorization.unknown-parameter.is-ignored", "authorization.redirect-uri.mismatch-is-shown"],
            tier: .unauthenticated,
            mustPass: true
        ) { signInPage(&$0, status: 401) },
        Habit(
            description: "the sign-in page has status 401",
            unharmed: ["authorization.unknown-parameter.is-ignored", "authorization.flow.succeeds"],
            mustPass: true
        ) { signInPage(&$0, status: 401) },
        Habit(
            description: "the sign-in page has status 403",
            unharmed: ["authorization.unknown-parameter.is-ignored", "authorization.flow.succeeds"],
            mustPass: true
        ) { signInPage(&$0, status: 403) },
        Habit(
            description: "the signing key is published after the run has begun, and before it is used",
            unharmed: [
                "idtoken.signature.verifies", "idtoken.kid.is-published", "idtoken.every-token.is-valid",
                "keys.signing-key.is-present",
            ]
        ) { hooks in
            let isUsed = Mutex(false)
            let other = try? PrivateKey.generate(.rsa(bits: 2_048))
            hooks.answer = { endpoint, answer in
                if endpoint == .token { isUsed.withLock { $0 = true } }
                guard endpoint == .keys, !isUsed.withLock({ $0 }), let other else { return }
                let key = other.publicKey.jwk(kid: "earlier", alg: "RS256", use: "sig").object
                answer.text = JSON.object(["keys": [.object(key)]]).serialized()
            }
        },
    ]

    private static func signInPage(_ hooks: inout Hooks, status: Int) {
        hooks.answer = { _, answer in
            if answer.text.contains("type=\"password\"") { answer.status = status }
        }
    }

    @Test("permitted behaviour is not a failure", arguments: habits)
    func unharmed(habit: Habit) async throws {
        let fault = Fault("authorization.flow.succeeds", variant: "habit", habit.description, change: habit.change)
        let result = try await Laboratory.collect(
            .standard,
            faults: [fault],
            profile: "openid",
            tier: habit.tier,
            maxSignIns: 200,
            configure: habit.configure
        )
        #expect(!habit.unharmed.isEmpty)
        for entry in result.report.entries where habit.unharmed.contains(entry.id) {
            let messages = entry.verdict.findings.map(\.message)
            let hasResult =
                entry.verdict == .passed || (!habit.mustPass && entry.verdict.word == "notApplicable")
            #expect(hasResult, "\(entry.id) \(entry.verdict.word): \(messages) \(entry.verdict.reason ?? "")")
        }
        #expect(Set(habit.unharmed).isSubset(of: result.report.entries.map(\.id)))
    }

    private static let policy = "policy=B2C_1A_SIGNUP_SIGNIN_OF_ALL_TENANTS"

    @Sendable
    private static func endpointWithPolicy(_ hooks: inout Hooks) {
        hooks.discovery = { document, _ in
            let address = document["authorization_endpoint"]?.stringValue ?? ""
            document["authorization_endpoint"] = .string(address + "?" + policy)
        }
    }

    @Test("the evidence keeps public query parameters of endpoint URLs")
    func publishedQuery() async throws {
        let fault = Fault("authorization.flow.succeeds", variant: "habit", "", change: Self.endpointWithPolicy)
        let result = try await Laboratory.collect(.standard, faults: [fault], profile: "openid", tier: .unauthenticated)
        #expect(result.evidence.exchanges.contains { $0.request.url.contains("/authorize?\(Self.policy)&") })
    }

    /// Faults that are visible without a sign-in.
    struct Seen: Sendable, CustomStringConvertible {
        let description: String
        let check: CheckID
        let change: @Sendable (inout Hooks) -> Void
    }

    static let seen = [
        Seen(
            description: "any redirect URI is accepted",
            check: "authorization.redirect-uri.unregistered-is-not-redirected-to"
        ) {
            $0.acceptsRedirectURI = { _, _ in true }
        },
        Seen(
            description: "a path with a registered prefix is accepted",
            check: "authorization.redirect-uri.added-path-is-refused"
        ) { hooks in
            hooks.acceptsRedirectURI = { asked, registered in registered.contains { asked.hasPrefix($0) } }
        },
        Seen(description: "POST is rejected", check: "authorization.post.is-accepted") {
            $0.parameters.takesPOST = false
        },
        Seen(description: "UserInfo returns claims without a token", check: "userinfo.no-token.is-refused") { hooks in
            hooks.life.userInfoRefusal = { _, _ in nil }
        },
        Seen(description: "errors of the token endpoint are HTML", check: "token.error.content-type-is-json") { hooks in
            hooks.answer = { place, answer in
                if place == .token, answer.status >= 400 { answer.setHeader("Content-Type", "text/html") }
            }
        },
        Seen(
            description: "prompt=none shows a page for response_type code id_token",
            check: "authorization.prompt-none.shows-no-page"
        ) { hooks in
            hooks.authorizationError = { request, error in
                error?.code == "login_required" && request.responseType == "code id_token" ? nil : error
            }
        },
    ]

    @Test("faults that need no user are found without a sign-in", arguments: seen)
    func unauthenticated(seen: Seen) async throws {
        let fault = Fault("authorization.flow.succeeds", variant: "habit", seen.description, change: seen.change)
        let result = try await Laboratory.collect(.standard, faults: [fault], profile: "openid", tier: .unauthenticated)
        let entry = result.report.entries.first { $0.id == seen.check }
        #expect(
            entry?.verdict.findings.isEmpty == false,
            "\(entry?.verdict.word ?? "none"): \(entry?.verdict.reason ?? "")"
        )
    }

}
