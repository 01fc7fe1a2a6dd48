import Conformance
import JOSE
import JSONTree
import Profiles
import ReferenceProvider
import TestSupport
import Testing

/// The gate of each platform is open for a conformant provider of the kind that it supports.
@Suite("Platforms", .phase(.sockets), .timeLimit(.minutes(20)))
struct PlatformGateTests {
    struct Row: Sendable, CustomStringConvertible {
        var profile: String
        var persona: Persona
        var faults: [Fault] = []
        var configure: @Sendable (inout Target) -> Void = { _ in }
        var description: String { "\(profile), \(persona)" }
    }

    /// Permitted (OpenID Connect Core 1.0 section 5.4 describes the default), and what some platforms depend on.
    static let claimsInIDToken = Fault("idtoken.claims.are-left-to-userinfo", "the user is in the ID Token") {
        _ in
    } change: { hooks in
        hooks.idTokenClaims = { claims, _ in
            claims["name"] = "Alice"
            claims["preferred_username"] = "alice"
            claims["groups"] = ["staff"]
            claims["email"] = "alice@example.com"
            claims["email_verified"] = true
        }
    }

    @Test("a platform that verifies no signature signs its users in, and a wrong signature is a danger there")
    func unchecked() async throws {
        let fault = try #require(Fault.all.first { $0.trips == "idtoken.signature.verifies" })
        let report = try await Laboratory.collect(.codeOnly, faults: [Self.claimsInIDToken, fault], profile: "gitea")
            .report
        let entry = try #require(report.entries.first { $0.id == "idtoken.signature.verifies" })
        #expect(entry.closesGate && entry.consequence == .safety)
        let broken = report.entries.filter { $0.isProblem && $0.consequence == .signIn }.map(\.id)
        #expect(report.answers.signIn.verdict == .works, "\(broken)")
    }

    static let rows: [Row] =
        [
            Row(profile: "oauth-security-bcp", persona: .codeOnly), Row(profile: "supabase", persona: .codeOnly),
            Row(profile: "google-identity-platform", persona: .implicitOnly),
            Row(profile: "aws-cognito", persona: .standard), Row(profile: "entra-external-id", persona: .codeOnly),
            Row(profile: "auth0-enterprise", persona: .manyKeys), Row(profile: "appauth", persona: .publicClient),
            Row(profile: "token-verifier", persona: .minimal), Row(profile: "aws-iam", persona: .pairwise),
            Row(profile: "google-workload-identity", persona: .pairwise),
            Row(profile: "kubernetes", persona: .implicitOnly),
            Row(profile: "vault", persona: .assertionClient), Row(profile: "sigstore-fulcio", persona: .codeOnly),
            Row(profile: "sigstore-fulcio-email", persona: .implicitOnly),
            Row(profile: "vault-sign-in", persona: .codeOnly), Row(profile: "oauth2-proxy", persona: .codeOnly),
            Row(profile: "go-oidc", persona: .codeOnly), Row(profile: "argo-cd", persona: .codeOnly),
            Row(profile: "dex-connector", persona: .codeOnly, faults: [claimsInIDToken]),
            Row(profile: "headscale", persona: .codeOnly),
            Row(profile: "harbor", persona: .codeOnly), Row(profile: "pomerium", persona: .codeOnly),
            Row(profile: "relying-party", persona: .codeOnly), Row(profile: "authlib", persona: .codeOnly),
            Row(profile: "backstage", persona: .codeOnly), Row(profile: "better-auth", persona: .codeOnly),
            Row(profile: "caddy-security", persona: .codeOnly, faults: [claimsInIDToken]),
            Row(profile: "django-allauth", persona: .codeOnly), Row(profile: "flask-appbuilder", persona: .codeOnly),
            Row(profile: "gitea", persona: .codeOnly), Row(profile: "home-assistant", persona: .codeOnly),
            Row(profile: "jenkins", persona: .codeOnly), Row(profile: "jupyterhub", persona: .codeOnly),
            Row(profile: "kafka", persona: .minimal), Row(profile: "keycloak-broker", persona: .codeOnly),
            Row(profile: "minio", persona: .minimal),
            Row(profile: "mlflow", persona: .codeOnly, faults: [claimsInIDToken]),
            Row(profile: "open-webui", persona: .codeOnly), Row(profile: "pgadmin", persona: .codeOnly),
            Row(profile: "pocketbase", persona: .codeOnly),
            Row(profile: "synapse", persona: .codeOnly, faults: [claimsInIDToken]),
            Row(profile: "traefik-oidc-auth", persona: .codeOnly), Row(profile: "trino", persona: .codeOnly),
            // A connection of the type front_channel has no secret to send.
            Row(profile: "auth0-enterprise", persona: .implicitOnly),
            Row(profile: "auth0-enterprise", persona: .assertionClient),
        ]
        + ["mcp-host", "claude", "chatgpt", "vscode"]
        .map { name in
            Row(
                profile: name,
                persona: .standard,
                configure: { $0.resource = "https://\(Target.authority(of: $0.issuer))/resource" }
            )
        }

