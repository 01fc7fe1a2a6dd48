import Catalogue
import Conformance
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// No check passes or fails on the response to a probe whose baseline request was rejected as well.
@Suite("Baseline requests", .phase(.runs), .timeLimit(.minutes(20)))
struct ControlTests {
    /// The checks that may pass on a rejection although the configured client is rejected everywhere, and why.
    private static let standAlone: [CheckPattern: String] = [
        "registration": "the rejected request is a registration, which needs no configured client",
        "userinfo.no-token.*": "a request without a token has no client",
        "userinfo.bad-token.*": "a request with a bogus token has no client",
        "userinfo.post.bad-token-is-refused": "a request with a bogus token has no client",
    ]

    private static func mayStandAlone(_ id: CheckID) -> Bool { standAlone.keys.contains { $0.matches(id) } }

    /// The evidence of a conformant run in which every baseline request was rejected; other responses are unchanged.
    private static func withBrokenBaselines(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        for index in evidence.runs.indices {
            let run = evidence.runs[index]
            guard BaselineScenario.isBaseline(run.scenario, in: evidence.target, tier: evidence.tier) else { continue }
            if let answer = run.authorization.value {
                let error = RedirectAnswer(
                    address: evidence.target.redirectURI ?? "",
                    isRedirectURI: true,
                    query: [ResponseParameter(name: "error", value: "access_denied")],
                    fragment: []
                )
                evidence.runs[index].authorization = .observed(
                    AuthorizationAnswer(ending: .redirected(error), exchange: answer.exchange)
                )
            }
            guard let exchange = run.token.value?.exchange,
                let place = evidence.exchanges.firstIndex(where: { $0.id == exchange })
            else { continue }
            evidence.exchanges[place].response?.status = 401
            if var answer = run.token.value {
                answer.body = .text(#"{"error":"invalid_client"}"#)
                evidence.runs[index].token = .observed(answer)
            }
        }
        return evidence
    }

    @Test(
        "a rejection proves nothing if the baseline request is rejected too",
        arguments: [Tier.unauthenticated, .full]
    )
    func refusals(tier: Tier) async throws {
        let result = try await Laboratory.collect(.standard, profile: "openid", tier: tier)
        let refusals = { (report: Report) in
            Set(report.entries.filter { Self.refusals.contains($0.id) && $0.verdict == .passed }.map(\.id))
        }
        let whole = refusals(result.report)
        #expect(
            whole.count > (tier == .full ? 40 : 3),
            "a conformant provider rejects invalid requests: \(whole.count)"
        )
        let broken = Self.withBrokenBaselines(result.evidence)
        let report = result.run.judge(broken, now: broken.endedAt)
        #expect(!report.causes.isEmpty)
        #expect(report.outcome.gate == .inconclusive, "\(report.outcome.summary)")
        let vacuous = refusals(report).filter { !Self.mayStandAlone($0) }
        #expect(vacuous.isEmpty, "\(vacuous.sorted())")
        let blamed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(blamed.isEmpty, "\(blamed)")
    }

    /// The checks that pass only on a rejection.
    private static let refusals = Set(Catalogue.all.filter { $0.passesOn == .refusal }.map(\.id))

    /// Whether a response of a conformant run is a rejection: by its status, by the error of a redirect, or with status 200 like GitHub and Slack.
    private static func isRefusal(_ response: Exchange.Response) -> Bool {
        let body = response.body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (400...599).contains(response.status) || response.header("Location")?.contains("error=") == true
            || ["error=", "{\"error\"", "{\"ok\":false", "<OAuth><error>"].contains { body.hasPrefix($0) }
    }

    /// Without a session, requests are repeated, and an error 500 that comes every time is a rejection.
    private static let personas = Persona.allCases.filter { $0 != .tara }

    @Test("a check that requires a rejection does not pass on a response that is not one", arguments: personas)
    func meaninglessAnswers(persona: Persona) async throws {
        let result = try await Laboratory.collect(persona, tier: .full)
        let before = Set(result.report.entries.filter { $0.verdict == .passed }.map(\.id)).intersection(Self.refusals)
        // Hydra's error pages have status 500 every time.
        for status in persona == .hydra ? [429, 503] : [429, 500, 503] {
            var evidence = result.evidence
            for place in evidence.exchanges.indices {
                guard let response = evidence.exchanges[place].response, Self.isRefusal(response) else { continue }
                evidence.exchanges[place].response = Exchange.Response(status: status, headers: [], body: .text("busy"))
            }
            let report = result.run.judge(evidence, now: evidence.endedAt)
            let after = report.entries.filter { before.contains($0.id) && $0.verdict == .passed }.map(\.id)
            #expect(after.isEmpty, "\(status): \(after)")
            #expect(before.isEmpty || report.outcome.gate != .open, "\(status): \(report.outcome.summary)")
        }
    }

