import Conformance
import Profiles
import Testing

private func library(_ files: [String: String] = [:]) -> ProfileLibrary {
    ProfileLibrary { path throws(ConfigurationError) in
        guard let text = files[path] else { throw ConfigurationError(file: path, "no such file") }
        return Array(text.utf8)
    }
}

@Suite("Profiles", .timeLimit(.minutes(5)))
struct ProfileTests {
    @Test("the built-in profiles load", arguments: ProfileLibrary.builtIn.map(\.name))
    func builtIn(name: String) throws {
        let profile = try library().profile(name)
        #expect(profile.name == name)
        #expect(profile.includes("discovery.jwks-uri.is-present") == profile.parameters.readsDiscovery)
        #expect(profile.lineage.first == name)
    }

    @Test("all means the platforms that accept any provider, and all:NAME those of them that extend a profile")
    func all() {
        let all = ProfileLibrary.members(of: "all") ?? []
        #expect(all == all.sorted() && all.count > 35)
        #expect(Set(["gitea", "firebase-oidc", "kubernetes", "aws-cognito"]).isSubset(of: all))
        let others = [
            "openid", "relying-party", "go-oidc", "authlib", "token-verifier", "spa", "appauth", "fapi2-security",
            "oauth-security-bcp", "firebase-github", "firebase-twitter", "firebase-microsoft", "x-oauth2", "mcp-host",
            "claude", "chatgpt", "vscode",
        ]
        #expect(Set(others).isDisjoint(with: all))
        #expect(
            ProfileLibrary.members(of: "all:authlib") == [
                "flask-appbuilder", "mlflow", "open-webui", "pgadmin", "synapse",
            ]
        )
        for name in ["all:nothing", "all:", "gitea", ""] { #expect(ProfileLibrary.members(of: name) == nil) }
    }

