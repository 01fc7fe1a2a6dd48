import Catalogue
import Conformance
import Profiles
import ReferenceProvider
import Testing

/// Features that a platform does not use lower the level of findings, verified against real platforms
/// (`Tests/Fixtures/clients.tsv`).
@Suite("Features", .timeLimit(.minutes(5)))
struct FeatureTests {
    /// The features of a check follow from the evidence that it reads.
    struct Row: Sendable, CustomStringConvertible {
        let check: CheckID
        let features: Set<Feature>
        var description: String { "\(check)" }
    }

    static let rows = [
        Row(check: "discovery.issuer.matches-request", features: []),
        Row(check: "discovery.token-endpoint.is-present", features: [.code]),
        Row(check: "discovery.registration-endpoint.uses-https", features: [.registration]),
        Row(check: "discovery.code-challenge-methods-supported.include-s256", features: [.pkce]),
        Row(check: "keys.kid.is-present", features: []),
        Row(check: "authorization.max-age.zero-asks-again", features: [.authorization, .code, .maxAge]),
        Row(check: "authorization.post.is-accepted", features: [.authorization, .post]),
        Row(check: "authorization.request-object.is-not-ignored", features: [.authorization, .requestObject]),
        Row(check: "authorization.form-post.sends-itself", features: [.authorization, .formPost]),
        Row(check: "token.code-verifier.wrong-is-refused", features: [.code, .pkce]),
        Row(check: "token.refresh.made-up-is-refused", features: [.code, .refresh]),
        Row(check: "revocation.access-token.opens-nothing-afterwards", features: [.code, .userInfo, .revocation]),
        Row(check: "token.private-key-jwt.other-key-is-refused", features: [.code, .registration]),
        Row(check: "idtoken.nonce.is-echoed", features: [.nonce]),
        Row(check: "idtoken.auth-time.is-a-number", features: [.maxAge]),
        Row(check: "idtoken.signature.verifies", features: []),
        Row(check: "userinfo.sub.matches-id-token", features: [.userInfo]),
        Row(check: "platform.spa.token.is-open-to-scripts", features: [.scripts]),
    ]

    @Test("the features of a check follow from the evidence that it reads", arguments: rows)
    func features(row: Row) throws {
        let check = try #require(Catalogue.all.first { $0.id == row.check })
        #expect(check.features == row.features)
    }

    @Test("only checks with the consequence safety can endanger all users")
    func endangeringAllUsers() {
        for check in Catalogue.all where check.endangers == .allUsers {
            #expect(check.consequence == .safety, "\(check)")
        }
    }

    /// The level of a failure in the profile of a platform, and the reason.
    struct Weight: Sendable, CustomStringConvertible {
        let profile: String
        let check: CheckID
        let level: Level
        var because: String?
        var description: String { "\(check) at \(profile)" }
    }

    private static let harmless = "the platform has no rule about it, and it neither breaks sign-in nor endangers users"

