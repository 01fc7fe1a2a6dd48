import Catalogue
import Conformance
import JSONTree

/// The checks of the stages that need a scenario run.
enum ModelledChecks {
    static let all =
        AuthorizationChecks.all + TokenChecks.all + IDTokenChecks.all + UserInfoChecks.all
        // The model is for one platform; others require a client without a secret, or other claims.
        + PlatformChecks.all.filter { check in
            check.id.rawValue.hasPrefix("platform.firebase.")
                || RunModel.firebase.rules.keys.contains { $0.check == check.id }
        }

    static func check(_ id: CheckID) -> Check? { all.first { $0.id == id } }
}

extension RunModel {
    /// The model as a run would record it.
    var evidence: Evidence {
        var evidence = Evidence(
            tool: "test",
            startedAt: Double(Self.now) - 10,
            target: target,
            tier: tier,
            because: "not part of this test"
        )
        evidence.endedAt = Double(Self.now)
        evidence.knowsBrowserRules = true
        evidence.discovery = .observed(Document(origin: .file("discovery"), body: .text(discovery.serialized())))
        evidence.keys = keySet.map { Document(origin: .file("keys"), body: .text($0.serialized())) }
        for modelledRun in modelledRun { evidence.runs.append(run(modelledRun, &evidence.exchanges)) }
        return evidence
    }

    var facts: Facts {
        var profile = Profile(name: "test", title: "Test", lineage: ["test"], include: ["*"], adjustments: [])
        profile.parameters = parameters
        let use = Profile.Use(because: "the model is for one platform", source: "this test")
        profile.uses = Dictionary(uniqueKeysWithValues: Feature.allCases.map { ($0, use) })
        return Facts(evidence, profile: profile)
    }

    func judge(_ id: CheckID) -> Verdict? { ModelledChecks.check(id)?.judge(facts) }

    /// The checks that fail and are not superseded, by the same rule as in a report.
    var failures: Set<CheckID> {
        let facts = facts
        let failed = ModelledChecks.all.filter { !$0.judge(facts).findings.isEmpty }
        let levels = Dictionary(uniqueKeysWithValues: failed.map { ($0.id, $0.requirement.level) })
        return Set(
            failed.filter { check in
                !check.supersededBy.contains { levels[$0].map { $0 >= check.requirement.level } ?? false }
            }
            .map(\.id)
        )
    }

    private func run(_ modelledRun: ModelledRun, _ exchanges: inout [Exchange]) -> ScenarioRun {
        var run = ScenarioRun(
            scenario: modelledRun.scenario,
            clientID: modelledRun.clientID,
            responseType: modelledRun.type,
            outcome: .notAttempted("not part of this scenario")
        )
        run[.authorization]?.sent = modelledRun.sent
        if let ending = modelledRun.ending {
            let exchange = Self.record(Reply(status: 302, json: [:]), "authorization", &exchanges)
            run.authorization = .observed(
                AuthorizationAnswer(ending: ending, exchange: exchange, idToken: modelledRun.front?.facts)
            )
            if !modelledRun.filled.isEmpty || modelledRun.blockedForm != nil || modelledRun.refusedCookies != nil {
                run.visits = [PageVisit(exchange: exchange, filled: modelledRun.filled)]
                run.visits[0].blockedForm = modelledRun.blockedForm
                run.visits[0].refusedCookies = modelledRun.refusedCookies
            }
        }
        if let status = modelledRun.signInStatus {
            let form = Self.record(Reply(status: status, json: [:]), "sign-in", &exchanges)
            exchanges[form].isSignIn = true
        }
        func redirection(_ reply: Reply) -> Int? {
            guard reply.isRedirected else { return nil }
            let moved = Reply(status: 307, headers: [Field("Location", Self.issuer + "/moved")], json: [:])
            return Self.record(moved, "moved", &exchanges)
        }
        if let reply = modelledRun.token {
            let first = redirection(reply)
            run.token =
                .observed(
                    EndpointAnswer(
                        exchange: Self.record(reply, "token", &exchanges),
                        body: reply.text,
                        accessToken: reply.json.has("access_token") ? modelledRun.accessToken : nil,
                        refreshToken: reply.json.has("refresh_token") ? modelledRun.refreshToken : nil,
                        idToken: modelledRun.back?.facts
                    )
                )
                .map { answer in
                    var answer = answer
                    answer.redirectedFrom = first
                    return answer
                }
        }
        if let reply = modelledRun.userInfo {
            var answer = EndpointAnswer(exchange: Self.record(reply, "userinfo", &exchanges), body: reply.text)
            answer.jwt = reply.jwt?.facts
            answer.redirectedFrom = redirection(reply)
            run.userInfo = .observed(answer)
        }
        return run
    }

    private static func record(_ reply: Reply, _ step: String, _ exchanges: inout [Exchange]) -> Int {
        let id = exchanges.count
        exchanges.append(
            Exchange(
                id: id,
                step: step,
                request: Exchange.Request(method: "GET", url: issuer + "/" + step),
                response: Exchange.Response(status: reply.status, headers: reply.headers, body: reply.text),
                startedAt: Double(now)
            )
        )
        return id
    }
}

/// One change, and the checks that must fail with it.
struct Flaw: Sendable, CustomStringConvertible {
    let trips: Set<CheckID>
    let description: String
    let change: @Sendable (inout RunModel) -> Void

    init(
        _ trips: CheckID...,
        what description: String? = nil,
        change: @escaping @Sendable (inout RunModel) -> Void
    ) {
        self.trips = Set(trips)
        self.description = description ?? trips.map(\.rawValue).joined(separator: ", ")
        self.change = change
    }

    var failures: Set<CheckID> {
        var model = RunModel.conformant
        change(&model)
        return model.failures
    }
}

/// A change that specifications permit, and the checks, if any, that may advise against it.
struct Liberty: Sendable, CustomStringConvertible {
    let description: String
    let advice: Set<CheckID>
    let change: @Sendable (inout RunModel) -> Void

    init(
        _ description: String,
        advice: Set<CheckID> = [],
        change: @escaping @Sendable (inout RunModel) -> Void
    ) {
        self.description = description
        self.advice = advice
        self.change = change
    }

    var failures: Set<CheckID> {
        var model = RunModel.conformant
        change(&model)
        return model.failures
    }
}

extension [Check] {
    /// The checks that the model covers: those of the flows and of single requests.
    ///
    /// The matrix tests check scenarios of several steps with a real provider.
    var aboutSingleRequests: [Check] {
        filter { check in
            check.needs.allSatisfy { need in
                guard case .probe(let id) = need else { return true }
                return id.rawValue.hasPrefix("probe.")
            }
        }
    }
}
