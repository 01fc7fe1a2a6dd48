import Conformance
import FoundationEssentials
import JSONTree
import Preflight
import Profiles
import ReferenceProvider
import Registering
import TestSupport
import Testing

/// The configuration that `init` writes for a platform has no blocking mistake for that platform.
@Suite("Templates", .phase(.runs), .timeLimit(.minutes(20)))
struct TemplateTests {
    /// The provider that a profile is for; a standard one if any will do.
    private static func persona(for profile: String) -> Persona {
        switch profile {
        case "x-oauth2": .twitter
        case "fapi2-security": .assertionClient
        case "appauth": .publicClient
        default: Persona.allCases.first { $0.profile == profile } ?? .standard
        }
    }

    private static func environment() -> Environment {
        Environment(
            variable: { _ in "made-up" },
            readFile: { .failure(FileError(path: $0, reason: "no files here")) }
        )
    }

    private struct Written {
        let text: String
        let configuration: Configuration
        /// Runs the static tier with the written file.
        let report: Report
        let issuer: String
    }

    private static func written(_ profile: String, _ persona: Persona? = nil) async throws -> Written {
        let provider = try await ReferenceProvider.start(
            ReferenceProviderConfiguration(persona ?? Self.persona(for: profile))
        )
        do {
            let result = try await written(profile, provider)
            await provider.stop()
            return result
        } catch {
            await provider.stop()
            throw error
        }
    }

    private static func written(_ profile: String, _ provider: ReferenceProvider) async throws -> Written {
        var bare = Configuration(target: Target(issuer: provider.issuer))
        bare.trust(try Laboratory.authorityFile(provider.certificateAuthorityPEM))
        let hasDocument = try PreflightRun.readsDiscovery(profile, environment())
        let asking = try PreflightRun(
            configuration: bare,
            profile: profile,
            tier: .static,
            selection: hasDocument ? Selection(only: ["discovery"]) : Selection(),
            environment: environment()
        )
        let evidence = hasDocument ? await asking.collect { _ in } : asking.emptyEvidence
        let template = ConfigurationTemplate(evidence, of: asking)
        #expect(template.failure == nil)
        let text = template.text.replacing("https://…", with: provider.issuer + "/somewhere")
        let read = try ConfigurationReader(environment(), readsSecrets: false)
            .read(text, file: "preflight.yaml", checks: PreflightRun.checks.map(\.id))
        #expect(read.profile == profile)
        let run = try PreflightRun(configuration: read, tier: .static, environment: environment())
        let report = run.judge(await run.collect { _ in }, now: 0)
        return Written(text: text, configuration: read, report: report, issuer: provider.issuer)
    }

    /// Whether a check is about the configuration rather than the provider.
    private static func isOfTheConfiguration(_ id: CheckID) -> Bool {
        let families = [
            "platform.client.*", "platform.registration.*", "platform.request.reserved*", "platform.*.provider-id.*",
            "platform.*.client.*", "platform.*.response-type.*", "platform.*.redirect-uri.*",
            "platform.*.custom-parameters.*", "platform.*.scopes.*", "discovery.target.*",
        ]
        return families.contains { CheckPattern($0).matches(id) }
    }

    /// Platforms that need no sign-in, whose sign-in settings are only comments.
    private static let withoutSignIn: [String: [String]] = {
        let verifiers = ProfileLibrary.builtIn.map(\.name)
            .filter { name in
                (try? ProfileLibrary { _ in [] }.profile(name))?.lineage.contains("token-verifier") == true
            }
        return Dictionary(uniqueKeysWithValues: verifiers.map { ($0, ["redirect_uri", "sign_in", "flows"]) })
    }()

    @Test("optional clients and users, and scopes that are left out, are comments in the file")
    func comments() async throws {
        let text = try await Self.written("openid", .standard).text
        for key in ["# clients: {", "# other_client: {", "# other: {"] { #expect(text.contains(key), "\(key)") }
        #expect(!text.contains("# Not listed by the provider:"))
        #expect(text.contains("flows: [code]"))
        let bare = Fault(
            "discovery.scopes-supported.is-present",
            "openid alone",
            change: { hooks in
                hooks.discovery = { document, _ in document["scopes_supported"] = ["openid"] }
            }
        )
        let provider = try await ReferenceProvider.start(ReferenceProviderConfiguration(.standard, faults: [bare]))
        let written = try? await Self.written("openid", provider)
        await provider.stop()
        let other = try #require(written).text
        #expect(
            other.contains("scopes: [\"openid\"]") && other.contains("# Not listed by the provider: email, profile.")
        )
    }