    @Test("the checks that require a rejection are identified independently of their names")
    func knownRefusals() {
        for id: CheckID in [
            "token.code.is-single-use", "token.code.stays-used", "token.assertion.is-single-use",
            "revocation.refresh-token.opens-nothing-afterwards", "revocation.access-token.opens-nothing-afterwards",
            "token.code.reuse-revokes-tokens", "token.client-authentication.is-by-one-method",
            "authorization.pushed-request.request-uri-is-single-use",
            "platform.twitter.access-token.temporary-credentials-work-once",
        ] { #expect(Self.refusals.contains(id), "\(id)") }
        let others: [CheckID] = ["platform.request.needs-no-pkce", "authorization.prompt.needs-no-session"]
        #expect(Self.refusals.isDisjoint(with: others))
    }

    @Test("a provider that does not require PKCE passes the rule of a platform that does not send it")
    func needsNoPKCE() async throws {
        let report = try await Laboratory.collect(.standard, profile: "aws-cognito", tier: .full).report
        let entry = report.entries.first { $0.id == "platform.request.needs-no-pkce" }
        #expect(entry?.verdict == .passed, "\(entry?.verdict as Any)")
    }

    /// An error 500 that comes every time for one request, while the endpoint returns other responses, is a rejection.
    @Test(
        "a code is bound to its client whatever the error, if the other client can redeem its own code",
        arguments: [("invalid_client", 401), ("server_error", 500)]
    )
    func otherClientsCode(code: String, status: Int) async throws {
        let habit = Fault("token.code.is-bound-to-client", "it is rejected with \(code)") { _ in
        } change: { hooks in
            hooks.tokenError = { _, right in
                guard right?.text == "it belongs to another client" else { return right }
                var error = OAuthError(code)
                error.status = status
                return error
            }
        }
        let report = try await Laboratory.collect(.standard, faults: [habit], profile: "openid", tier: .full).report
        let entry = report.entries.first { $0.id == habit.trips }
        #expect(entry?.verdict == .passed, "\(entry?.verdict as Any)")
        let form = report.entries.first { $0.id == "token.error.status-is-400-or-401" }
        let found = Set((form?.verdict.findings ?? []).compactMap(\.found))
        #expect(found == (status == 500 ? ["HTTP status 500"] : []), "\(found)")
    }

    @Test("a rejection in the wrong format counts as a rejection, and the format is a finding")
    func wrongForms() async throws {
        let habit = Fault("authorization.error.is-redirected", "errors come with status 200") { _ in
        } change: { hooks in
            hooks.answer = { endpoint, answer in
                let location = answer.headers.first { $0.isNamed("Location") }?.value ?? ""
                if endpoint == .authorization, location.contains("error=") {
                    answer = HTTPAnswer(
                        status: 200,
                        headers: [Field("Content-Type", "text/html")],
                        body: Array("<!DOCTYPE html><title>Error</title><p>An error has occurred.</p>".utf8)
                    )
                }
                if endpoint == .userInfo, answer.status == 401 {
                    answer = HTTPAnswer(
                        status: 200,
                        headers: [Field("Content-Type", "application/json")],
                        body: Array(#"{"ok":false,"error":"not_authed"}"#.utf8)
                    )
                }
            }
        }
        let report = try await Laboratory.collect(.standard, faults: [habit], profile: "openid", tier: .full).report
        let word = { (id: CheckID) in report.entries.first { $0.id == id }?.verdict.word }
        for id: CheckID in [
            "authorization.response-type.missing-is-refused", "userinfo.no-token.is-refused",
            "userinfo.bad-token.is-refused",
        ] { #expect(word(id) == "passed", "\(id): \(word(id) ?? "")") }
        for id: CheckID in ["authorization.error.is-redirected", "userinfo.no-token.has-401"] {
            #expect(word(id) == "failed", "\(id): \(word(id) ?? "")")
        }
    }

    @Test("a scenario that changes a valid request has a baseline request", arguments: [Tier.unauthenticated, .full])
    func everyExperiment(tier: Tier) async throws {
        let target = try await Laboratory.collect(.standard, profile: "openid", tier: .static).run.plan.target
        let alone = Scenario.catalogue.filter { scenario in
            guard scenario.client == .configured, scenario.tier <= tier else { return false }
            return BaselineScenario.of(scenario.id, in: target, tier: tier) == nil
                && !BaselineScenario.isBaseline(scenario.id, in: target, tier: tier)
        }
        // The encoding of the secret is tested only where the secret is rejected, and a UserInfo request without a token has
        // no client.
        let known = [Scenario.basicEncoding.id, Scenario.userInfoRefusals.id]
        #expect(alone.map(\.id) == known, "\(alone.map(\.id))")
    }
}
