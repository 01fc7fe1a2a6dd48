import Conformance
import Registering
import Testing

/// Errors of a configuration are reported before any request is sent.
@Suite(.timeLimit(.minutes(5))) struct DemandTests {
    struct Case: Sendable, CustomStringConvertible {
        var platforms: [RegistrationPlatform]
        var words: String
        var change: @Sendable (inout Target) -> Void

        var description: String { "\(platforms.map(\.name)): \(words)" }
    }

    private static let firebase: [RegistrationPlatform] = [.identityPlatform, .identityPlatformTerraform, .swift]
    private static let cognito: [RegistrationPlatform] = [.cognito, .cognitoTerraform]
    private static let iam: [RegistrationPlatform] = [.iam, .iamTerraform]

    private static let signingIn: [RegistrationPlatform] = [
        .argoCD, .dex, .gitea, .grafana, .jupyterHub, .keycloak, .synapse,
    ]

    static let cases: [Case] = [
        Case(platforms: RegistrationPlatform.allCases, words: "needs a client") { $0.client = nil },
        Case(platforms: firebase, words: "provider_id: oidc.…") { $0.registration.providerID = nil },
        Case(platforms: firebase, words: "neither oidc.… nor one of") { $0.registration.providerID = "acme" },
        Case(platforms: firebase, words: "neither oidc.… nor one of") { $0.registration.providerID = "oidc.a" },
        Case(platforms: firebase, words: "neither oidc.… nor one of") { $0.registration.providerID = "oidc.a\nb" },
        Case(platforms: firebase, words: "exactly one of code and id_token") {
            $0.registration.responseTypes = ["code", "id_token"]
        },
        Case(platforms: firebase, words: "requires a client with a secret") { target in
            target.client?.hasSecret = false
            target.registration.responseTypes = ["code"]
        },
        Case(platforms: firebase, words: "add one of them to flows") { $0.flows = ["code id_token"] },
        Case(platforms: firebase, words: "add code to flows") { target in
            target.flows = ["id_token"]
            target.registration.responseTypes = ["code"]
        },
        Case(platforms: [.identityPlatform, .identityPlatformTerraform], words: "register it manually") {
            $0.registration.providerID = "apple.com"
        },
        Case(platforms: firebase, words: "no profile has the rules for google.com") {
            $0.registration.providerID = "google.com"
        },
        Case(platforms: firebase, words: "oidc.…, github.com, microsoft.com, twitter.com, yahoo.com") {
            $0.registration.providerID = "linkedin.com"
        },
        Case(platforms: firebase, words: "add code to flows") { target in
            target.registration.providerID = "microsoft.com"
            target.flows = ["id_token"]
        },
        Case(platforms: [.swift], words: "a separate class") { $0.registration.providerID = "apple.com" },
        Case(platforms: [.swift], words: "sets “state” itself") { $0.customParameters = [Field("state", "1")] },
        Case(platforms: [.swift], words: "sets “response_mode” itself") {
            $0.customParameters = [Field("response_mode", "query")]
        },
        Case(platforms: [.swift], words: "sets “oauth_token” itself") { target in
            target.registration.providerID = "twitter.com"
            target.customParameters = [Field("oauth_token", "1")]
        },
        Case(platforms: [.swift], words: "sets “oauth_verifier” itself") { target in
            target.registration.providerID = "twitter.com"
            target.customParameters = [Field("oauth_verifier", "1")]
        },
        Case(platforms: [.swift, .supabase], words: "sets “of-the-profile” itself") {
            $0.customParameters = [Field("of-the-profile", "1")]
        },
        Case(platforms: [.supabase], words: "sets “code_challenge” itself") {
            $0.customParameters = [Field("code_challenge", "1")]
        },
        Case(platforms: [.supabase] + cognito, words: "add code to flows") { $0.flows = ["id_token"] },
        Case(platforms: [.supabase] + cognito, words: "requires a client with a secret") {
            $0.client?.hasSecret = false
        },
        Case(platforms: cognito, words: "3 to 32 letters") { $0.registration.providerID = "oidc.ab" },
        Case(platforms: cognito, words: "3 to 32 letters") {
            $0.registration.providerID = "oidc." + String(repeating: "a", count: 33)
        },
        Case(platforms: iam, words: "with the port 8443") { $0.issuer = "https://idp.example.com:8443/a" },
        Case(platforms: cognito, words: "with the port 8443") { $0.issuer = "https://idp.example.com:8443" },
        Case(platforms: iam + [.kubernetes], words: "a query or a fragment") {
            $0.issuer = "https://idp.example.com?tenant=1"
        },
        Case(platforms: signingIn, words: "add code to flows") { $0.flows = ["id_token"] },
        Case(platforms: signingIn, words: "requires a client with a secret") { $0.client?.hasSecret = false },
        Case(platforms: [.dex], words: "replaces variables in every value") { $0.client?.id = "a$b" },
        Case(platforms: [.dex], words: "the scope “a$b” cannot be written") { $0.scopes = ["openid", "a$b"] },
        Case(platforms: [.argoCD], words: "the name of a secret") { $0.client?.id = "$client" },
        Case(platforms: [.minIO], words: "separates parameters by spaces") {
            $0.client?.id = "a role_policy=consoleAdmin"
        },
        Case(platforms: [.minIO, .gitea], words: "separates scopes by commas") { $0.scopes = ["openid", "a,b"] },
        Case(platforms: iam + firebase + cognito + [.supabase, .kubernetes], words: "only an https issuer") {
            $0.issuer = "http://idp.example.com"
        },
    ]

    @Test(arguments: cases)
    func `an error names the change`(_ sample: Case) {
        let target = Samples.target(sample.change)
        for platform in sample.platforms {
            let demands = platform.demands(target, reserved: ["of-the-profile"], isForced: false)
            #expect(demands.contains { $0.contains(sample.words) }, "\(platform): \(demands)")
        }
    }

    @Test(arguments: RegistrationPlatform.allCases)
    func `the sample is complete`(_ platform: RegistrationPlatform) {
        let target = Samples.target { $0.customParameters = [Field("login_hint", "user@example.com")] }
        #expect(platform.demands(target, reserved: ["state"], isForced: false).isEmpty)
    }

    @Test func `a sign-in with Twitter needs no flow of OAuth 2.0`() {
        let target = Samples.target { target in
            target.registration.providerID = "twitter.com"
            target.flows = []
        }
        #expect(RegistrationPlatform.identityPlatform.demands(target, reserved: [], isForced: false).isEmpty)
    }

    @Test(
        arguments: [
            ("cognito", RegistrationPlatform.cognito), ("aws-cognito", .cognito), ("aws-iam", .iam), ("iam", .iam),
            ("iam-terraform", .iamTerraform), ("firebase-oidc", .identityPlatform), ("dex-connector", .dex),
            ("keycloak-broker", .keycloak),
        ]
    )
    func `a platform can also be named by its profile`(_ name: String, _ platform: RegistrationPlatform) {
        #expect(RegistrationPlatform.named(name) == platform)
    }

    @Test func `no name means two platforms`() {
        let names = RegistrationPlatform.allCases.flatMap { [$0.name] + $0.otherNames }
        #expect(Set(names).count == names.count)
    }

    @Test func `a reason overrides objections to the issuer, and nothing else`() {
        let address = Samples.target { $0.issuer = "https://127.0.0.1:8443" }
        let nameless = Samples.target { $0.registration.providerID = nil }
        #expect(RegistrationPlatform.iam.demands(address, reserved: [], isForced: true).isEmpty)
        #expect(!RegistrationPlatform.swift.demands(nameless, reserved: [], isForced: true).isEmpty)
    }

    @Test func `other parameters are reserved at other providers`() {
        let target = Samples.target { target in
            target.registration.providerID = "github.com"
            target.customParameters = [Field("response_mode", "query")]
        }
        #expect(RegistrationPlatform.swift.demands(target, reserved: [], isForced: false).isEmpty)
    }

    @Test(
        arguments: [
            ("github.com", "firebase-github"), ("microsoft.com", "firebase-microsoft"),
            ("twitter.com", "firebase-twitter"), ("yahoo.com", "firebase-yahoo"), ("oidc.acme", "firebase-oidc"),
        ]
    )
    func `each Firebase provider has its profile`(_ id: String, _ profile: String) {
        let target = Samples.target { $0.registration.providerID = id }
        #expect(RegistrationPlatform.identityPlatform.profiles(for: target).first == profile)
    }
}