    static let weights = [
        // Every MUST is blocking if the registering platform is unknown.
        Weight(profile: "openid", check: "authorization.post.is-accepted", level: .error),
        Weight(profile: "openid", check: "authorization.max-age.zero-asks-again", level: .error),
        Weight(
            profile: "firebase-oidc",
            check: "authorization.post.is-accepted",
            level: .notice,
            because: "the platform does not use POST at the authorization endpoint"
        ),
        Weight(
            profile: "supabase",
            check: "authorization.max-age.zero-asks-again",
            level: .notice,
            because: "the platform does not use max_age or auth_time"
        ),
        Weight(
            profile: "supabase",
            check: "userinfo.sub.matches-id-token",
            level: .notice,
            because: "the platform does not use the UserInfo endpoint"
        ),
        Weight(profile: "aws-cognito", check: "userinfo.sub.matches-id-token", level: .error),
        Weight(
            profile: "kubernetes",
            check: "discovery.token-endpoint.is-present",
            level: .notice,
            because: "the platform does not use the code flow"
        ),
        Weight(profile: "supabase", check: "token.cache-control.has-no-store", level: .warning, because: harmless),
        // A fault that lets an attacker in endangers all users, whatever the platform uses.
        Weight(profile: "supabase", check: "userinfo.bad-token.is-refused", level: .error),
        Weight(profile: "firebase-oidc", check: "introspection.no-credentials.is-refused", level: .error),
        Weight(profile: "kubernetes", check: "idtoken.sub.differs-between-persons", level: .error),
        // A platform that does not send max_age may read the claim nevertheless; measurements decide.
        Weight(
            profile: "aws-cognito",
            check: "idtoken.auth-time.is-a-number",
            level: .error,
            because: "it is unknown whether the platform expects this type; assumed, so that a token that a typed "
                + "parser rejects does not pass"
        ),
        // A rule that the specification leaves to the client is blocking only if the platform was measured.
        Weight(
            profile: "kubernetes",
            check: "keys.kty.is-known",
            level: .error,
            because: "the API server drops the whole key set because of one key of an unknown type "
                + "(measured with k8s.io/apiserver 0.37.2)"
        ),
        Weight(profile: "aws-iam", check: "keys.kty.is-known", level: .warning),
        Weight(profile: "aws-iam", check: "idtoken.claims.have-right-types", level: .error),
        Weight(
            profile: "sigstore-fulcio",
            check: "idtoken.claims.have-right-types",
            level: .warning,
            because: "Fulcio reads only the claims of its issuer type (measured with Fulcio 1.8.8)"
        ),
        Weight(profile: "token-verifier", check: "keys.thumbprints.are-usable", level: .warning),
        Weight(
            profile: "sigstore-fulcio",
            check: "keys.thumbprints.are-usable",
            level: .error,
            because:
                "Fulcio drops the whole key set because of a thumbprint that is malformed or does not match its certificate "
                + "(measured with Fulcio 1.8.8)"
        ),
        // The platform reads no document, no key and no ID Token; what any third party can exploit stays an error.
        Weight(profile: "jupyterhub", check: "idtoken.sub.differs-between-persons", level: .error),
        Weight(
            profile: "jupyterhub",
            check: "idtoken.aud.holds-client",
            level: .notice,
            because:
                "JupyterHub does not read the ID Token with userdata_url (measured with JupyterHub 6.1.1, oauthenticator 17.4.0)"
        ),
        Weight(
            profile: "jupyterhub",
            check: "discovery.registration-endpoint.uses-https",
            level: .notice,
            because:
                "JupyterHub reads no discovery document; its addresses are entered by hand (measured with JupyterHub 6.1.1, "
                + "oauthenticator 17.4.0)"
        ),
        // Values that go-oidc and x/oauth2 accept.
        Weight(
            profile: "kubernetes",
            check: "idtoken.iat.is-in-seconds",
            level: .warning,
            because: "the API server does not read iat (measured with k8s.io/apiserver 0.37.2)"
        ),
        Weight(profile: "vault", check: "idtoken.iat.is-in-seconds", level: .error),
        Weight(
            profile: "sigstore-fulcio",
            check: "idtoken.kid.is-not-null",
            level: .warning,
            because: "Fulcio treats null as a missing kid (go-oidc, measured)"
        ),
        Weight(profile: "sigstore-fulcio", check: "idtoken.kid.is-a-string", level: .error),
        Weight(
            profile: "supabase",
            check: "idtoken.identifiers.are-strings",
            level: .warning,
            because: "go-oidc reads neither jti nor sid, so a number there breaks no sign-in (measured)"
        ),
        Weight(
            profile: "vault-sign-in",
            check: "token.refresh-token.is-a-text",
            level: .warning,
            because: "x/oauth2 treats null and an empty string as a missing refresh token (measured)"
        ),
        Weight(
            profile: "oauth2-proxy",
            check: "token.expires-in.is-not-negative",
            level: .warning,
            because: "almost every measured relying party accepts such a token response"
        ),
        Weight(
            profile: "kubernetes",
            check: "idtoken.auth-time.is-a-number",
            level: .notice,
            because: "the platform does not use max_age or auth_time"
        ),
        // An address as a string: these platforms do not read the claim.
        Weight(
            profile: "kubernetes",
            check: "idtoken.claims.have-right-types",
            level: .warning,
            because: "the API server reads only the claims that it maps (measured with k8s.io/apiserver 0.37.2)"
        ),
        Weight(
            profile: "vault",
            check: "idtoken.claims.have-right-types",
            level: .warning,
            because: "the service reads only the claims that the role maps (measured with vault-plugin-auth-jwt 0.26.1)"
        ),
        // The platform's own rules, and those whose level its profile sets.
        Weight(profile: "firebase-oidc", check: "platform.client.has-a-secret", level: .error),
        Weight(profile: "supabase", check: "authorization.nonce.may-be-absent", level: .error),
    ]

