import Conformance
import Flows
import Preflight
import Profiles
import ReportRecord
import Testing
import Transport

private let shared = """
    profile: kubernetes
    client: { id: shared, secret: { env: SECRET }, pkce: false }
    redirect_uri: https://rp.example/cb
    flows: [code]
    sign_in: { username: alice, password: { env: PASSWORD } }
    network: { pause: 1s, concurrency: 2 }

    """

private func readAll(_ text: String, _ targets: [String] = [], issuer: String? = nil) throws -> [Configuration] {
    let environment = Environment(
        variable: { ["SECRET": "s", "PASSWORD": "p"][$0] },
        readFile: {
            $0 == "secret.txt" ? .success(Array("f".utf8)) : .failure(FileError(path: $0, reason: "no such file"))
        }
    )
    let read = {
        try ConfigurationReader(environment)
            .readAll(text.utf8, file: "p.yaml", targets: targets, issuer: issuer, checks: [])
    }
    return targets.isEmpty && issuer == nil ? try ConfigurationRecord.keeping(text, read) : try read()
}

private func problems(_ text: String, _ targets: [String] = [], issuer: String? = nil) -> [String] {
    do {
        _ = try readAll(text, targets, issuer: issuer)
        return []
    } catch {
        return (error as? ConfigurationError)?.problems.map(\.description) ?? ["\(error)"]
    }
}

@Suite("Targets of a configuration", .timeLimit(.minutes(5)))
struct ConfigurationTargetTests {
    @Test("a file accepts as many targets as a run, and one can be selected from a longer list")
    func most() throws {
        let most = ConfigurationReader.mostTargets
        let text = { (count: Int) in
            "targets:\n" + (0..<count).map { "  t\($0):\n    issuer: https://t\($0).example\n" }.joined()
        }
        #expect(try readAll(text(most)).count == most)
        #expect(try readAll(text(most + 1), ["t\(most)"]).count == 1)
        let error = #expect(throws: ConfigurationError.self) { try readAll(text(most + 1)) }
        #expect(error?.description.contains("accepts at most \(most)") == true)
    }

    @Test("each target has the common values and its own")
    func merged() throws {
        let text =
            shared + """
                targets:
                  staging:
                    issuer: https://staging.example
                    client: { id: staging, secret: { file: secret.txt } }
                    network: { pause: 2s }
                  production:
                    issuer: https://idp.example
                    sign_in: ~
                    flows: ~
                    profile: [openid, supabase]

                """
        let all = try readAll(text)
        #expect(all.map(\.name) == ["staging", "production"])
        let (staging, production) = (all[0], all[1])
        #expect(staging.target.issuer == "https://staging.example" && staging.profile == "kubernetes")
        #expect(staging.target.client?.id == "staging" && staging.target.client?.sendsPKCE == false)
        // A secret is replaced as a whole: never by one with two sources.
        #expect(staging.secrets.clientSecrets["staging"]?.reveal() == "f")
        #expect(staging.network.pause == 2 && staging.concurrency == 2)
        #expect(staging.highestTier == .full && staging.username == "alice")
        #expect(production.target.client?.id == "shared" && production.profile == "openid,supabase")
        #expect(production.highestTier == .unauthenticated && production.username == nil)
        #expect(try readAll(text, ["production"]).map(\.target.issuer) == ["https://idp.example"])
        // In the order of the file, whatever the order of the names.
        #expect(try readAll(text, ["production", "staging"]).map(\.name) == ["staging", "production"])
        #expect(try readAll(text, ["staging"], issuer: "https://c.example")[0].target.issuer == "https://c.example")
        #expect(try readAll("issuer: https://a.example\n")[0].name == nil)
    }

    @Test("a target may have nothing of its own")
    func empty() throws {
        let all = try readAll("issuer: https://a.example\ntargets:\n  a:\n  b: {}\n")
        #expect(all.map(\.target.issuer) == ["https://a.example", "https://a.example"])
    }

    @Test(
        "a mistake is reported once, with its line and its targets",
        arguments: [
            ("targets: []\n", ["p.yaml:1:1: “targets” must map the name of each target to its own settings"]),
            ("targets: {}\n", ["p.yaml:1:1: “targets” must map the name of each target to its own settings"]),
            (
                "targets: { a b: {} }\n",
                ["p.yaml:1:12: the name of a target has only letters, digits and “._-”, at most 60, not “a b”"]
            ),
            ("targets: { a: x }\n", ["p.yaml:1:15: “targets.a” must be a mapping of keys to values"]),
            (
                "targets: { a: { targets: { b: {} } } }\n",
                ["p.yaml:1:17: a target cannot contain “targets”"]
            ),
            (
                "issuer: https://a.example\nfows: [code]\ntargets:\n  a: { profil: openid }\n  b:\n    client: { secret: { env: SECRET } }\n",
                [
                    "p.yaml:2:1: unknown key “fows”; did you mean “flows”?",
                    "p.yaml:4:8: unknown key “profil”; did you mean “profile”? (target a)",
                    "p.yaml:6:13: “client.id” is missing (target b)",
                ]
            ),
            (
                "target: { a: {} }\nissuer: https://a.example\n",
                ["p.yaml:1:1: unknown key “target”; did you mean “targets”?"]
            ),
            (
                "targets:\n  a: { issuer: https://a.example }\n  b: { profile: openid }\n",
                ["p.yaml:3:6: “issuer” is missing (target b)"]
            ),
        ]
    )
    func mistakes(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test("an unknown target is reported with a suggestion")
    func names() {
        let text = "targets: { staging: { issuer: https://a.example }, production: { issuer: \"${GONE}\" } }\n"
        #expect(problems(text, ["stagin"]) == ["--target: p.yaml has no target “stagin”; did you mean “staging”?"])
        #expect(problems(text, ["x"]) == ["--target: p.yaml has no target “x”; known here: staging, production"])
        #expect(problems("issuer: https://a.example\n", ["x"])[0].contains("p.yaml has no targets: omit the option"))
        // Mistakes of unselected targets do not matter.
        #expect(problems(text, ["staging"]) == [])
        #expect(problems(text).count == 1)
        #expect(
            problems(text, issuer: "https://b.example")[0]
                .contains("select it with --target (p.yaml has staging, production)")
        )
    }
}
