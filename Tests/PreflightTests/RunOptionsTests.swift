import Conformance
import Preflight
import Profiles
import Registering
import Testing

/// The run options shared by the command line and the library.
@Suite(.timeLimit(.minutes(5))) struct RunOptionsTests {
    private static let own = """
        name: mine
        title: Ours
        extends: kubernetes
        """

    private static let environment = Environment(
        variable: { _ in nil },
        readFile: { path in
            path == "ours/mine.yaml"
                ? .success(Array(own.utf8)) : .failure(FileError(path: path, reason: "no such file"))
        }
    )

    private static func configuration(_ profile: String? = nil, signsIn: Bool = true) -> Configuration {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "c", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://app.example.com/callback"
        target.flows = ["code"]
        var configuration = Configuration(target: target)
        configuration.profile = profile
        if signsIn { configuration.signIn(as: "alice", password: Secret("correct horse")) }
        return configuration
    }

    @Test(
        arguments: [
            (nil, nil, ["openid"]), (nil, "spa, kubernetes", ["spa", "kubernetes"]),
            (["vault"], "spa", ["vault"]), (["vault", "spa"], nil, ["vault", "spa"]),
        ] as [([String]?, String?, [String])]
    )
    func `the profiles that are named win over the configuration's`(
        _ named: [String]?,
        _ configured: String?,
        _ expected: [String]
    ) throws {
        var options = RunOptions()
        options.profiles = named
        let run = try JointRun(Self.configuration(configured), options, Self.environment)
        #expect(run.runs.map(\.plan.profile.name) == expected)
    }

    @Test func `every option reaches the plan of every platform`() throws {
        var options = RunOptions()
        options.profiles = ["openid", "vault"]
        options.tier = .unauthenticated
        options.threshold = .warning
        options.required = .full
        options.selection = Selection(only: ["discovery"])
        options.baseline = { profile throws(ConfigurationError) in
            throw ConfigurationError(file: "before.json", "nothing of \(profile)")
        }
        let error = #expect(throws: ConfigurationError.self) {
            try JointRun(Self.configuration(), options, Self.environment)
        }
        #expect(error?.description == "before.json: nothing of openid")
        options.baseline = nil
        for run in try JointRun(Self.configuration(), options, Self.environment).runs {
            #expect(run.plan.tier == .unauthenticated)
            #expect(run.plan.threshold == .warning)
            #expect(run.plan.required == .full)
            #expect(run.plan.selection.only == ["discovery"])
        }
    }

    @Test(
        arguments: [
            (Tier.static, nil, nil), (.full, "preflight.yaml", "preflight.yaml lacks sign_in"),
            (.full, nil, "this tier also needs sign_in"),
        ] as [(Tier, String?, String?)]
    )
    func `a tier takes its means`(_ tier: Tier, _ file: String?, _ words: String?) {
        let configuration = Self.configuration(signsIn: false)
        do throws(ConfigurationError) {
            try configuration.demandMeans(for: tier, readFrom: file)
            #expect(words == nil)
        } catch {
            #expect(error.description.hasPrefix("--tier \(tier.rawValue): \(words ?? "nothing")"))
        }
    }

    @Test(
        arguments: [
            (nil, nil, "kubernetes"), (nil, "openid", "kubernetes"), (nil, "openid,ours/mine.yaml", "ours/mine.yaml"),
            (nil, "ours/unreadable.yaml", "kubernetes"), ("vault", "ours/mine.yaml", "vault"),
        ] as [(String?, String?, String)]
    )
    func `a registration is checked by the platform's rules, or by rules that extend them`(
        _ named: String?,
        _ configured: String?,
        _ expected: String
    ) throws {
        let platform = try #require(RegistrationPlatform.named("kubernetes"))
        let configuration = Self.configuration(configured)
        let choice = PlatformChoice(platform, named: named, configuration, Self.environment)
        #expect(choice.profile == expected)
        #expect(!choice.isSubstitute)
    }

    @Test func `missing values of a registration are reported before anything is sent`() throws {
        let platform = try #require(RegistrationPlatform.named("kubernetes"))
        func demand(_ configuration: Configuration, named: String? = nil, isOver: Bool = false) throws -> String? {
            let choice = PlatformChoice(platform, named: named, configuration, Self.environment)
            do throws(ConfigurationError) {
                let run = try choice.run(configuration, tier: nil, Self.environment)
                try choice.demand(of: run, file: "preflight.yaml", isOver: isOver, isForced: false)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(try demand(Self.configuration()) == nil)
        #expect(try demand(Self.configuration(), named: "openid")?.contains("openid is not kubernetes") == true)
        let lacking = Self.configuration(signsIn: false)
        #expect(try demand(lacking)?.contains("must be proven by a sign-in: add sign_in") == true)
        #expect(try demand(lacking, isOver: true) == nil)
    }
}