    /// These platforms never send an unknown response type.
    private static let unknownResponseType = ["supabase", "auth0-enterprise", "vault-sign-in", "spa", "appauth"]
        .map { name in
            let check: CheckID = "authorization.response-type.unknown-is-refused"
            return Weight(profile: name, check: check, level: .warning, because: harmless)
        }

    @Test(
        "unused features lower the level of a finding, unless it endangers all users",
        arguments: weights + unknownResponseType
    )
    func weight(row: Weight) throws {
        let check = try #require(Catalogue.all.first { $0.id == row.check })
        let weight = try Self.profile(row.profile).weight(of: check)
        #expect(weight.level == row.level)
        #expect(weight.because == row.because)
    }

    @Test("the level of a finding about one of many members is that of the member")
    func findings() throws {
        let check = try #require(Catalogue.all.first { $0.id == "discovery.url-members.are-absolute" })
        let profile = try Self.profile("aws-cognito")
        let registration = Finding("relative", at: "/registration_endpoint", fix: "")
        let token = Finding("relative", at: "/token_endpoint", fix: "")
        #expect(profile.weight(of: check, findings: [registration]).level == .notice)
        #expect(profile.weight(of: check, findings: [registration, token]).level == .error)
    }

    @Test("a feature that the configuration uses keeps its level")
    func configured() throws {
        let check = try #require(Catalogue.all.first { $0.id == "authorization.prompt-login.asks-again" })
        var target = Target(issuer: "https://op.example")
        let profile = try Self.profile("firebase-oidc")
        #expect(profile.used(with: target).weight(of: check).level == .notice)
        target.customParameters = [Field("prompt", "login")]
        #expect(profile.used(with: target).weight(of: check).level == .error)
    }

    @Test("every profile but three generic ones states the features that its platform uses")
    func everyProfileSays() throws {
        let silent = try ProfileLibrary.builtIn.map(\.name).filter { try Self.profile($0).uses == nil }
        #expect(silent == ["openid", "fapi2-security", "oauth-security-bcp"])
    }

    /// A real platform of the table, and its profile.
    struct Platform: Sendable, CustomStringConvertible {
        let column: String
        let profile: String
        /// Faults that the platform rejects and that do not close the gate, each with the reason.
        let misses: [String: String]
        var description: String { column }
    }

    private static let otherAlgorithm = [
        "discovery.id-token-signing-alg-values-supported.include-rs256":
            "the measured token was signed with RS256, which the fault does not list: idtoken.alg.is-advertised checks that"
    ]

    private static let measuredProgram =
        "the measured program adds a nonce and reads UserInfo; a profile that extends this one adds what its platform does"