    @Test("a written configuration can be read and matches its platform", arguments: ProfileLibrary.builtIn.map(\.name))
    func fits(profile: String) async throws {
        let written = try await Self.written(profile)
        let judged = written.report.entries.filter { $0.wasSelected && Self.isOfTheConfiguration($0.id) }
        for entry in judged {
            #expect(entry.verdict.findings.isEmpty, "\(entry.id): \(entry.verdict.findings)\n\(written.text)")
        }
        #expect(written.configuration.target.issuer == written.issuer, "\(written.text)")
        // Every part that only the user knows is the placeholder, which a run rejects.
        let address = written.configuration.target.redirectURI?.replacing("CHANGE-ME", with: "") ?? ""
        #expect(!address.contains(#/[A-Z]{2}/#), "\(written.text)")
        let missing = written.configuration.missing(for: .full)
        let expected = Self.withoutSignIn[profile] ?? []
        #expect(missing == expected, "\(written.text)")
        // The commented settings are valid as well.
        let parts = written.text.components(separatedBy: "check the ID Token:\n")
        let means = (parts.last ?? "").components(separatedBy: "\n")
            .prefix { !$0.hasPrefix("# Register") && !$0.hasPrefix("# Known findings") }
        let bare =
            parts[0] + "\n"
            + means.map { $0.replacing(/^# (?=redirect_uri|scopes|flows|sign_in|  )/, with: "") }
            .joined(separator: "\n")
        if !expected.isEmpty {
            let read = try ConfigurationReader(Self.environment(), readsSecrets: false)
                .read(bare, file: "preflight.yaml", checks: PreflightRun.checks.map(\.id))
            #expect(read.missing(for: .full).isEmpty, "\(bare)")
        }
    }

    @Test(
        "the written client is one that the platform accepts",
        arguments: [
            ("spa", ClientAuthentication.none, ["code"]), ("appauth", .none, ["code"]),
            ("fapi2-security", .privateKeyJWT, ["code"]), ("aws-cognito", .clientSecretPost, nil),
            ("entra-external-id", .clientSecretPost, ["code"]), ("x-oauth2", .clientSecretBasic, ["code"]),
            ("firebase-github", .clientSecretPost, ["code"]), ("firebase-twitter", .clientSecretBasic, []),
            ("firebase-yahoo", .clientSecretBasic, ["code"]), ("firebase-microsoft", .clientSecretBasic, ["code"]),
            ("firebase-oidc", .clientSecretBasic, ["code"]),
        ] as [(String, ClientAuthentication, [ResponseType]?)]
    )
    func client(profile: String, method: ClientAuthentication, flows: [ResponseType]?) async throws {
        let target = try await Self.written(profile).configuration.target
        #expect(target.client?.authentication == method)
        #expect(target.client?.hasSecret == (method != .none && method != .privateKeyJWT))
        if let flows { #expect(target.flows == flows) }
    }

    @Test(
        "the written name is the platform's name for the provider, or one that it accepts and that contains the host",
        arguments: [
            ("firebase-microsoft", "microsoft.com"), ("firebase-yahoo", "yahoo.com"), ("firebase-github", "github.com"),
            ("firebase-twitter", "twitter.com"), ("firebase-oidc", "oidc.idp-(host)"),
            ("supabase", "custom:(host)"), ("google-workload-identity", "(host)"), ("openid", nil),
        ] as [(String, String?)]
    )
    func name(profile: String, name: String?) async throws {
        let written = try await Self.written(profile)
        let expected = name?.replacing("(host)", with: Target.providerName(from: written.issuer))
        #expect(written.configuration.target.registration.providerID == expected)
    }

    @Test("a templated issuer does not replace the requested issuer")
    func templates() async throws {
        let written = try await Self.written("firebase-microsoft", .microsoft)
        #expect(written.text.contains("{tenantid}/v2.0, which is a template"), "\(written.text)")
        #expect(written.configuration.target.issuer.hasSuffix("/common/v2.0"))
    }

    @Test("the signing algorithm of the provider is written if it is not the default")
    func algorithm() async throws {
        let yahoo = try await Self.written("firebase-yahoo").configuration.target.client
        #expect(yahoo?.idTokenSignedResponseAlg == "ES256")
        let standard = try await Self.written("firebase-oidc").configuration.target.client
        #expect(standard?.idTokenSignedResponseAlg == nil)
    }

    @Test("a provider without a token endpoint needs no secret and no code flow")
    func implicit() async throws {
        let target = try await Self.written("firebase-oidc", .implicitOnly).configuration.target
        #expect(target.flows == ["id_token"] && target.registration.responseTypes == ["id_token"])
        #expect(target.client?.authentication == ClientAuthentication.none)
    }

    @Test(
        "rules about sign-ins are distinguished from rules about tokens",
        arguments: [("openid", true), ("vault", false)]
    )
    func signIns(profile: String, isChecked: Bool) async throws {
        let run = try await Laboratory.collect(.codeOnly, profile: profile)
        let request = RegistrationRequest(report: run.report, proven: ProvenFacts(run.evidence))
        #expect(request.checksSignIns == isChecked)
    }
}
