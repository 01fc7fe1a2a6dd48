import Conformance
import Flows
import Preflight
import Profiles
import ReportRecord
import SignIn
import Testing
import Transport

/// The EC key of RFC 7517 appendix A.2.
private let privateJWK = """
    {"kty":"EC","crv":"P-256","kid":"1","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}
    """

private let variables = [
    "OIDC_CLIENT_SECRET": "s3cret", "OIDC_PASSWORD": "pass word", "EMPTY": "", "CLIENT_KEY": privateJWK,
]

private func read(_ text: String, issuer: String? = nil) throws -> Configuration {
    let environment = Environment(
        variable: { variables[$0] },
        readFile: { path in
            path == "secret.txt"
                ? .success(Array("from file\n".utf8)) : .failure(FileError(path: path, reason: "no such file"))
        }
    )
    let read = {
        try ConfigurationReader(environment)
            .read(text, file: "preflight.yaml", issuer: issuer, checks: ["discovery.issuer.uses-https"])
    }
    // An issuer that is given elsewhere the schema cannot know of.
    return issuer == nil ? try ConfigurationRecord.keeping(text, read) : try read()
}

private let whole = """
    issuer: https://idp.example.com
    profile: firebase-oidc
    client: { id: my-client, secret: { env: OIDC_CLIENT_SECRET }, authentication: client_secret_basic }
    redirect_uri: https://my-project.firebaseapp.com/__/auth/handler
    scopes: [openid, email, profile]
    custom_parameters: { login_hint: user@example.com }
    flows: [code, id_token, token id_token]
    clients: { "id_token": { id: my-implicit-client } }
    sign_in:
      username: user@example.com
      password: { env: OIDC_PASSWORD }
      max: 6
      steps:
        - { form_has: [login], fill: { login: "{username}" } }
        - { form_has: [password], fill: { password: "{password}" } }
        - { form_has: [answer], press: { answer: accept } }
    waivers:
      - { check: discovery.issuer.uses-https, because: test issuer inside the cluster, until: 2027-03-31 }
    """

@Suite("Configuration", .timeLimit(.minutes(5)))
struct ConfigurationReaderTests {
    @Test(
        "clients are registered only when the file says so",
        arguments: [
            ("", DynamicRegistration?.none, String?.none),
            ("{ enabled: true }", DynamicRegistration(isEnabled: true), nil),
            ("{ enabled: false, initial_access_token: { env: UNSET } }", DynamicRegistration(isEnabled: false), nil),
            (
                "{ enabled: true, initial_access_token: { env: OIDC_PASSWORD } }",
                DynamicRegistration(isEnabled: true, hasInitialAccessToken: true), "pass word"
            ),
        ]
    )
    func dynamicRegistration(text: String, expected: DynamicRegistration?, token: String?) throws {
        let line = text.isEmpty ? "" : "dynamic_registration: \(text)\n"
        let configuration = try read("issuer: https://idp.example.com\n" + line)
        #expect(configuration.target.dynamicRegistration == expected)
        #expect(configuration.secrets.initialAccessToken?.reveal() == token)
    }