    static let platforms = [
        Platform(
            column: "supabase-auth",
            profile: "supabase",
            misses: [
                "idtoken.claims.are-left-to-userinfo":
                    "the fault returns an unverified address: platform.id-token.email-is-verified checks that",
                "discovery.id-token-signing-alg-values-supported.include-rs256": algorithmOfTokens,
                "token.content-type.is-json": "platform.token.content-type-is-not-excluded checks that",
            ]
        ),
        Platform(column: "kubernetes-oidc", profile: "kubernetes", misses: [:]),
        Platform(column: "vault-jwt", profile: "vault", misses: [:]),
        Platform(column: "vault-jwt-bound", profile: "vault", misses: [:]),
        Platform(column: "vault-oidc", profile: "vault-sign-in", misses: mediaType),
        Platform(
            column: "go-oidc",
            profile: "go-oidc",
            misses: mediaType.merging([
                "discovery.id-token-signing-alg-values-supported.include-rs256": algorithmOfTokens,
                "idtoken.nonce.is-echoed": measuredProgram,
                "idtoken.email-verified.is-a-boolean": measuredProgram,
                "discovery.userinfo-endpoint.is-present": measuredProgram,
                "discovery.userinfo-endpoint.uses-https": measuredProgram,
                "discovery.endpoints.are-on-the-issuers-host": measuredProgram,
                "token.token-type.is-bearer": measuredProgram, "userinfo.status.is-200": measuredProgram,
                "userinfo.body.is-plain-json": measuredProgram, "userinfo.body.is-json-object": measuredProgram,
            ]) { $1 }
        ),
        Platform(
            column: "authlib",
            profile: "authlib",
            misses: issuerInTokens.merging([
                "discovery.id-token-signing-alg-values-supported.include-rs256": algorithmOfTokens
            ]) { $1 }
        ),
        Platform(
            column: "django-allauth",
            profile: "django-allauth",
            misses: issuerInTokens.merging([
                "discovery.endpoints.are-on-the-issuers-host": "the host of the fault does not exist",
                "discovery.userinfo-endpoint.is-present": "platform.metadata.members-are-present checks that",
            ]) { $1 }
        ),
        Platform(
            column: "oauth2-proxy",
            profile: "oauth2-proxy",
            misses: mediaType.merging([
                "discovery.id-token-signing-alg-values-supported.include-rs256": algorithmOfTokens,
                "discovery.endpoints.are-on-the-issuers-host": "the host of the fault does not exist",
                "discovery.userinfo-endpoint.is-present": "platform.metadata.members-are-present checks that",
                "userinfo.email.is-present": "platform.user.claims-are-present checks that",
                "userinfo.email-verified.is-true": "platform.user.email-is-verified checks that",
            ]) { $1 }
        ),
        Platform(
            column: "fulcio-email",
            profile: "sigstore-fulcio-email",
            misses: otherAlgorithm.merging(
                ["idtoken.claims.of-scopes-are-present": "platform.id-token.claims-are-present checks that"]
            ) { $1 }
        ),
        Platform(column: "fulcio-ci", profile: "sigstore-fulcio", misses: otherAlgorithm),
    ]

    private static let mediaType = [
        "token.content-type.is-json": "platform.token.content-type-is-not-excluded checks that"
    ]

    /// A list without RS256 breaks the sign-in if tokens are signed with RS256.
    private static let algorithmOfTokens = "idtoken.alg.is-advertised checks that"

    /// The document states another issuer than the tokens, which a platform that reads the document's issuer rejects.
    private static let issuerInTokens = Dictionary(
        uniqueKeysWithValues: [
            "discovery.issuer.matches-request#path", "discovery.issuer.matches-request#port",
            "discovery.issuer.matches-request#host", "discovery.issuer.matches-request#slash",
            "discovery.issuer.matches-request#apple-renamed", "discovery.issuer.matches-request#auth0-without-slash",
            "discovery.issuer.has-no-terminating-slash", "discovery.issuer.is-in-normal-form",
            "discovery.endpoints.are-publicly-named",
        ]
        .map { ($0, "idtoken.iss.matches-issuer checks that") }
    )

    @Test("a fault that a real platform rejected closes the gate of its profile", arguments: platforms)
    func platformRefuses(platform: Platform) throws {
        let profile = try Self.profile(platform.profile)
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        let faults = Dictionary(uniqueKeysWithValues: Fault.all.map { ($0.id, $0) })
        var refused = 0
        var missed: Set<String> = []
        for row in ClientTable.rows {
            // If the sign-in for the token failed in the browser, the platform was not tested.
            guard let step = row.steps[platform.column], step != "browser", let fault = faults[row.fault] else {
                continue
            }
            refused += 1
            let closes = ([fault.trips] + fault.also).compactMap { checks[$0] }
                .contains { profile.includes($0.id) && profile.weight(of: $0).level == .error }
            if !closes { missed.insert(row.fault) }
        }
        #expect(refused > 60, "the table has too few rows for \(platform.column)")
        #expect(missed.sorted() == platform.misses.keys.sorted())
    }

    private static func profile(_ name: String) throws -> Profile {
        try ProfileLibrary { path throws(ConfigurationError) in throw ConfigurationError(file: path, "no such file") }
            .profile(name)
    }
}
