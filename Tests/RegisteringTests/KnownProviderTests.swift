import Conformance
import Registering
import Testing

/// Providers that Firebase supports by name: only client ID and secret are registered, and they need the same proof.
@Suite(.timeLimit(.minutes(5))) struct KnownProviderTests {
    private static let forms: [RegistrationPlatform] = [.identityPlatform, .identityPlatformTerraform, .swift]

    private static func target(_ id: String) -> Target {
        Samples.target { target in
            target.registration.providerID = id
            target.flows = id == "twitter.com" ? [] : ["code"]
        }
    }

    @Test(arguments: ["github.com", "microsoft.com", "twitter.com", "yahoo.com"], forms)
    func `nothing is written before a user signed in`(_ id: String, _ platform: RegistrationPlatform) throws {
        let target = Self.target(id)
        #expect(throws: RegistrationError.self) {
            try Samples.file(platform, target, proven: ProvenFacts(flows: []))
        }
        let failed = ProvenFacts(flows: [], oauth1: OAuth1Proof(signIns: 0, failure: "the sign-in ended at a page"))
        #expect(throws: RegistrationError.self) { try Samples.file(platform, target, proven: failed) }
        let forced = try Samples.file(platform, target, reason: "a trial", proven: ProvenFacts(flows: []))
        let text = forced.text + (forced.companion ?? "")
        #expect(text.contains("no sign-in has proven it: a trial") && text.contains("No sign-in has proven this"))
        #expect(throws: Never.self) { try Samples.file(platform, target) }
    }

    @Test func `GitHub issues no ID Token, and the others do`() throws {
        for id in ["github.com", "microsoft.com", "yahoo.com"] {
            let target = Self.target(id)
            let file = try? Samples.file(.swift, target, proven: Samples.proven(target) { $0.algorithm = nil })
            #expect((file != nil) == (id == "github.com"), "\(id)")
        }
    }

    @Test func `a flow of OAuth 2.0 proves nothing for OAuth 1.0a of Twitter, and vice versa`() throws {
        let twitter = Samples.target { $0.registration.providerID = "twitter.com" }
        var proven = Samples.proven(twitter)
        proven.oauth1 = nil
        let words = RegistrationError.unproven("no sign-in with OAuth 1.0a was tried")
        #expect(throws: words) { try Samples.file(.swift, twitter, proven: proven) }
        let github = Self.target("github.com")
        let other = ProvenFacts(flows: [], oauth1: OAuth1Proof(signIns: 2))
        #expect(throws: RegistrationError.self) { try Samples.file(.swift, github, proven: other) }
    }

    @Test(arguments: [(1, "a sign-in"), (2, "2 sign-ins")])
    func `the proof of a sign-in with OAuth 1.0a has its own wording`(_ count: Int, _ words: String) throws {
        let proven = ProvenFacts(flows: [], oauth1: OAuth1Proof(signIns: count))
        let text = try Samples.file(.swift, Self.target("twitter.com"), proven: proven).text
        #expect(text.contains("Proven by \(words) with OAuth 1.0a"), "\(text)")
        #expect(!text.contains("No sign-in"))
    }

    @Test func `the evidence shows which sign-ins with OAuth 1.0a were completed`() {
        var evidence = Evidence(
            tool: "test",
            startedAt: 1,
            target: Self.target("twitter.com"),
            tier: .full,
            because: "a test"
        )
        #expect(ProvenFacts(evidence).oauth1 == nil)
        for (id, status) in [200, 401].enumerated() {
            let request = Exchange.Request(method: "POST", url: "https://api.twitter.com/oauth/access_token")
            var exchange = Exchange(id: id, step: "token credentials", request: request, startedAt: 1)
            exchange.response = Exchange.Response(status: status, headers: [], body: .text(""))
            evidence.exchanges.append(exchange)
        }
        let parameters = [ResponseParameter(name: "oauth_token", value: "‹50›")]
        let secret = [ResponseParameter(name: "oauth_token_secret", value: "‹45›")]
        var run = OAuth1Run(because: "a test")
        run.first.token = .observed(OAuth1Answer(exchange: 0, parameters: parameters + secret))
        run.second.token = .observed(OAuth1Answer(exchange: 1, parameters: parameters + secret))
        evidence.oauth1 = run
        #expect(ProvenFacts(evidence).oauth1?.signIns == 1)
        #expect(ProvenFacts(evidence).oauth1?.failure == "the request for token credentials returned none")
        run.first.token = .observed(OAuth1Answer(exchange: 0, parameters: parameters))
        run.second.token = .absent("the sign-in ended at a page")
        evidence.oauth1 = run
        #expect(ProvenFacts(evidence).oauth1?.signIns == 0)
    }
}

/// The registration at Vault depends on the checks and on the tested redirect URI.
@Suite(.timeLimit(.minutes(5))) struct VaultRoleTests {
    private static let own = "https://vault.example.com/ui/vault/auth/sso/oidc/callback"

    @Test(
        arguments: [
            (own, true, "oidc", "auth/sso/config"),
            ("http://localhost:8250/oidc/callback", true, "oidc", "auth/oidc/config"),
            (own, false, "jwt", "auth/jwt/config"),
            ("https://app.example.com/callback", true, "jwt", "auth/jwt/config"),
            ("https://app.example.com/oidc/callback", true, "jwt", "auth/jwt/config"),
            ("https://evil.example/?/ui/vault/auth/sso/oidc/callback", true, "jwt", "auth/jwt/config"),
        ]
    )
    func `a role signs users in only if Vault's own redirect URI was tested and checked`(
        _ uri: String,
        _ isChecked: Bool,
        _ type: String,
        _ command: String
    ) throws {
        let target = Samples.target { $0.redirectURI = uri }
        let file = try Samples.file(.vault, target, checksSignIns: isChecked)
        #expect(file.text.contains("\"role_type\": \"\(type)\""), "\(file.text)")
        #expect(file.text.contains("\"allowed_redirect_uris\"") == (type == "oidc"))
        #expect(file.text.contains("OIDC_CLIENT_SECRET") == (type == "oidc"))
        #expect(file.commands(file: "f").first?.contains(command) == true)
    }

    @Test(arguments: RegistrationPlatform.documents, ["HS256", "HS512", "none", "RS256", "EdDSA"])
    func `an algorithm of a shared secret is written nowhere`(_ platform: RegistrationPlatform, _ name: String) throws {
        let target = Samples.target()
        let proven = Samples.proven(target) { $0.algorithm = name }
        let text = try Samples.file(platform, target, proven: proven).text
        let isWritten = platform == .vault && ["RS256", "EdDSA"].contains(name)
        #expect(text.contains("\"\(name)\"") == isWritten, "\(text)")
    }
}

/// A profile of another platform does not allow a registration.
@Suite(.timeLimit(.minutes(5))) struct ForeignRulesTests {
    @Test(arguments: RegistrationPlatform.allCases)
    func `the file names a profile of another platform`(_ platform: RegistrationPlatform) throws {
        let target = Samples.target()
        var report = Samples.report(target, for: platform)
        report.profile.name = "spa"
        report.profile.lineage = ["spa", "openid"]
        let own = try #require(platform.profiles(for: target).first)
        #expect(platform.foreignRules("mine", ["mine", own], for: target) == nil)
        let request = RegistrationRequest(report: report, proven: Samples.proven(target), reason: "a trial")
        let file = try platform.write(request)
        let text = (file.text + (file.companion ?? "")).replacing(/\n[#\/]* ?/, with: " ")
        #expect(file.keepsReason && text.contains("EVEN THOUGH spa is not \(own)"), "\(text)")
    }
}