    @Test("the gate of a platform is open for a conformant provider of its kind", arguments: rows)
    func opens(row: Row) async throws {
        let report =
            try await Laboratory.collect(row.persona, faults: row.faults, profile: row.profile) { row.configure(&$0) }
            .report
        let errors = report.entries.filter { $0.level == .error && !$0.verdict.findings.isEmpty }
        let reported = errors.map { "\($0.id): \($0.verdict.findings.map(\.message))" }
        #expect(errors.isEmpty, "\(reported)")
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }

    @Test(
        "an address as a string is a warning at a platform that does not read the claim",
        arguments: [("kubernetes", Persona.implicitOnly), ("vault", .assertionClient)]
    )
    func addressAsString(profile: String, persona: Persona) async throws {
        let fault = Fault("idtoken.claims.have-right-types", "address is a string") { _ in
        } change: { hooks in
            hooks.idTokenClaims = { claims, _ in claims["address"] = "12 High Street" }
        }
        let report = try await Laboratory.collect(persona, faults: [fault], profile: profile).report
        let entry = try #require(report.entries.first { $0.id == fault.trips })
        #expect(entry.verdict.findings.first?.pointer?.contains("address") == true, "\(entry.verdict)")
        #expect(entry.level == .warning)
        #expect(report.outcome.gate == .open, "\(report.outcome.summary)")
    }

    /// Discovery 1.0 section 4.3 requires that the issuer equals the configured one; these platforms do not compare them.
    @Test(
        "a platform that reads the issuer from the document needs it in the tokens, and nowhere else",
        arguments: ["gitea", "keycloak-broker", "authlib", "jenkins"],
        [("everywhere", Report.Gate.open), ("host", .closed)]
    )
    func otherIssuer(profile: String, variant: (name: String, gate: Report.Gate)) async throws {
        let id = "discovery.issuer.matches-request#" + variant.name
        let fault = try #require(Fault.all.first { $0.id == id })
        let report = try await Laboratory.collect(.codeOnly, faults: [fault], profile: profile).report
        let closing = report.entries.filter(\.closesGate).map(\.id)
        #expect(closing.contains("idtoken.iss.matches-issuer") == (variant.gate == .closed), "\(closing)")
        #expect(report.outcome.gate == variant.gate, "\(report.outcome.summary)")
    }

    @Test(
        "a platform that reads no document needs the registered issuer in the tokens",
        arguments: [("everywhere", Report.Gate.closed), ("host", .open)]
    )
    func registeredIssuer(variant: (name: String, gate: Report.Gate)) async throws {
        let id = "discovery.issuer.matches-request#" + variant.name
        let fault = try #require(Fault.all.first { $0.id == id })
        let report = try await Laboratory.collect(.codeOnly, faults: [fault], profile: "kafka").report
        let closing = report.entries.filter(\.closesGate).map(\.id)
        #expect(closing == (variant.gate == .closed ? ["idtoken.iss.matches-issuer"] : []))
        #expect(report.outcome.gate == variant.gate, "\(report.outcome.summary)")
    }

