import Conformance
import Preflight
import Profiles
import Testing

/// Configurations of providers that have no discovery document and no ID Token.
@Suite("Plain OAuth", .timeLimit(.minutes(5)))
struct PlainOAuthTests {
    private static let environment = Environment(
        variable: { _ in "secret" },
        readFile: { .failure(FileError(path: $0, reason: "no such file")) }
    )

    private static func run(_ text: String, profile: String? = nil) throws -> PreflightRun {
        let configuration = try ConfigurationReader(environment)
            .read(text, file: "preflight.yaml", profile: profile, checks: [])
        return try PreflightRun(configuration: configuration, profile: profile, environment: environment)
    }

    private static let client = "client: { id: c, secret: { env: S } }\nredirect_uri: https://p.example/cb\n"

    @Test("the scope openid is not demanded, whether file or command line names the profile")
    func scopes() throws {
        let text = "issuer: https://github.com/login/oauth\nscopes: [\"user:email\"]\n" + Self.client
        let named = try Self.run(text + "profile: firebase-github\n")
        #expect(named.plan.target.scopes == ["user:email"])
        let chosen = try Self.run(text, profile: "firebase-github")
        #expect(chosen.plan.target.scopes == ["user:email"])
        #expect(throws: ConfigurationError.self) { try Self.run(text) }
    }

    @Test("without configured scopes, the platform's scopes are requested")
    func ownScopes() throws {
        let run = try Self.run("issuer: https://github.com/login/oauth\nprofile: firebase-github\n" + Self.client)
        #expect(run.plan.target.scopes == ["user:email"])
    }

    @Test("a template for another installation has placeholders for unknown endpoints, and can be read")
    func template() throws {
        let issuer = "https://ghe.example/login/oauth"
        let run = try PreflightRun(
            configuration: Configuration(target: Target(issuer: issuer)),
            profile: "firebase-github",
            tier: .static,
            environment: Self.environment
        )
        let template = ConfigurationTemplate(run.emptyEvidence, of: run)
        #expect(template.failure == nil)
        #expect(template.text.contains("of https://github.com/login/oauth: https://api.github.com/user"))
        #expect(template.text.contains("provider_id: github.com"))
        let text = template.text.replacing("https://…", with: "https://ghe.example/api/v3/user")
            .replacing("CHANGE-ME", with: "mine")
        let read = try ConfigurationReader(Self.environment).read(text, file: "preflight.yaml", checks: [])
        #expect(read.target.endpoints?.keys.sorted() == ["user_api_endpoint", "user_emails_endpoint"])
        #expect(read.target.flows == ["code"] && read.target.scopes == ["user:email"])
        #expect(read.target.client?.authentication == .clientSecretPost)
    }

    @Test("the message about a missing provider ID contains the platform's only name for the provider")
    func missingName() throws {
        let run = try Self.run("issuer: https://github.com/login/oauth\nprofile: firebase-github\n" + Self.client)
        let report = run.judge(run.emptyEvidence, now: 0)
        let entry = try #require(report.entries.first { $0.id == "platform.registration.provider-id-is-well-formed" })
        #expect(entry.verdict.reason?.contains("add registration.provider_id: github.com") == true)
    }

    @Test("the plan lists the addresses and where they come from, and no discovery document")
    func plan() throws {
        let text =
            "issuer: https://ghe.example/login/oauth\nprofile: firebase-github\n"
            + "endpoints: { user_api_endpoint: https://ghe.example/api/v3/user }\n" + Self.client
        let plan = try Self.run(text).planText
        #expect(plan.contains("token_endpoint: https://ghe.example/login/oauth/access_token (profile)"))
        #expect(plan.contains("user_api_endpoint: https://ghe.example/api/v3/user (configuration)"))
        #expect(!plan.contains("api.github.com"))
        #expect(!plan.contains("GET   the discovery document, twice"))
    }
}