    @Test("a platform whose rules were not measured names their source", arguments: ProfileLibrary.builtIn.map(\.name))
    func known(name: String) throws {
        let profile = try library().profile(name)
        // Rules of no single platform come from specifications, or from the platforms that extend them.
        guard profile.platform != nil, profile.knownFrom == nil else { return }
        let lines = ProfileLibrary.builtIn.filter { profile.lineage.contains($0.name) && $0.name != "relying-party" }
            .flatMap { $0.yaml.split(separator: "\n") }.filter { !$0.hasPrefix("#") }
        #expect(
            lines.contains { $0.contains("measured") || $0.contains("recorded behaviour") },
            "known_from is missing"
        )
    }

    @Test("a profile inherits the source of rules that were not measured")
    func inheritedSource() throws {
        let files = [
            "./mine.yaml": "name: mine\nextends: grafana",
            "./ours.yaml": "name: ours\nextends: grafana\nknown_from: us",
        ]
        let inherited = try library(files).profile("./mine.yaml").knownFrom
        #expect(
            try inherited?.hasPrefix("Grafana's source") == true && inherited == library().profile("grafana").knownFrom
        )
        #expect(try library(files).profile("./ours.yaml").knownFrom == "us")
        #expect(try library().profile("gitea").knownFrom == nil)
    }

    @Test("several checks share a level and a reason")
    func several() throws {
        let text = """
            name: mine
            extends: openid
            adjust:
              - checks: [keys.kty.*, discovery.issuer.is-present]
                level: notice
                because: the platform reads neither
            """
        let profile = try library(["./mine.yaml": text]).profile("./mine.yaml")
        for id in ["keys.kty.is-known", "discovery.issuer.is-present"] as [CheckID] {
            #expect(profile.adjustment(for: id)?.level == .notice)
            #expect(profile.adjustment(for: id)?.because == "the platform reads neither")
        }
    }

    @Test("firebase-github drops the checks of OpenID Connect, with reasons")
    func gitHub() throws {
        let profile = try library().profile("firebase-github")
        #expect(!profile.parameters.readsDiscovery)
        #expect(profile.parameters.endpoints["token_endpoint"] == "{issuer}/access_token")
        for stage in ["discovery", "keys", "idtoken", "userinfo", "authorization", "token", "logout"] {
            let id = CheckID(stage + ".anything")
            #expect(profile.contains(id) && !profile.includes(id))
            #expect(profile.adjustment(for: id)?.because.isEmpty == false)
        }
        #expect(profile.includes("authorization.state.is-echoed"))
        #expect(profile.includes("platform.user-api.has-members"))
        #expect(profile.includes("platform.github.anything"))
        #expect(!profile.includes("platform.id-token.algorithm-is-accepted"))
    }

    @Test(
        "firebase-twitter drops the checks of OpenID Connect, with reasons, and reserves the parameters of OAuth 1.0a"
    )
    func twitter() throws {
        let profile = try library().profile("firebase-twitter")
        #expect(profile.parameters.usesOAuth1 && !profile.parameters.readsDiscovery)
        for stage in Stage.allCases where stage != .platform && stage != .transport {
            let id = CheckID(stage.rawValue + ".anything")
            #expect(profile.contains(id) && !profile.includes(id))
            #expect(profile.adjustment(for: id)?.because.isEmpty == false)
        }
        let names = [
            "callback", "consumer_key", "nonce", "signature", "signature_method", "timestamp", "token", "verifier",
            "version",
        ]
        let reserved = ["client_id", "redirect_uri", "response_type", "scope", "state"] + names.map { "oauth_" + $0 }
        #expect(Set(profile.parameters[.reservedParameters] ?? []) == Set(reserved))
        #expect(profile.parameters.scopes.isEmpty)
        #expect(profile.includes("transport.anything"))
    }

    @Test("endpoints of a provider require a rule that names the provider")
    func ownerlessEndpoint() {
        let text = "name: mine\nparameters: { endpoints: { token_endpoint: https://a.example/t } }\n"
        let error = #expect(throws: ConfigurationError.self) {
            try library(["./mine.yaml": text]).profile("./mine.yaml")
        }
        #expect(error?.description.contains("issuer.is-the-providers") == true, "\(error?.description ?? "")")
    }

    @Test("an unknown endpoint is reported with the nearest known name")
    func wrongEndpoint() {
        let text = "name: mine\nparameters: { endpoints: { tokn_endpoint: https://a.example/t } }\n"
        let error = #expect(throws: ConfigurationError.self) {
            try library(["./mine.yaml": text]).profile("./mine.yaml")
        }
        #expect(error?.description.contains("did you mean “token_endpoint”?") == true, "\(error?.description ?? "")")
    }

    @Test("firebase-oidc extends openid and reserves the platform's parameters")
    func firebase() throws {
        let profile = try library().profile("firebase-oidc")
        #expect(profile.lineage == ["firebase-oidc", "openid"])
        #expect(profile.includes("platform.firebase.anything"))
        #expect(
            Set(profile.parameters[.reservedParameters] ?? [])
                == ["client_id", "response_type", "redirect_uri", "state", "scope", "response_mode"]
        )
        #expect(!(try library().profile("openid").includes("platform.firebase.anything")))
    }

    @Test("Firebase's built-in providers have their own profiles and rules")
    func named() throws {
        let microsoft = try library().profile("firebase-microsoft")
        #expect(microsoft.lineage == ["firebase-microsoft", "firebase-oidc", "openid"])
        #expect(microsoft.includes("platform.microsoft.anything"))
        #expect(!microsoft.includes("idtoken.iss.matches-issuer"))
        #expect(microsoft.includes("platform.microsoft.id-token.iss-is-the-tenants"))
        #expect(microsoft.parameters[.reservedParameters]?.contains("response_mode") == true)
        #expect(microsoft.parameters.subjectClaims == ["oid", "tid"])
        let yahoo = try library().profile("firebase-yahoo")
        #expect(yahoo.includes("platform.yahoo.anything"))
        #expect(!yahoo.includes("platform.microsoft.anything"))
        #expect(yahoo.parameters[.reservedParameters]?.contains("response_mode") == false)
        #expect(yahoo.parameters.avoidsPKCE)
        for adjustment in microsoft.adjustments + yahoo.adjustments { #expect(!adjustment.because.isEmpty) }
    }

    @Test("spa extends openid with the rules for browsers")
    func spa() throws {
        let profile = try library().profile("spa")
        #expect(profile.lineage == ["spa", "openid"])
        #expect(profile.includes("platform.spa.anything"))
        #expect(!profile.includes("platform.firebase.anything"))
        #expect(!(try library().profile("openid").includes("platform.spa.anything")))
    }

    /// The level of a check in a profile; `nil` for the check's own level, which for a rule is an error.
    static let weights: [(profile: String, check: CheckID, level: Level?)] = [
        ("aws-cognito", "platform.id-token.has-kid", nil), ("aws-cognito", "platform.request.needs-no-pkce", nil),
        ("aws-cognito", "platform.metadata.members-are-present", .warning),
        ("aws-cognito", "discovery.issuer.has-no-terminating-slash", .warning),
        ("aws-cognito", "discovery.target.client-authentication-is-offered", .notice),
        ("google-workload-identity", "platform.id-token.algorithm-is-accepted", nil),
        ("google-workload-identity", "platform.id-token.claims-are-present", nil),
        ("google-workload-identity", "transport.authority.is-public", .error),
        ("google-workload-identity", "idtoken.iat.is-not-in-the-future", .error),
        ("aws-iam", "platform.keys.rsa-keys-are-few-enough", nil),
        ("aws-iam", "transport.authority.is-public", .warning),
        ("supabase", "platform.client.sends-pkce", .warning),
        ("oauth2-proxy", "platform.request.needs-no-pkce", nil),
        ("entra-external-id", "platform.request.needs-no-pkce", .notice),
        ("kubernetes", "platform.id-token.claims-are-texts", .warning),
        ("firebase-yahoo", "platform.user.claims-are-present", .warning),
        ("oauth-security-bcp", "token.refresh.rotates-for-public-clients", .error),
        ("oauth-security-bcp", "token.code-verifier.is-heeded", .error),
        ("spa", "token.refresh.rotates-for-public-clients", .error),
        ("spa", "token.code-verifier.is-heeded", .error),
        ("appauth", "token.refresh.rotates-for-public-clients", .error),
        ("appauth", "token.code-verifier.is-heeded", .error),
        ("auth0-enterprise", "platform.client.secret-in-body-is-accepted", nil),
        ("appauth", "platform.request.settable-parameters-are-left-out", .warning),
    ]

    @Test("a documented rejection is an error, and one that was not observed has a lower level", arguments: weights)
    func weight(sample: (profile: String, check: CheckID, level: Level?)) throws {
        let profile = try library().profile(sample.profile)
        #expect(profile.includes(sample.check))
        let adjustment = try #require(profile.adjustment(for: sample.check))
        #expect(adjustment.level == sample.level && !adjustment.because.isEmpty)
    }

    @Test("google-workload-identity states the token requirements of Google's reference")
    func googleTokens() throws {
        let parameters = try library().profile("google-workload-identity").parameters
        #expect(Set(parameters[.tokenClaims] ?? []) == ["iss", "iat", "exp", "sub", "aud"])
        #expect(parameters[.tokenLifetime].map { $0 < 48 * 3_600 } == true)
        #expect(parameters[.tokenAlgorithms] == ["RS256", "ES256"])
        #expect(parameters.states(.tokenKid))
    }

    @Test("a file extends a built-in profile, and adjusts and drops checks with reasons")
    func ownProfile() throws {
        let text = """
            name: mine
            extends: firebase-oidc
            adjust:
              - { check: keys.*, level: warning, because: our gateway reads one key only }
              - { check: keys.x5c.*, drop: true, because: our gateway does not read them }
            parameters: { scopes: { value: [openid], because: our gateway has no use for an address } }
            """
        let profile = try library(["./mine.yaml": text]).profile("./mine.yaml")
        #expect(profile.lineage == ["mine", "firebase-oidc", "openid"])
        #expect(profile.adjustment(for: "keys.kid.is-unique")?.level == .warning)
        #expect(!profile.includes("keys.x5c.parses"))
        #expect(profile.parameters.scopes == ["openid"])
        #expect(profile.parameters.reasons["scopes"] == "our gateway has no use for an address")
        #expect(profile.parameters[.redirectURI]?.matches("https://p.firebaseapp.com/__/auth/handler") == true)
    }

    @Test(
        "a mistake is reported with its line and the nearest known name",
        arguments: [
            ("name: a\nextend: openid\n", "2:1: unknown key “extend”; did you mean “extends”?"),
            ("name: a\nadjust: [{ check: x }]\n", "“adjust[0].because” is missing"),
            (
                "name: a\nadjust: [{ check: x, because: y, level: fatal }]\n",
                "must be error, warning or notice, not “fatal”"
            ),
            ("name: a\ninclude: discovery\n", "2:10: “include” must be a list, not a string"),
            ("name: a\nparameters: { avoids_pkce: maybe }\n", "“parameters.avoids_pkce” must be true or false"),
            ("name: a\nname: b\n", "duplicate key"),
            ("name: [\n", "invalid YAML"),
            ("", "the file is empty"),
        ]
    )
    func wrong(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try library(["./p.yaml": text]).profile("./p.yaml") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("an unknown profile suggests the nearest name, and a circle is reported")
    func unknownAndCircular() {
        let unknown = #expect(throws: ConfigurationError.self) { try library().profile("firebase") }
        #expect(unknown?.description.contains("firebase-oidc") == true)
        let files = ["./a.yaml": "name: a\nextends: ./b.yaml\n", "./b.yaml": "name: b\nextends: ./a.yaml\n"]
        let circle = #expect(throws: ConfigurationError.self) { try library(files).profile("./a.yaml") }
        #expect(circle?.description.contains("circle") == true)
    }

    @Test(
        "an extended file is resolved relative to the file that names it",
        arguments: [
            ("./a.yaml", "./b.yaml", "./b.yaml"), ("ours/a.yaml", "./b.yaml", "ours/b.yaml"),
            ("ours/a.yaml", "b.yaml", "ours/b.yaml"), ("a.yaml", "b.yaml", "b.yaml"),
            ("ours/a.yaml", "../b.yaml", "ours/../b.yaml"), ("ours/a.yaml", "/etc/b.yaml", "/etc/b.yaml"),
        ]
    )
    func beside(file: String, named: String, base: String) throws {
        let text = "name: a\nextends: \(named)\n"
        let found = try library([file: text, base: "name: b\nextends: spa\n"]).profile(file)
        #expect(found.lineage == ["a", "b", "spa", "openid"])
        let error = #expect(throws: ConfigurationError.self) { try library([file: text]).profile(file) }
        #expect(error?.description.hasPrefix("\(file):2:10: ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(base) == true)
    }
}

@Suite("Nearest word", .timeLimit(.minutes(5)))
struct NearestWordTests {
    @Test(
        "suggests a similar word, and none if no word is similar",
        arguments: [
            ("flow", "flows"), ("redirect_url", "redirect_uri"), ("isuser", "issuer"), ("Scopes", "scopes"),
            ("completely-different", nil),
        ] as [(String, String?)]
    )
    func nearest(word: String, expected: String?) {
        #expect(NearestWord.of(word, among: ["issuer", "flows", "scopes", "redirect_uri", "waivers"]) == expected)
    }
}

@Suite("Strict YAML", .timeLimit(.minutes(5)))
struct StrictYAMLTests {
    @Test(
        "an empty value is not a text, and a quoted value is never empty",
        arguments: [
            ("name:\n", "“name” must be a string, not an empty value"),
            ("name: ~\n", "must be a string, not an empty value"),
            ("name: null\n", "must be a string, not an empty value"), ("name: \"null\"\n", nil), ("name: 12\n", nil),
            ("name: 2027-03-31\n", nil), ("name: true\n", nil),
        ] as [(String, String?)]
    )
    func scalars(text: String, message: String?) throws {
        if let message {
            let error = #expect(throws: ConfigurationError.self) { try library(["./p.yaml": text]).profile("./p.yaml") }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        } else {
            #expect(throws: Never.self) { try library(["./p.yaml": text]).profile("./p.yaml") }
        }
    }
}