    static let rejections = rows.filter { $0.persona != .implicitOnly }
        .flatMap { row in ["invalid_grant", "server_error", "invalid_client"].map { (row, $0) } }

    /// A platform that only verifies tokens redeems no code, and for a client that is rejected, the configuration may be wrong.
    @Test("no gate is open for a provider that rejects every code", arguments: rejections)
    func rejectsCodes(row: Row, code: String) async throws {
        let fault = Fault("token.status.is-200", "every code is rejected") { _ in
        } change: { hooks in
            hooks.tokenError = { _, error in error ?? OAuthError(stringLiteral: code) }
        }
        let report =
            try await Laboratory.collect(row.persona, faults: row.faults + [fault], profile: row.profile) {
                row.configure(&$0)
                $0.flows = ["code"]
            }
            .report
        let redeems = try ProfileLibrary { _ in [] }.profile(row.profile).includes("token.status.is-200")
        let gate: Report.Gate = redeems && code != "invalid_client" ? .closed : .inconclusive
        #expect(report.outcome.gate == gate, "\(report.outcome.summary)")
    }

    /// A conformant provider that a platform cannot use.
    struct Refusal: Sendable, CustomStringConvertible {
        var profiles: [String]
        var check: CheckID
        var change: @Sendable (inout Hooks) -> Void = { _ in }
        var configure: @Sendable (inout Target) -> Void = { _ in }
        var description: String { "\(check)" }
    }

    /// The public key of RFC 8037 appendix A.2.
    private static let point = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

    private static let withoutPKCE = [
        "aws-cognito", "oauth2-proxy", "gitea", "keycloak-broker", "pgadmin", "flask-appbuilder", "open-webui", "trino",
        "jenkins",
        "django-allauth", "traefik-oidc-auth", "argo-cd",
    ]

