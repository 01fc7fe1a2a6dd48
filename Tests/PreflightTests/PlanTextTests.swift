import Conformance
import Flows
import Testing
import Transport

@testable import Preflight

@Suite("Plan", .timeLimit(.minutes(5)))
struct PlanTextTests {
    private static let environment = Environment(
        variable: { _ in nil },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    private func run(
        tier: Tier? = nil,
        only: [CheckPattern] = [],
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> PreflightRun {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "client", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://rp.example/callback"
        target.flows = ["code", "id_token", "code id_token"]
        var configuration = Configuration(target: target)
        configuration.signIn(as: "alice", password: Secret("p"))
        change(&configuration)
        return try PreflightRun(
            configuration: configuration,
            tier: tier,
            selection: Selection(only: only),
            environment: Self.environment
        )
    }

    @Test("the plan shows the cost of each tier, and the total is the sum")
    func table() throws {
        let run = try run()
        let rows = run.planText.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for tier in Tier.allCases {
            let estimate = run.plan.estimate(of: tier)
            let row = [tier.rawValue, "\(estimate.requests)", "\(estimate.signIns)", "\(estimate.probes)"]
            #expect(rows.contains(row), "\(row)")
        }
        let whole = run.plan.estimate
        #expect(rows.contains(["total", "\(whole.requests)", "\(whole.signIns)", "\(whole.probes)"]))
        #expect(whole.requests == Tier.allCases.map { run.plan.estimate(of: $0).requests }.reduce(0, +))
        #expect(run.planText.contains("up to \(whole.signIns) sign-ins as “alice”"))
    }

    @Test(
        "the plan names the values to fill in",
        arguments: [
            ("c", "alice", nil), ("c", "CHANGE-ME", "\nFill in    sign_in.username: CHANGE-ME is a placeholder"),
            ("CHANGE-ME", "CHANGE-ME", "\nFill in    client.id, sign_in.username: CHANGE-ME is a placeholder"),
        ] as [(String, String, String?)]
    )
    func placeholders(client: String, user: String, line: String?) throws {
        let text = try run {
            $0.target.client?.id = client
            $0.signIn(as: user, password: Secret("p"))
        }
        .planText
        #expect(text.contains("\nFill in ") == (line != nil), "\(text)")
        if let line { #expect(text.contains(line), "\(text)") }
    }

    @Test("the plan says how long one-time codes take, which the limit of time does not count")
    func codes() throws {
        let plain = try run()
        #expect(!plain.planText.contains("one-time code"))
        let run = try run {
            let app = try? Authenticator(Secret("MZXW6YTBOI"), period: 60)
            $0.signIn(as: "alice", password: Secret("p"), authenticator: app)
        }
        let signIns = run.plan.estimate.signIns
        #expect(
            run.planText.contains(
                "a new one-time code, one every 60 seconds: up to \(signIns * 60) seconds of waiting"
            )
        )
        #expect(run.limits.seconds == plain.limits.seconds)
    }

    @Test("a mark is explained before its use, and a plan with sign-ins lists the data left at the provider")
    func words() throws {
        let full = try run().planText
        let heading = "Requests (GET+ means that the test user signs in if the provider requires it)"
        let lines = full.split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.contains("GET+") })
        #expect(lines[first] == heading)
        #expect(full.contains("The run leaves sessions and consents of the test user"))
        let quiet = try run(tier: .unauthenticated).planText
        #expect(!quiet.contains("GET+") && !quiet.contains("leaves sessions"))
        let registering = try run {
            $0.target.dynamicRegistration = DynamicRegistration(isEnabled: true, hasInitialAccessToken: false)
        }
        #expect(registering.planText.contains("registered clients are deleted again"))
    }

    @Test("a lower tier needs no sign-in, and is shown alone")
    func tiers() throws {
        let documents = try run(tier: .static)
        #expect(documents.plan.estimate.signIns == 0)
        #expect(documents.plan.estimate.probes == 0)
        #expect(!documents.planText.contains("total"))
        let unauthenticated = try run(tier: .unauthenticated)
        #expect(unauthenticated.plan.estimate.signIns == 0)
        #expect(unauthenticated.plan.estimate.probes > 5)
        #expect(unauthenticated.planText.contains("No sign-in takes place."))
    }

    @Test("a request that one check reads counts for that check alone")
    func single() throws {
        let one = try run(only: ["discovery.issuer.matches-request"])
        #expect(one.plan.estimate.requests == 1)
        let agents = try run(only: ["keys.agents.are-treated-alike"])
        #expect(agents.plan.estimate.requests == 5)
    }

    @Test("with a pause the minimum time is shown")
    func pause() throws {
        let run = try run(only: ["discovery.issuer.matches-request", "keys.agents.*"]) { $0.network.pause = 1.1 }
        #expect(run.planText.contains("at least 5 seconds"))
    }

    @Test("scenarios dropped by a limit are listed with the skipped checks", arguments: [1, 2])
    func limit(_ limit: Int) throws {
        let whole = try run()
        let run = try run { $0.maxSignIns = limit }
        #expect(whole.plan.leftOut.isEmpty && !whole.planText.contains("Dropped"))
        #expect(run.plan.signIns.planned <= limit)
        // Ordinary flows go last, and the first of them stays.
        #expect(run.plan.scenarios.first?.id == "flow.code")
        #expect(run.planText.contains("Dropped: the limit is \(limit) sign-in"))
        #expect(run.planText.contains("sign in with response_type code id_token (1 sign-in)"))
        #expect(PlanMaker.selected(run.plan).count <= PlanMaker.selected(whole.plan).count)
    }
}
