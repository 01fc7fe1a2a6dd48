import Conformance
import JSONTree
import OtherPrograms
import Registering
import TestSupport
import Testing

/// The registration of each platform, read by independent parsers and validated with the platform's schema.
@Suite(.timeLimit(.minutes(5))) struct PlatformTests {
    private static let github = Samples.target { target in
        target.registration.providerID = "github.com"
        target.scopes = ["user:email"]
    }
    private static let implicit = Samples.target { target in
        target.flows = ["id_token"]
        target.client?.hasSecret = false
    }

    private static let vaults = Samples.target {
        $0.redirectURI = "https://vault.example.com/ui/vault/auth/sso/oidc/callback"
    }

    /// A registration, and the values that it must contain at these places.
    struct Case: Sendable, CustomStringConvertible {
        var platform: RegistrationPlatform
        var target = Samples.target()
        var checksSignIns = false
        var values: [(place: String, value: JSON)]

        var description: String {
            "\(platform.name) \(target.registration.providerID ?? "") \(target.flows.map(\.text))"
        }
    }

    private static let secret: JSON = "${OIDC_CLIENT_SECRET}"
    private static let variable: JSON = ["reference": "var.oidc_client_secret"]
    private static let custom = "/resource/google_identity_platform_oauth_idp_config/acme"
    private static let known = "/resource/google_identity_platform_default_supported_idp_config/github_com"
    private static let grafana = "/resource/grafana_sso_settings/acme"
    private static let pool = "/resource/aws_cognito_identity_provider/acme"
    private static let iam = "/resource/aws_iam_openid_connect_provider/acme"

    static let cases: [Case] = [
        Case(
            platform: .identityPlatform,
            values: [
                ("/issuer", "https://idp.example.com/tenant"), ("/clientId", "client-1"), ("/clientSecret", secret),
                ("/responseType", ["code": true]), ("/enabled", true),
            ]
        ),
        Case(
            platform: .identityPlatform,
            target: implicit,
            values: [("/responseType", ["idToken": true]), ("/clientSecret", .null)]
        ),
        Case(
            platform: .identityPlatform,
            target: github,
            values: [("/clientId", "client-1"), ("/clientSecret", secret), ("/issuer", .null)]
        ),
        Case(
            platform: .identityPlatformTerraform,
            values: [
                (custom + "/name", "oidc.acme"), (custom + "/issuer", "https://idp.example.com/tenant"),
                (custom + "/client_id", "client-1"), (custom + "/client_secret", variable),
                (custom + "/response_type/0", ["code": true]), ("/variable/oidc_client_secret/sensitive", true),
            ]
        ),
        Case(
            platform: .identityPlatformTerraform,
            target: implicit,
            values: [
                (custom + "/response_type/0", ["id_token": true]), (custom + "/client_secret", .null),
                ("/variable", .null),
            ]
        ),
        Case(
            platform: .identityPlatformTerraform,
            target: github,
            values: [(known + "/idp_id", "github.com"), (known + "/client_secret", variable)]
        ),
        Case(
            platform: .supabase,
            values: [
                ("/identifier", "custom:acme"), ("/issuer", "https://idp.example.com/tenant"),
                ("/client_id", "client-1"), ("/client_secret", secret), ("/pkce_enabled", true),
                ("/scopes", ["openid", "email", "profile", "calendars.read"]),
                ("/attribute_mapping", ["email": "email", "name": "name"]), ("/email_optional", false),
            ]
        ),
        Case(
            platform: .cognito,
            values: [
                ("/ProviderName", "acme"), ("/ProviderDetails/oidc_issuer", "https://idp.example.com/tenant"),
                ("/ProviderDetails/client_id", "client-1"), ("/ProviderDetails/client_secret", secret),
                ("/ProviderDetails/authorize_scopes", "openid email profile calendars.read"),
                ("/AttributeMapping/username", "sub"), ("/AttributeMapping/email_verified", "email_verified"),
                ("/AttributeMapping/given_name", "given_name"), ("/AttributeMapping/picture", .null),
            ]
        ),
        Case(
            platform: .cognitoTerraform,
            values: [
                (pool + "/user_pool_id", ["reference": "var.user_pool_id"]),
                (pool + "/provider_details/client_secret", variable),
                (pool + "/provider_details/oidc_issuer", "https://idp.example.com/tenant"),
                (pool + "/attribute_mapping/locale", "locale"),
            ]
        ),
        Case(
            platform: .iam,
            values: [("/Url", "https://idp.example.com/tenant"), ("/ClientIDList", ["client-1"])]
        ),
        Case(
            platform: .iamTerraform,
            values: [(iam + "/url", "https://idp.example.com/tenant"), (iam + "/client_id_list", ["client-1"])]
        ),
        Case(
            platform: .kubernetes,
            values: [
                ("/jwt/0/issuer", ["url": "https://idp.example.com/tenant", "audiences": ["client-1"]]),
                ("/jwt/0/claimMappings/username", ["claim": "sub", "prefix": "oidc:"]),
                ("/jwt/0/claimMappings/groups", ["claim": "groups", "prefix": "oidc:"]),
            ]
        ),
        Case(
            platform: .vault,
            values: [
                ("/config/oidc_discovery_url", "https://idp.example.com/tenant"),
                ("/config/oidc_client_secret", .null), ("/config/jwt_supported_algs", ["RS256"]),
                ("/role/role_type", "jwt"), ("/role/bound_audiences", ["client-1"]),
                ("/role/allowed_redirect_uris", .null),
                ("/role/claim_mappings", ["email": "email", "name": "name"]), ("/role/groups_claim", "groups"),
            ]
        ),
        Case(
            platform: .vault,
            target: vaults,
            checksSignIns: true,
            values: [
                ("/config/oidc_client_secret", secret), ("/role/role_type", "oidc"),
                ("/role/allowed_redirect_uris", ["https://vault.example.com/ui/vault/auth/sso/oidc/callback"]),
                ("/role/oidc_scopes", ["email", "profile", "calendars.read"]),
                ("/role/claim_mappings", ["email": "email", "name": "name"]), ("/role/groups_claim", "groups"),
            ]
        ),
        Case(
            platform: .vault,
            target: implicit,
            values: [
                ("/role/role_type", "jwt"), ("/role/bound_audiences", ["client-1"]),
                ("/config/oidc_client_id", .null), ("/role/allowed_redirect_uris", .null),
            ]
        ),
        Case(
            platform: .argoCD,
            values: [
                ("/data/oidc.config/issuer", "https://idp.example.com/tenant"),
                ("/data/oidc.config/clientID", "client-1"),
                ("/data/oidc.config/clientSecret", "$oidc.acme.clientSecret"),
                ("/data/oidc.config/requestedScopes", ["openid", "email", "profile", "calendars.read"]),
            ]
        ),
        Case(
            platform: .dex,
            values: [
                ("/connectors/0/type", "oidc"), ("/connectors/0/id", "acme"),
                ("/connectors/0/config/clientSecret", secret),
                ("/connectors/0/config/issuer", "https://idp.example.com/tenant"),
                ("/connectors/0/config/redirectURI", "https://app.example.com/callback"),
                ("/connectors/0/config/scopes", ["email", "profile", "calendars.read"]),
                ("/connectors/0/config/basicAuthUnsupported", true),
            ]
        ),
        Case(
            platform: .gitea,
            values: [
                ("/name", "acme"), ("/provider", "openidConnect"), ("/key", "client-1"),
                ("/auto-discover-url", "https://idp.example.com/tenant/.well-known/openid-configuration"),
                ("/scopes", ["openid", "email", "profile", "calendars.read"]),
            ]
        ),
        Case(
            platform: .gitea,
            target: Samples.target { target in
                target.issuer = "https://idp.example.com/"
                target.redirectURI = "https://git.example.com/user/oauth2/Company/callback"
            },
            values: [
                ("/name", "Company"),
                ("/auto-discover-url", "https://idp.example.com/.well-known/openid-configuration"),
            ]
        ),
        Case(
            platform: .grafana,
            values: [
                (grafana + "/provider_name", "generic_oauth"),
                (grafana + "/oauth2_settings/0/auth_url", "https://idp.example.com/authorize"),
                (grafana + "/oauth2_settings/0/token_url", "https://idp.example.com/token"),
                (grafana + "/oauth2_settings/0/api_url", "https://idp.example.com/userinfo"),
                (grafana + "/oauth2_settings/0/client_secret", variable),
                (grafana + "/oauth2_settings/0/scopes", "openid email profile calendars.read"),
                (grafana + "/oauth2_settings/0/use_pkce", true),
            ]
        ),
        Case(
            platform: .jupyterHub,
            values: [
                ("/GenericOAuthenticator/client_id", "client-1"),
                ("/GenericOAuthenticator/client_secret", ["reference": "OIDC_CLIENT_SECRET"]),
                ("/GenericOAuthenticator/userdata_url", "https://idp.example.com/userinfo"),
                ("/GenericOAuthenticator/oauth_callback_url", "https://app.example.com/callback"),
                ("/GenericOAuthenticator/username_claim", "sub"),
            ]
        ),
        Case(
            platform: .keycloak,
            values: [
                ("/alias", "acme"), ("/providerId", "oidc"), ("/trustEmail", false),
                ("/config/issuer", "https://idp.example.com/tenant"),
                ("/config/jwksUrl", "https://idp.example.com/keys"),
                ("/config/validateSignature", "true"), ("/config/useJwksUrl", "true"), ("/config/clientSecret", secret),
                ("/config/clientAuthMethod", "client_secret_post"), ("/config/pkceMethod", "S256"),
                ("/config/defaultScope", "openid email profile calendars.read"),
            ]
        ),
        Case(
            platform: .keycloak,
            target: Samples.target {
                $0.redirectURI = "https://sso.example.com/auth/realms/company/broker/Partner/endpoint"
            },
            values: [("/alias", "Partner")]
        ),
        Case(
            platform: .minIO,
            values: [
                ("/config_url", "https://idp.example.com/tenant/.well-known/openid-configuration"),
                ("/client_id", "client-1"),
                ("/scopes", "openid,email,profile,calendars.read"),
            ]
        ),
        Case(
            platform: .synapse,
            values: [
                ("/oidc_providers/0/idp_id", "acme"), ("/oidc_providers/0/issuer", "https://idp.example.com/tenant"),
                ("/oidc_providers/0/client_secret_path", "/etc/matrix-synapse/acme_client_secret"),
                ("/oidc_providers/0/client_auth_method", "client_secret_post"),
                (
                    "/oidc_providers/0/user_mapping_provider/config",
                    [
                        "display_name_template": "{{ user.name }}", "email_template": "{{ user.email }}",
                    ]
                ),
            ]
        ),
    ]

    @Test(.oracle(Reading.parsers))
    func `every registration is valid for the platform's schema, and contains the proven values`() async throws {
        let items = try Self.cases.map {
            Reading.Item(
                platform: $0.platform,
                text: try Samples.file($0.platform, $0.target, checksSignIns: $0.checksSignIns).text
            )
        }
        let outcomes = try await Reading.read(items)
        #expect(Set(Self.cases.map(\.platform)) == Set(RegistrationPlatform.documents))
        for (sample, outcome) in zip(Self.cases, outcomes) {
            guard case .value(let document) = outcome else {
                Issue.record("\(sample): \(outcome)")
                continue
            }
            for (place, value) in sample.values {
                let pointer = try #require(JSONPointer(text: place))
                #expect((document[pointer] ?? .null) == value, "\(sample) \(place)")
            }
        }
    }

    @Test(.oracle(Reading.parsers)) func `a schema rejects what its platform rejects`() async throws {
        let changes: [(RegistrationPlatform, String, String)] = [
            (.identityPlatform, "\"code\": true", "\"code\": true, \"idToken\": true"),
            (.identityPlatform, "\"issuer\"", "\"issuerr\""),
            (.identityPlatformTerraform, "code = true", "token = true"),
            (.identityPlatformTerraform, "var.oidc_client_secret", "\"the secret itself\""),
            (.supabase, "custom:", "oidc:"), (.supabase, "\"issuer\"", "\"Issuer\""),
            (.cognito, "\"OIDC\"", "\"SAML\""), (.cognito, "\"username\"", "\"user_name\""),
            (.cognitoTerraform, "oidc_issuer", "issuer"), (.iam, "ClientIDList", "ClientIdList"),
            (.iamTerraform, "client_id_list", "client_ids"), (.kubernetes, "prefix:", "prefixx:"),
            (.kubernetes, "config.k8s.io/v1", "config.k8s.io/v1alpha1"), (.vault, "\"role_type\"", "\"type\""),
            (.vault, "\"RS256\"", "\"HS256\""), (.argoCD, "clientID", "clientId"), (.argoCD, "$oidc.", "the secret "),
            (.dex, "redirectURI", "redirectUri"), (.gitea, "\"key\"", "\"client-id\""),
            (.grafana, "api_url", "userinfo_url"),
            (.jupyterHub, "userdata_url", "userinfo_url"),
            (.jupyterHub, "os.environ[\"OIDC_CLIENT_SECRET\"]", "\"secret\""),
            (.keycloak, "\"jwksUrl\"", "\"jwksUri\""), (.minIO, "client_id", "clientId"),
            (.synapse, "client_secret_path", "client_secret_file"),
        ]
        let items = try changes.map { platform, old, new in
            let text = try Samples.file(platform).text
            #expect(text.contains(old))
            return Reading.Item(platform: platform, text: text.replacing(old, with: new))
        }
        let outcomes = try await Reading.read(items)
        for (change, outcome) in zip(changes, outcomes) {
            guard case .refused = outcome else {
                Issue.record("\(change) was accepted")
                continue
            }
        }
    }

    /// The arguments that the platform's program receives, after its own name.
    @Test(
        .oracle(.program("jq")),
        arguments: [
            (
                RegistrationPlatform.gitea, "gitea",
                [
                    "admin", "auth", "add-oauth", "--secret", "it's; a $secret", "--name=acme",
                    "--provider=openidConnect",
                    "--key=a b'\"$(id)",
                    "--auto-discover-url=https://idp.example.com/tenant/.well-known/openid-configuration",
                    "--scopes=openid", "--scopes=email",
                ]
            ),
            (
                .minIO, "mc",
                [
                    "idp", "openid", "add", "local", "acme", "role_policy=readonly", "client_secret=it's; a $secret",
                    "config_url=https://idp.example.com/tenant/.well-known/openid-configuration",
                    "client_id=a b'\"$(id)",
                    "scopes=openid,email",
                ]
            ),
        ] as [(RegistrationPlatform, String, [String])]
    )
    func `a command passes every value as one argument`(
        _ platform: RegistrationPlatform,
        _ program: String,
        _ expected: [String]
    ) async throws {
        let target = Samples.target { target in
            target.client?.id = "a b'\"$(id)"
            target.scopes = ["openid", "email"]
        }
        let registration = try Samples.file(platform, target)
        let script = """
            folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && cd "$folder" && PATH=$folder:$PATH
            printf '#!/bin/sh\\nprintf "%%s\\\\0" "$@"\\n' > \(program) && chmod +x \(program)
            cat > "it's.json" <<'END'
            \(registration.text)END
            \(registration.commands(file: "it's.json").joined(separator: "\n"))
            """
        let answer = try await OtherProgram.run(
            "bash",
            ["-s"],
            input: script + "\n",
            environment: [
                "OIDC_CLIENT_SECRET": "it's; a $secret", "MINIO_ALIAS": "local", "MINIO_ROLE_POLICY": "readonly",
            ]
        )
        let words = answer.text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(words == expected, "\(answer.errors)")
    }

    @Test(arguments: RegistrationPlatform.allCases.filter { [.grafana, .jupyterHub, .keycloak].contains($0) })
    func `a platform that reads no document needs its addresses`(_ platform: RegistrationPlatform) throws {
        let target = Samples.target()
        var bare = Samples.proven(target)
        bare.endpoints["token_endpoint"] = nil
        let why = "the discovery document has no token_endpoint"
        #expect(throws: RegistrationError.unproven(why)) { try Samples.file(platform, target, proven: bare) }
        let forced = try Samples.file(platform, target, reason: "it is a test", proven: bare)
        #expect(!forced.text.contains("/token\""))
    }

    @Test func `unproven claims are not mapped`() throws {
        let target = Samples.target()
        let bare = Samples.proven(target) { flow in
            flow.idTokenClaims = [.init("sub", .text), .init("groups", .other), .init("email", .number)]
            flow.userInfoClaims = []
            flow.sentPKCE = false
        }
        for platform in RegistrationPlatform.documents {
            let text = try Samples.file(platform, target, proven: bare).text
                .split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("Proven") }.joined(separator: "\n")
            #expect(!text.contains("groups"), "\(platform)")
            #expect(!text.contains("\"email\": \"email\"") && !text.contains("pkce"), "\(platform)")
            #expect(platform != .supabase || text.contains("\"email_optional\": true"))
        }
    }

    @Test func `the required upgrade of the project is noted for generic OpenID Connect providers`() throws {
        for platform in [RegistrationPlatform.identityPlatform, .identityPlatformTerraform] {
            let notes = { (target: Target) in try Samples.file(platform, target).notes.joined(separator: " ") }
            let generic = try notes(platform == .identityPlatform ? Samples.target() : Self.implicit)
            #expect(generic.contains("upgrade to Firebase Authentication with Identity Platform"))
            #expect(try !notes(Self.github).contains("upgrade"))
        }
    }

    @Test func `a client without PKCE is registered so if the platform sends it by default`() throws {
        let target = Samples.target { $0.client?.sendsPKCE = false }
        let proven = Samples.proven(target) { $0.sentPKCE = false }
        let text = try Samples.file(.supabase, target, proven: proven).text
        #expect(text.contains("\"pkce_enabled\": false"), "\(text)")
    }

    @Test func `scopes that were not granted are omitted and reported`() throws {
        let target = Samples.target()
        let proven = Samples.proven(target) { flow in
            flow.scopes = ["openid", "email"]
            flow.refusedScopes = ["calendars.read"]
        }
        let file = try Samples.file(.cognito, target, proven: proven)
        #expect(file.text.contains("\"authorize_scopes\": \"openid email\""))
        #expect(file.notes.contains { $0.contains("“calendars.read”") })
    }

    @Test(arguments: RegistrationPlatform.allCases)
    func `without a sign-in nothing is written, except with a reason`(_ platform: RegistrationPlatform) throws {
        let target = Samples.target()
        let failure = ProvenFacts.Failure(responseType: "code", reason: "the sign-in ended with an error")
        let nothing = ProvenFacts(flows: [], failures: [failure])
        #expect(throws: RegistrationError.unproven("response_type code: the sign-in ended with an error")) {
            try Samples.file(platform, target, proven: nothing)
        }
        let forced = try Samples.file(platform, target, reason: "the demonstration is today", proven: nothing)
        let words = "No sign-in has proven this"
        #expect((forced.text + (forced.companion ?? "")).contains(words), "\(platform)")
    }

    @Test(arguments: RegistrationPlatform.allCases)
    func `a flow without a verified ID Token proves nothing`(_ platform: RegistrationPlatform) throws {
        let target = Samples.target()
        let unverified = Samples.proven(target) { $0.algorithm = nil }
        #expect(throws: RegistrationError.self) { try Samples.file(platform, target, proven: unverified) }
    }

    @Test(arguments: RegistrationPlatform.allCases)
    func `the reason is in the file, or next to it if the platform reads every member`(
        _ platform: RegistrationPlatform
    ) throws {
        let file = try Samples.file(platform, reason: "the key is replaced on Monday\nresource \"x\" {}")
        let place = platform.takesComments ? file.text : file.companion ?? ""
        #expect(place.contains("WRITTEN EVEN THOUGH"), "\(platform)")
        #expect(place.contains("the key is replaced on Monday\\"), "a line break cannot end the comment")
        #expect(!place.contains("\nresource \"x\""))
        #expect((file.companion == nil) == platform.takesComments)
        let target = Samples.target()
        let open = try platform.write(
            RegistrationRequest(
                report: Samples.report(target, for: platform),
                proven: Samples.proven(target),
                reason: "needless"
            )
        )
        #expect(open.companion == nil && !open.keepsReason && !open.text.contains("EVEN THOUGH"))
    }

    @Test func `a reason that overrides an objection to the issuer is kept with an open gate`() throws {
        let target = Samples.target { $0.issuer = "https://idp.example.com:8443" }
        let request = RegistrationRequest(
            report: Samples.report(target, for: .iamTerraform),
            proven: Samples.proven(target),
            reason: "a trial"
        )
        let file = try RegistrationPlatform.iamTerraform.write(request)
        #expect(file.text.contains("EVEN THOUGH AWS IAM rejects an issuer with the port 8443: a trial"))
    }

    @Test(arguments: [
        (setting: "unset TENANT", place: "projects/p/oauthIdpConfigs?oauthIdpConfigId=oidc.acme"),
        ("TENANT=t-1", "projects/p/tenants/t-1/oauthIdpConfigs?oauthIdpConfigId=oidc.acme"),
    ])
    func `a provider of a tenant is sent to the tenant`(setting: String, place: String) async throws {
        let command = try Samples.file(.identityPlatform).commands(file: "/dev/null").joined(separator: "\n")
        let others = "jq() { :; }; gcloud() { :; }; curl() { printf '%s' \"${@: -1}\"; }"
        let answer = try await OtherProgram.run("bash", ["-s"], input: "\(others)\nPROJECT=p; \(setting)\n\(command)\n")
        #expect(answer.text == "https://identitytoolkit.googleapis.com/v2/\(place)", "\(answer.errors)")
    }
}