    static let refusals: [Refusal] = [
        // These accept an unsigned ID Token then.
        Refusal(
            profiles: ["authlib", "open-webui", "pgadmin", "flask-appbuilder"],
            check: "discovery.id-token-signing-alg-values-supported.exclude-none",
            change: { hooks in
                hooks.discovery = { document, _ in
                    document["id_token_signing_alg_values_supported"] = ["RS256", "none"]
                }
            }
        ),
        Refusal(
            profiles: ["flask-appbuilder", "backstage"],
            check: "platform.userinfo.claims-are-present",
            change: { $0.userInfo = { $0["email"] = nil } }
        ),
        Refusal(
            profiles: ["jupyterhub", "keycloak-broker"],
            check: "platform.user.name-is-accepted",
            change: { $0.userInfo = { $0["preferred_username"] = "alice/smith" } }
        ),
        // The provider leaves the claims to UserInfo, which these do not request.
        Refusal(
            profiles: ["caddy-security", "dex-connector", "mlflow", "synapse"],
            check: "platform.id-token.claims-are-present"
        ),
        Refusal(
            profiles: ["minio", "caddy-security"],
            check: "platform.keys.types-are-accepted",
            change: { hooks in
                claimsInIDToken.change(&hooks)
                hooks.keySet = { set in
                    let other: JSON = [
                        "kty": "OKP", "crv": "Ed25519", "kid": "other", "use": "sig", "x": .string(Self.point),
                    ]
                    set["keys"] = .array((set["keys"]?.arrayValue ?? []) + [other])
                }
            }
        ),
        Refusal(
            profiles: ["kafka", "backstage", "trino"],
            check: "idtoken.iat.is-present",
            change: { $0.idTokenClaims = { claims, _ in claims["iat"] = nil } }
        ),
        Refusal(
            profiles: ["pocketbase", "home-assistant", "trino"],
            check: "userinfo.body.is-plain-json",
            change: { $0.userInfoAlgorithm = .rs256 }
        ),
        Refusal(
            profiles: ["gitea", "open-webui", "better-auth"],
            check: "platform.user.claims-are-present",
            change: { $0.userInfo = { $0["email"] = nil } }
        ),
        Refusal(
            profiles: ["home-assistant", "backstage"],
            check: "discovery.id-token-signing-alg-values-supported.include-rs256",
            change: { hooks in
                hooks.discovery = { document, _ in document["id_token_signing_alg_values_supported"] = ["PS256"] }
            }
        ),
        Refusal(
            profiles: [
                "firebase-oidc", "supabase", "entra-external-id", "vault", "sigstore-fulcio", "kubernetes",
                "google-workload-identity", "aws-iam", "keycloak-broker", "better-auth", "trino", "go-oidc",
            ],
            check: "platform.id-token.algorithm-is-asymmetric",
            change: { hooks in
                hooks.signing = .clientSecret
                hooks.discovery = { document, _ in
                    document["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
                }
            },
            configure: { $0.client?.idTokenSignedResponseAlg = "HS256" }
        ),
        Refusal(
            profiles: [
                "entra-external-id", "aws-cognito", "auth0-enterprise", "keycloak-broker", "jupyterhub",
                "home-assistant",
                "better-auth", "traefik-oidc-auth",
            ],
            check: "platform.client.secret-in-body-is-accepted",
            change: { hooks in
                hooks.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretPost
                }
            }
        ),
        Refusal(
            profiles: ["aws-cognito", "google-workload-identity"],
            check: "platform.id-token.has-kid",
            change: { $0.idTokenHeader = { header, _ in header["kid"] = nil } }
        ),
        Refusal(
            profiles: ["google-workload-identity"],
            check: "platform.id-token.lifetime-is-short-enough",
            change: { hooks in
                hooks.idTokenClaims = { claims, _ in
                    claims["exp"] = .integer((claims["iat"]?.integerValue ?? 0) + 48 * 3_600)
                }
            }
        ),
        Refusal(
            profiles: ["google-workload-identity", "vault"],
            check: "idtoken.iat.is-not-in-the-future",
            change: { hooks in
                hooks.idTokenClaims = { claims, _ in
                    claims["iat"] = .integer((claims["iat"]?.integerValue ?? 0) + 120)
                }
            }
        ),
        Refusal(
            profiles: withoutPKCE,
            check: "platform.request.needs-no-pkce",
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request.responseType == "code" && request["code_challenge"] == nil
                        ? OAuthError("invalid_request", "Code challenge required.") : error
                }
            }
        ),
        // A provider may enforce a requirement only after the sign-in, or when the code is redeemed.
        Refusal(
            profiles: withoutPKCE,
            check: "platform.request.needs-no-pkce",
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request.isSignedIn && request.responseType == "code" && request["code_challenge"] == nil
                        ? OAuthError("invalid_request", "Not allowed.") : error
                }
            }
        ),
        Refusal(
            profiles: withoutPKCE,
            check: "platform.request.needs-no-pkce",
            change: { hooks in
                hooks.tokenError = { request, error in
                    guard error == nil, request["grant_type"] == "authorization_code" else { return error }
                    return request["code_verifier"] == nil ? OAuthError("invalid_request", "It is missing.") : nil
                }
            }
        ),
        // A bogus code is rejected before the client is checked.
        Refusal(
            profiles: [
                "entra-external-id", "aws-cognito", "auth0-enterprise", "keycloak-broker", "jupyterhub",
                "home-assistant",
                "better-auth", "traefik-oidc-auth",
            ],
            check: "platform.client.secret-in-body-is-accepted",
            change: { hooks in
                hooks.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretPost
                }
                hooks.looksUpCodesFirst()
            }
        ),
        Refusal(
            profiles: ["entra-external-id"],
            check: "platform.user.email-is-verified",
            change: { $0.userInfo = { $0["email_verified"] = false } }
        ),
    ]

    @Test("the gate of a platform is closed for a provider that it cannot use", arguments: refusals)
    func closes(refusal: Refusal) async throws {
        let fault = Fault(
            refusal.check,
            "the platform cannot use the provider",
            configure: refusal.configure,
            change: refusal.change
        )
        for profile in refusal.profiles {
            let (_, report) = try await Laboratory.judge(.codeOnly, faults: [fault], profile: profile)
            let closing = report.entries.filter(\.closesGate).map(\.id)
            #expect(closing == [refusal.check], "\(profile): \(report.outcome.summary)")
            #expect(report.outcome.gate == .closed)
        }
    }

    @Test("a client that authenticates with a key needs no secret in the body")
    func assertions() async throws {
        let (_, report) = try await Laboratory.judge(.assertionClient, profile: "entra-external-id")
        let entry = report.entries.first { $0.id == Rule.secretInBody.check }
        #expect(
            entry?.verdict.findings.isEmpty == true && entry?.blocksOpening == false,
            "\(String(describing: entry))"
        )
    }

    @Test("encryption that the client has registered is not an error, but the gate is not open")
    func encryption() async throws {
        let fault = Fault(
            "idtoken.form.is-not-encrypted",
            variant: "registered",
            "the ID Token is encrypted",
            change: { hooks in
                hooks.idToken = { token, _ in
                    (token.split(separator: ".").prefix(1) + Array(repeating: "AAAA", count: 4)).joined(separator: ".")
                }
            }
        )
        for registered in ["RSA-OAEP", nil] {
            let report =
                try await Laboratory.collect(.codeOnly, faults: [fault], profile: "openid") {
                    $0.client?.idTokenEncryptedResponseAlg = registered
                }
                .report
            let entry = report.entries.first { $0.id == fault.trips }
            #expect(entry?.verdict.findings.isEmpty == (registered != nil), "\(String(describing: entry))")
            let closing = report.entries.filter(\.closesGate).map { "\($0.id): \($0.verdict.findings.map(\.message))" }
            #expect(report.outcome.gate == (registered == nil ? .closed : .inconclusive), "\(closing)")
        }
    }

    @Test("without a sign-in by OAuth 1.0a the gate is inconclusive", arguments: [Tier.static, .unauthenticated])
    func withoutSignedInUser(tier: Tier) async throws {
        let outcome = try await Laboratory.collect(.twitter, tier: tier).report.outcome
        #expect(outcome.gate == .inconclusive && outcome.exitCode == 2, "\(outcome.summary)")
    }

    @Test("the gate of FAPI 2.0 is closed for an ordinary provider, for the reasons in the specification")
    func fapi() async throws {
        let (_, report) = try await Laboratory.judge(.standard, profile: "fapi2-security")
        let errors = report.entries.filter { $0.level == .error && !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(
            Set(errors) == [
                "platform.metadata.client-authentication-is-offered", "platform.metadata.signing-algorithm-is-offered",
                "platform.client.authentication-is-accepted", "platform.request.must-be-pushed",
            ]
        )
        #expect(report.outcome.gate == .closed)
    }

    @Test("the advice for a sign-in that fails because of code_verifier names client.pkce")
    func unexpectedVerifier() async throws {
        let result = try await Laboratory.collect(.linkedin) { $0.client?.sendsPKCE = nil }
        #expect(result.report.outcome.exitCode == 2)
        #expect(result.report.causes.map(\.advice).contains { $0.contains("client.pkce: false") })
    }

    @Test(
        "a client without PKCE fails at a platform that requires it, and the provider's PKCE checks are skipped",
        arguments: ["spa", "appauth", "oauth-security-bcp", "fapi2-security", "vault-sign-in"]
    )
    func withoutPKCE(profile: String) async throws {
        let (_, report) = try await Laboratory.judge(.linkedin, profile: profile)
        #expect(report.entries.filter(\.closesGate).map(\.id).contains("platform.client.sends-pkce"))
        #expect(report.outcome.gate == .closed)
        let verifiers = report.entries.filter { $0.id.rawValue.hasPrefix("token.code-verifier.") && $0.wasSelected }
        #expect(verifiers.allSatisfy { $0.verdict.word == "notApplicable" }, "\(verifiers.map(\.verdict))")
    }
}
