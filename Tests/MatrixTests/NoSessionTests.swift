import Conformance
import Preflight
import ReferenceProvider
import Synchronization
import Testing

/// A provider without sessions requires the password for every authorization request, which no specification forbids.
@Suite("Providers without sessions", .timeLimit(.minutes(5)))
struct NoSessionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var profile: String
        /// The response types that the client is registered for; `nil` for all.
        var flows: Set<ResponseType>?
        /// Whether the provider revokes a code after its first rejected redemption.
        var burnsCodes = false
        /// The number of password submissions: three for a second user, four for clients that the run registers, three for logout.
        var passwords: Int

        var testDescription: String {
            "\(profile), \(flows.map { "\($0.count) flow" } ?? "all flows")\(burnsCodes ? ", codes that burn" : "")"
        }
    }

    private static let cases = [
        Case(profile: "openid", flows: ["code"], passwords: 40),
        Case(profile: "openid", passwords: 48),
        Case(profile: "openid", flows: ["code"], burnsCodes: true, passwords: 50),
        Case(profile: "firebase-oidc", flows: ["code"], passwords: 41),
        Case(profile: "supabase", flows: ["code"], passwords: 40),
    ]

    /// A run, with the arrival times of the first user's password in seconds since 1970.
    static func run(
        _ profile: String,
        flows: Set<ResponseType>? = nil,
        burnsCodes: Bool = false,
        faults: [Fault] = [],
        maxSignIns: Int? = nil,
        mistake: @escaping (inout Configuration) -> Void = { _ in }
    ) async throws -> (result: Laboratory.Run, passwords: [Double]) {
        let passwords = Mutex<[Double]>([])
        let burned = Mutex<Set<String>>([])
        let username = Persona.standard.credentials.username
        let result = try await Laboratory.collect(
            .standard,
            faults: faults,
            profile: profile,
            maxSignIns: maxSignIns,
            configure: { target in
                if let flows { target.flows.removeAll { !flows.contains($0) } }
            },
            mistake: { configuration in
                // One scenario at a time: a wait moves the shared clock for all of them.
                configuration.concurrency = 1
                mistake(&configuration)
            },
            provide: { settings in
                let now = settings.now
                settings.hook { hooks in
                    hooks.session.needs = { needs, parameters in
                        needs.signIn = true
                        let prompts = parameters["prompt"]?.split(separator: " ") ?? []
                        if prompts.contains("none") { needs.error = "login_required" }
                    }
                    hooks.session.refusal = { name, wrong in
                        if name == username { passwords.withLock { $0.append(now()) } }
                        return wrong
                    }
                    guard burnsCodes else { return }
                    hooks.tokenError = { parameters, right in
                        guard let code = parameters["code"], parameters["grant_type"] == "authorization_code" else {
                            return right
                        }
                        if burned.withLock({ $0.contains(code) }) { return "invalid_grant" }
                        if right != nil { burned.withLock { _ = $0.insert(code) } }
                        return right
                    }
                }
            }
        )
        return (result, passwords.withLock(\.self))
    }

    @Test(arguments: cases) func `a sound one gets a verdict by default, with a bounded number of passwords`(
        example: Case
    ) async throws {
        let result = try await Self.run(example.profile, flows: example.flows, burnsCodes: example.burnsCodes).result
        let report = result.report
        #expect(report.outcome.exitCode == 0, "\(report.outcome.alone)")
        let open = report.entries.filter { entry in
            if case .inconclusive = entry.verdict { true } else { false }
        }
        #expect(open.map(\.id) == [])
        #expect(result.evidence.signIns == example.passwords)
        #expect(result.evidence.signIns <= result.run.plan.signIns.allowedWithoutSession)
        let young = report.entries.first { $0.id == "authorization.max-age.young-session-is-used" }?.verdict
        #expect(young == .notAttempted("a request without it requires the password as well"))
        let limits = result.evidence.decisions?.filter { $0.contains("Use --max-sign-ins to limit this") }
        #expect(limits?.count == 1, "\(result.evidence.decisions ?? [])")
    }

    @Test func `the passwords of one user come no faster than every product allows`() async throws {
        let (result, moments) = try await Self.run("openid", flows: ["code"])
        let (first, rate) = (try #require(moments.first), result.run.plan.signIns.rate)
        #expect(rate.interval == 6)
        #expect(rate.burst == result.run.plan.signIns.allowed && rate.burst <= 12)
        #expect(moments.count { $0 < first + 60 } == rate.burst)
        let later = zip(moments, moments.dropFirst()).dropFirst(rate.burst).map { $1 - $0 }
        #expect(later.count > 10)
        #expect(later.allSatisfy { $0 >= rate.interval }, "\(later)")
    }

    @Test func `a limit that the user sets does not lift the rate`() async throws {
        let (result, moments) = try await Self.run("openid", flows: ["code"], maxSignIns: 200)
        let first = try #require(moments.first)
        #expect(moments.count > 30)
        #expect(moments.count { $0 < first + 60 } == result.run.plan.signIns.rate.burst)
    }

    @Test func `the user may set the rate`() async throws {
        let moments =
            try await Self.run("openid", flows: ["code"], mistake: { $0.limits.signInsPerMinute = 2 }).passwords
        let apart = zip(moments, moments.dropFirst()).dropFirst().map { $1 - $0 }
        #expect(apart.allSatisfy { $0 >= 30 }, "\(apart)")
    }

    @Test func `a fault of safety is found without a session as well`() async throws {
        let fault = try #require(Fault.all.first { $0.id == "token.code-verifier.wrong-is-refused" })
        let report = try await Self.run("supabase", flows: ["code"], faults: [fault]).result.report
        #expect(report.outcome.exitCode == 1, "\(report.outcome.alone)")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.contains("token.code-verifier.wrong-is-refused"), "\(failed)")
    }

    @Test func `the user's own limit stays`() async throws {
        let (result, _) = try await Self.run("supabase", flows: ["code"], maxSignIns: 8)
        #expect(result.evidence.signIns <= 8)
        #expect(result.report.outcome.exitCode == 2, "\(result.report.outcome.alone)")
        let reasons = result.report.entries.compactMap(\.verdict.reason)
        #expect(reasons.contains { $0.contains("sign-in limit reached (8)") })
        #expect(result.run.plan.signIns.allowedWithoutSession == 8)
    }

    @Test func `a provider with sessions that withdraws a code for a mistake gets the same verdict`() async throws {
        let burned = Mutex<Set<String>>([])
        let result = try await Laboratory.collect(
            .standard,
            provide: { settings in
                settings.hook { hooks in
                    hooks.tokenError = { parameters, right in
                        guard let code = parameters["code"], parameters["grant_type"] == "authorization_code" else {
                            return right
                        }
                        if burned.withLock({ $0.contains(code) }) { return "invalid_grant" }
                        if right != nil { burned.withLock { _ = $0.insert(code) } }
                        return right
                    }
                }
            }
        )
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.alone)")
        #expect(result.evidence.runs.allSatisfy { run in run.steps.allSatisfy { $0.lentBy == nil } })
    }
}