    @Test(
        "mistakes in dynamic_registration are reported with place and suggestion",
        arguments: [
            ("{ enable: true }", "enabled"), ("{ enabled: yes please }", "true or false"),
            ("{ initial_access_token: { env: OIDC_PASSWORD } }", "enabled"),
            ("{ enabled: true, initial_access_token: secret }", "must not be in the configuration"),
            ("{ enabled: true, initial_acces_token: { env: OIDC_PASSWORD } }", "initial_access_token"),
            ("{ enabled: true, initial_access_token: { env: UNSET } }", "UNSET"),
            ("{ enabled: true, document_listener: \"8766\" }", "HOST:PORT"),
            ("{ enabled: true, document_listener: \"127.0.0.1:8766\", documents_at: tunnel }", "absolute URL"),
            ("{ enabled: true, documents_at: \"https://tunnel.example.com\" }", "document_listener"),
        ]
    )
    func wrongDynamicRegistration(text: String, hint: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try read("issuer: https://idp.example.com\ndynamic_registration: \(text)\n")
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains("preflight.yaml:2:"), "\(message)")
        #expect(message.contains(hint), "\(message)")
    }

    @Test("the whole example is understood")
    func example() throws {
        let configuration = try read(whole)
        let target = configuration.target
        #expect(target.issuer == "https://idp.example.com")
        #expect(target.client == Client(id: "my-client", authentication: .clientSecretBasic, hasSecret: true))
        #expect(target.client(for: "id_token")?.id == "my-implicit-client")
        #expect(target.flows.map(\.text) == ["code", "id_token", "id_token token"])
        #expect(target.customParameters == [Field("login_hint", "user@example.com")])
        #expect(configuration.secrets.clientSecrets["my-client"]?.reveal() == "s3cret")
        #expect(configuration.secrets.password?.reveal() == "pass word")
        #expect(configuration.maxSignIns == 6)
        #expect(configuration.steps.count == 3)
        let consent = FormStep(formHas: ["answer"], press: [.init(name: "answer", value: "accept")])
        #expect(configuration.steps[2] == .form(consent))
        #expect(configuration.waivers.first?.until == CalendarDay("2027-03-31"))
        #expect(configuration.waivers.first?.source == "preflight.yaml:18")
        #expect(configuration.highestTier == .full)
    }

    @Test("the command line's issuer wins, and a file without one is enough then")
    func issuerFromCommandLine() throws {
        #expect(try read("profile: openid\n", issuer: "https://b.example").target.issuer == "https://b.example")
        #expect(try read(whole, issuer: "https://b.example").target.issuer == "https://b.example")
    }

    @Test(
        "a mistake names file, line and the nearest right word",
        arguments: [
            ("isuer: https://a.example\n", "preflight.yaml:1:1: unknown key “isuer”; did you mean “issuer”?"),
            ("profile: openid\n", "“issuer” is missing"),
            (
                "issuer: https://a.example\nprofile: supabas\n",
                "preflight.yaml:2:10: there is no profile “supabas”; did you mean “supabase”?"
            ),
            (
                "issuer: https://a.example\nprofile: [openid, kubernets]\n",
                "preflight.yaml:2:19: there is no profile “kubernets”; did you mean “kubernetes”?"
            ),
            ("issuer: https://a.example\nflows: code\n", "preflight.yaml:2:8: “flows” must be a list, not a string"),
            ("issuer: https://a.example\nflows: [cod]\n", "preflight.yaml:2:9: “cod” is not a supported response type"),
            (
                "issuer: https://a.example\nclient: { id: c, secret: hunter2 }\n",
                "a secret must not be in the configuration"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, secret: { env: MISSING } }\n",
                "the environment variable MISSING is not set"
            ),
            ("issuer: https://a.example\nclient: { id: c, secret: { env: EMPTY } }\n", "EMPTY is empty"),
            (
                "issuer: https://a.example\nclient:\n  id: c\n  secret:\n    env: ${OIDC_CLIENT_SECRET}\n",
                "write the name of the environment variable without ${…}"
            ),
            ("issuer: https://a.example\nclient: { id: c, secret: { file: gone.txt } }\n", "gone.txt: no such file"),
            (
                "issuer: https://a.example\nclient: { id: c, authentication: client_secret_bsic }\n",
                "did you mean “client_secret_basic”?"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, authentication: client_secret_post }\n",
                "client_secret_post needs a secret"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, authentication: private_key_jwt }\n",
                "preflight.yaml:2:34: private_key_jwt needs a key"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, private_key: { file: secret.txt } }\n",
                "cannot read the private key: there is no private key in PEM form"
            ),
            (
                "issuer: https://a.example\nclient:\n  id: c\n  private_key: { env: CLIENT_KEY }\n"
                    + "  token_endpoint_auth_signing_alg: RS256\n",
                "RS256 cannot be used with the key, which is a private P-256 key"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, private_key: { env: CLIENT_KEY }, request_object_signing_alg: RS256 }\n",
                "RS256 cannot be used with the key, which is a private P-256 key"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, request_object_signing_alg: ES256 }\n",
                "ES256 needs a key: add  private_key: { file: client-key.pem }"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, request_object_signing_alg: HS256 }\n",
                "HS256 needs a secret: add  secret: { env: OIDC_CLIENT_SECRET }"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, request_object_signing_alg: RS265 }\n",
                "did you mean “RS256”?"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, decryption_key: { file: secret.txt } }\n",
                "cannot read the private key: there is no private key in PEM form"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, private_key: { env: CLIENT_KEY }, assertion_audience: isuer }\n",
                "did you mean “issuer”?"
            ),
            (
                "issuer: https://a.example\nclient:\n  id: c\n  pkce: no\n",
                "preflight.yaml:4:9: “client.pkce” must be true or false"
            ),
            (
                "issuer: https://a.example\nclient: { id: c, pcke: false }\n",
                "did you mean “pkce”?"
            ),
            (
                "issuer: https://a.example\nclient: { client_id: c }\n",
                "unknown key “client_id” in “client”; did you mean “id”?"
            ),
            (
                "issuer: https://a.example\nclient: { id: c }\nother_client: { id: c }\n",
                "other_client must differ from client"
            ),
            ("issuer: https://a.example\nflows: [code]\n", "the flow code needs a client"),
            ("issuer: https://a.example\nscopes: [email]\n", "scopes must contain openid"),
            ("issuer: https://a.example\nprofile: firebase-oidc\nscopes: [email]\n", "scopes must contain openid"),
            (
                "issuer: https://a.example\nendpoints: { user_ap_endpoint: https://a.example/me }\n",
                "preflight.yaml:2:14: unknown key “user_ap_endpoint” in “endpoints”; did you mean “user_api_endpoint”?"
            ),
            ("issuer: https://a.example\nendpoints: { token_endpoint: /token }\n", "must be an absolute URL"),
            (
                "issuer: https://a.example\nwaivers: [{ check: discovery.issuer.uses-http, because: x }]\n",
                "did you mean “discovery.issuer.uses-https”?"
            ),
            (
                "issuer: https://a.example\nwaivers: [{ check: discovery.issuer.uses-https, because: x, until: 2027-02-30 }]\n",
                "“2027-02-30” is not a date"
            ),
            (
                "issuer: https://a.example\nsign_in: { username: u, steps: [{ form_has: [p], fill: { p: \"{pasword}\" } }] }\n",
                "did you mean “{password}”?"
            ),
            ("issuer: https://a.example\nnetwork: { resolve: [\"a:b\"] }\n", "must be HOST:PORT:ADDRESS"),
            ("issuer: https://a.example\nnetwork: { concurrency: 0 }\n", "must be a number from 1 to 64, not “0”"),
            ("issuer: https://a.example\nnetwork: { body_limit: -1 }\n", "must be a non-negative number"),
            (
                "issuer: https://a.example\nnetwork:\n  pause: soon\n",
                "preflight.yaml:3:10: “network.pause” must be a duration such as 1.1s or 250ms, not “soon”"
            ),
            (
                "issuer: https://a.example\nsign_in: { username: u, password: { env: OIDC_PASSWORD }, max: 0 }\n",
                "“sign_in.max” must be an integer of 1 or more"
            ),
            (
                "issuer: https://a.example\nsign_in: { username: u, password: { env: OIDC_PASSWORD }, max: 2.5 }\n",
                "“sign_in.max” must be an integer of 1 or more"
            ),
            ("issuer: https://a.example\nnetwork: { pause: -1s }\n", "must be a duration such as 1.1s"),
            ("issuer: https://a.example\nnetwork: { pause: 1e3 }\n", "must be a duration such as 1.1s"),
            (
                "issuer: https://a.example\nwebfinger: alice\n",
                "“webfinger” must be an address such as alice@example.com"
            ),
            (
                "issuer: https://a.example\nredirect_uri: http:/foo\n",
                "preflight.yaml:2:15: “http:/foo” has no valid host"
            ),
            ("issuer: https://a.example\nredirect_uri: https:///foo\n", "“https:///foo” has no valid host"),
            (
                "issuer: https://a.example\nredirect_uri: https://a.example:0x/\n",
                "“https://a.example:0x/” has no valid host and port"
            ),
            ("issuer: https://a.example\nredirect_uri: foo\n", "“foo” must be an absolute URI"),
            (
                "issuer: https://a.example\nlogout: { post_logout_redirect_uri: \"https:/bye\" }\n",
                "“https:/bye” must be an absolute URL"
            ),
            ("issuer: https://a.example\nresource: 'https:/r.example'\n", "“resource” is not a valid URL"),
            ("issuer: https://a.example\nwebfinger: alice@\n", "“webfinger” must be an address"),
            ("issuer: https://a.example\nwebfinger: alice@b.example/c\n", "“webfinger” must be an address"),
            ("issuer: https://a.example\nwebfinger: alice@b.example@c.example\n", "“webfinger” must be an address"),
            ("issuer: https://a.example\nresource: mcp\n", "“resource” must be an absolute URI without a fragment"),
            (
                "issuer: https://a.example\nresource: 'https://r.example/#a'\n",
                "must be an absolute URI without a fragment"
            ),
            ("issuer: https://a.example\nresource: 'https://'\n", "“resource” is not a valid URL"),
            ("issuer: https://a.example\nresource: HTTPS://r.example:99999/\n", "“resource” is not a valid URL"),
            (
                "issuer: https://a.example\nresource: https://u:hunter2@r.example/\n",
                "must not contain a user name or password"
            ),
            ("issuer: https://a.example\nnetwork: { pause: s }\n", "must be a duration such as 1.1s"),
            ("issuer: https://a.example\nnetwork: { pause: 1100 }\n", "the maximum is 60s"),
        ]
    )
    func mistakes(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "nothing was thrown")")
    }

    @Test(
        "a secret in the place of a mapping is not quoted",
        arguments: [
            "hunter2", "issuer: https://a.example\nsign_in: hunter2\n", "issuer: https://a.example\nclient: hunter2\n",
        ]
    )
    func misplaced(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description.contains("must be a mapping of keys to values, not a string") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test(
        "a duration has a unit, or is a number of seconds",
        arguments: [("1.1s", 1.1), ("250ms", 0.25), ("2", 2), ("0.5", 0.5), ("0", 0)] as [(String, Double)]
    )
    func times(text: String, seconds: Double) throws {
        let network = "{ pause: \(text), connect_timeout: \(text), total_timeout: \(text) }"
        let configuration = try read("issuer: https://a.example\nnetwork: \(network)\n")
        #expect(abs(configuration.network.pause - seconds) < 1e-9)
        #expect(abs(configuration.network.connectTimeout - seconds) < 1e-9)
        #expect(abs(configuration.network.totalTimeout - seconds) < 1e-9)
    }

    @Test("all mistakes are reported at once, without secrets")
    func allAtOnce() {
        let text = "isuer: a\nflow: [code]\nclient: { id: c, secret: hunter2 }\n"
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.problems.count == 3)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test(
        "a misspelt key is reported once, and not also as missing",
        arguments: [
            ("isuer: https://a.example\n", ["1:1: unknown key “isuer”; did you mean “issuer”?"]),
            (
                "issuer: https://a.example\nclient: { idd: c }\nflows: [code]\nredirect_uri: https://r.example/cb\n",
                ["2:11: unknown key “idd” in “client”; did you mean “id”?"]
            ),
            (
                "issuer: https://a.example\nclient: { idd: a }\nother_client: { idd: b }\n",
                [
                    "2:11: unknown key “idd” in “client”; did you mean “id”?",
                    "3:17: unknown key “idd” in “other_client”; did you mean “id”?",
                ]
            ),
            (
                "issuer: https://a.example\nclient: { pcke: true }\nflows: [code]\nredirect_uri: https://r.example/cb\n",
                ["2:9: “client.id” is missing", "2:11: unknown key “pcke” in “client”; did you mean “pkce”?"]
            ),
        ]
    )
    func consequences(text: String, expected: [String]) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.problems.map(\.description) == expected.map { "preflight.yaml:\($0)" })
    }

    @Test("a key is read from a JWK, and its description does not contain it")
    func privateKey() throws {
        let configuration = try read("issuer: https://a.example\nclient: { id: c, private_key: { env: CLIENT_KEY } }\n")
        let client = try #require(configuration.target.client)
        #expect(client.authentication == .privateKeyJWT && client.isConfidential && !client.hasSecret)
        #expect(client.keyThumbprint == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
        #expect(configuration.secrets.clientKeys["c"] != nil)
        #expect(!"\(configuration)".contains("870MB6gfuTJ4"))
    }

    @Test("a client that does not authenticate may sign its requests, and has another key to decrypt")
    func requestObjects() throws {
        let configuration = try read(
            """
            issuer: https://a.example
            client:
              id: c
              private_key: { env: CLIENT_KEY }
              decryption_key: { env: CLIENT_KEY }
              authentication: none
              request_object_signing_alg: ES256
              require_pushed_authorization_requests: true
              dpop_bound_access_tokens: true
            token_parameters: { id_token_key_type: JWK }

            """
        )
        let client = try #require(configuration.target.client)
        #expect(client.requestObjectSigningAlg == "ES256" && client.requiresPushedRequests == true)
        #expect(client.usesDPoP == true)
        #expect(client.decryptionKeyThumbprint != nil && configuration.secrets.decryptionKeys["c"] != nil)
        #expect(configuration.target.tokenParameters == [Field("id_token_key_type", "JWK")])
    }

    @Test("a secret is read from a file without its last line break")
    func secretFile() throws {
        let configuration = try read("issuer: https://a.example\nclient: { id: c, secret: { file: secret.txt } }\n")
        #expect(configuration.secrets.clientSecrets["c"]?.reveal() == "from file")
        #expect("\(configuration)".contains("from file") == false)
    }

    @Test(
        "the tier is the highest that the configuration allows",
        arguments: [
            ("issuer: https://a.example\n", Tier.static),
            ("issuer: https://a.example\nclient: { id: c }\nredirect_uri: https://r.example/cb\n", .unauthenticated),
        ]
    )
    func tiers(text: String, tier: Tier) throws {
        #expect(try read(text).highestTier == tier)
    }
}
