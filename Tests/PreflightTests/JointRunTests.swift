import Conformance
import Preflight
import Profiles
import Testing

/// Several platforms share a run only where they send the same.
@Suite(.timeLimit(.minutes(5))) struct JointRunTests {
    private static let environment = Environment(
        variable: { _ in nil },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    private static func joint(_ profiles: [String], _ configure: (inout Target) -> Void = { _ in }) throws -> JointRun {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "c", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://app.example.com/callback"
        target.flows = ["code"]
        configure(&target)
        var configuration = Configuration(target: target)
        configuration.signIn(as: "alice", password: Secret("correct horse"))
        let runs = try profiles.map {
            try PreflightRun(configuration: configuration, profile: $0, environment: environment)
        }
        return try JointRun(runs[0], Array(runs.dropFirst()))
    }

    @Test(
        arguments: [
            (["openid"], "", 1), (["openid", "firebase-oidc"], "", 1),
            // A reserved name is sent for one platform and not for the other.
            (["openid", "firebase-oidc"], "response_mode", 2), (["openid", "firebase-oidc"], "login_hint", 1),
            // Scripts name their origin.
            (["openid", "spa"], "", 2), (["openid", "spa", "firebase-oidc"], "", 2),
        ] as [([String], String, Int)]
    )
    func `platforms that send the same share a run`(_ profiles: [String], _ custom: String, _ runs: Int) throws {
        let joint = try Self.joint(profiles) { target in
            if !custom.isEmpty { target.customParameters = [Field(custom, "x")] }
        }
        #expect(joint.runCount == runs)
        #expect(joint.runs.map(\.plan.profile.name) == profiles)
    }

    @Test(
        "the platform that sends no PKCE decides about it, whatever the order of the profiles",
        arguments: [["openid", "firebase-oidc"], ["firebase-oidc", "openid"]]
    )
    func withoutPKCE(profiles: [String]) throws {
        let joint = try Self.joint(profiles)
        #expect(joint.executed.map(\.plan.profile.parameters.pkceUse) == [.never])
    }

    @Test(
        arguments: [
            (["openid"], "", "Profile    openid"),
            (["openid", "firebase-oidc"], "2 platforms share one run.", "Profiles   openid, firebase-oidc"),
            (["openid", "spa"], "2 platforms need 2 runs, because their requests differ.", "Profile    spa"),
        ] as [([String], String, String)]
    )
    func `the plan shows which platforms share a run`(_ profiles: [String], _ heading: String, _ names: String) throws {
        let joint = try Self.joint(profiles)
        let lines = joint.planText.split(separator: "\n").map(String.init)
        #expect(heading.isEmpty || lines.first == heading)
        #expect(lines.contains(names))
        #expect(lines.count { $0.hasPrefix("Issuer ") } == joint.runCount)
    }

    @Test func `a shared run respects the limit of sign-ins, and requests the needs of every platform`() throws {
        let runs = ["openid", "fapi2-security"]
            .map { name in
                Result { try Self.joint([name]) { $0.flows = ["code"] }.runs[0] }
            }
        let plans = try runs.map { try $0.get().plan }
        let whole = PlanMaker.joined(plans[0], [plans[1]])
        #expect(whole.needs == plans[0].needs.union(plans[1].needs))
        #expect(Set(whole.scenarios.map(\.id)) == Set(plans.flatMap { $0.scenarios.map(\.id) }))
        let limited = PlanMaker.joined(plans[0], [plans[1]], maxSignIns: 2)
        #expect(whole.signIns.planned > 2 && limited.signIns.planned <= 2)
        #expect(limited.leftOut.count == whole.scenarios.count - limited.scenarios.count)
    }

    @Test func `a platform named twice is reported`() {
        let error = #expect(throws: ConfigurationError.self) { try Self.joint(["openid", "spa", "openid"]) }
        #expect(error?.description == "--profile: “openid” is named twice")
    }

    @Test(
        arguments: [("a,b", ["a", "b"]), (" a , b,", ["a", "b"]), ("a", ["a"]), ("", [])] as [(String, [String])]
    )
    func `a list is read at its commas`(_ text: String, _ names: [String]) {
        #expect(JointRun.names(in: text) == names)
    }
}
