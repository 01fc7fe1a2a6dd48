internal import Catalogue
package import Conformance

/// The first requests of a run only, to test the configuration and an ordinary sign-in.
///
/// Every run starts with them. Most errors are configuration mistakes, so the trial reports each step of an ordinary sign-in,
/// up to the first failure.
package struct Trial: Sendable {
    /// One step of an ordinary sign-in.
    package struct SignInStep: Sendable {
        package enum State: Sendable {
            case ok(String)
            /// The step failed; the cause says whether the configuration may be wrong.
            case broken(Cause)
            /// The provider's response is invalid.
            case wrong([Finding])
            case notTried(String)
        }

        package var name: String
        var state: State

        var isBroken: Bool { if case .broken = state { true } else { false } }
    }

    let signInSteps: [SignInStep]
    /// The keys that the configuration lacks for a sign-in.
    let lacking: [String]

    /// 0 if every executed step succeeded, 1 if the provider is at fault, 2 if the configuration may be.
    package var exitCode: Int {
        var code = 0
        for signInStep in signInSteps {
            switch signInStep.state {
            case .broken(let cause) where cause.mayBeConfiguration: return 2
            case .broken, .wrong: code = 1
            case .ok, .notTried: continue
            }
        }
        return code
    }

    /// The stages whose checks each step reports, beside its root cause.
    fileprivate static let stages: [Cause.SignInStep: Stage] = [
        .discovery: .discovery, .keys: .keys, .authorizationRequest: .authorization, .codeRedemption: .token,
        .idToken: .idtoken, .userInfo: .userinfo,
    ]
}

extension PreflightRun {
    /// A run of the first requests: the documents and one ordinary sign-in; without a user, an authorization request and a
    /// bogus code.
    package var trial: PreflightRun {
        var plan = plan
        plan.selection = Selection(only: Trial.stages.values.map { CheckPattern($0.rawValue) })
        plan.leftOut = []
        plan.needs = plan.profile.parameters.readsDiscovery ? [.discovery, .keys] : []
        if plan.tier == .full {
            plan.needs.insert(.flows)
            let types = plan.target.flows
            plan.target.flows = (types.first(where: \.hasCode) ?? types.first).map { [$0] } ?? []
            plan.scenarios = plan.target.flows.map(Scenario.flow)
        } else if plan.tier == .unauthenticated {
            let method = plan.target.client(for: "code")?.authentication ?? .none
            let ids = [BaselineScenario.ordinaryRequest, .bogusCode(method, secretIsRight: true)]
            plan.scenarios = ids.compactMap(Scenario.named).filter { $0.whyUnmet(plan.target) == nil }
        } else {
            plan.scenarios = []
        }
        return PreflightRun(self, sending: plan)
    }

    /// The result of ``trial``, step by step.
    package func trial(by evidence: Evidence, now: Double) -> Trial {
        let facts = Facts(evidence, profile: plan.profile)
        let report = judge(evidence, now: now)
        var signInSteps: [Trial.SignInStep] = []
        func add(_ name: String, _ state: Trial.SignInStep.State) {
            signInSteps.append(Trial.SignInStep(name: name, state: state))
        }
        let causes = report.causes
        func signInStep(_ signInStep: Cause.SignInStep, _ state: @autoclosure () -> Trial.SignInStep.State) {
            guard let cause = causes.first, cause.signInStep <= signInStep else {
                // A root cause is the first failure that a user reads.
                let findings = causes.isEmpty ? findings(of: signInStep, report) : nil
                return add(signInStep.rawValue, findings ?? state())
            }
            add(signInStep.rawValue, .broken(cause))
        }
        let run = evidence.runs.first
        let token = evidence.runs.lazy.compactMap(\.token.value).first
        let missing = evidence.wrongIssuerAdvice.map {
            let why = facts.metadata.whyNot?.text ?? ""
            return placed(Cause(.discovery, why, advice: $0, keys: ["issuer"], mayBeConfiguration: true))
        }
        signInStep(.discovery, Self.state(of: facts.metadata, otherwise: missing) { _ in plan.target.issuer })
        signInStep(.keys, Self.state(of: facts.keySet) { counted($0.keys.count, "key") })
        signInStep(
            .authorizationRequest,
            causes.isEmpty
                ? Self.state(of: run?.authorization ?? .notAttempted(whyNotTried)) { Self.reported($0) }
                : .ok(run?.authorization.value.map(Self.reported) ?? "accepted")
        )
        signInStep(.signIn, signIn(evidence, run))
        signInStep(
            .clientAuthentication,
            token == nil
                ? .notTried(run?.token.whyNot?.text ?? whyNotTried)
                : .ok("client \((plan.target.client?.id ?? "").quoted) by \(method)")
        )
        signInStep(.codeRedemption, plan.tier == .full && token != nil ? .ok("tokens") : .notTried(whyNotTried))
        for (step, stage) in [(Cause.SignInStep.idToken, Stage.idtoken), (.userInfo, .userinfo)] {
            let cause = causes.first { $0.signInStep == step }
            add(stage.title, cause.map { .broken($0) } ?? findings(of: step, report) ?? state(of: stage, report))
        }
        if let limit = causes.first(where: { $0.signInStep == .limit }) {
            add(limit.signInStep.rawValue, .broken(limit))
        }
        return Trial(
            signInSteps: Self.skippingAfterFailure(signInSteps),
            lacking: configuration.missing(for: .full)
        )
    }

    private var method: String { plan.target.client(for: "code")?.authentication.rawValue ?? "its method" }

    /// Why there is no sign-in.
    private var whyNotTried: String {
        if plan.tier == .full { return "an earlier step did not provide its input" }
        let missing = configuration.missing(for: .full)
        return missing.isEmpty
            ? "tier \(plan.tier.rawValue) has no sign-in"
            : "the configuration lacks \(missing.joined(separator: ", "))"
    }

    private func signIn(_ evidence: Evidence, _ run: ScenarioRun?) -> Trial.SignInStep.State {
        guard plan.tier == .full, let answer = run?.authorization.value else { return .notTried(whyNotTried) }
        guard answer.redirect?.isRedirectURI == true else {
            return .notTried("the authorization request was not completed")
        }
        if plan.isByHand { return .ok("one manual sign-in") }
        return .ok(evidence.signIns == 0 ? "the provider required no password" : "one sign-in")
    }

    private static func reported(_ answer: AuthorizationAnswer) -> String {
        switch answer.ending {
        case .page(let page): "the provider returned \(page.phrase)"
        case .redirected(let redirect):
            "the provider redirected to \(redirect.address.shown(limit: 120))"
                + (redirect.error.map { " with the error \($0.quoted)" } ?? "")
        }
    }

    private static func state<Value>(
        of observation: Observation<Value>,
        otherwise cause: Cause? = nil,
        _ words: (Value) -> String
    ) -> Trial.SignInStep.State {
        switch observation {
        case .observed(let value): .ok(words(value))
        case .absent(let why):
            .broken(
                cause ?? Cause(.discovery, why.text, advice: "Run “check” for all findings.", mayBeConfiguration: false)
            )
        case .notAttempted(let why): .notTried(why.text)
        }
    }

    /// The findings that break sign-in at a step, and every blocking one of the tokens; `nil` if there is none.
    private func findings(of step: Cause.SignInStep, _ report: Report) -> Trial.SignInStep.State? {
        guard let stage = Trial.stages[step] else { return nil }
        let isOfTokens = step >= .idToken
        let findings = report.entries
            .filter { $0.stage == stage && $0.closesGate && (isOfTokens || $0.consequence == .signIn) }
            .flatMap(\.verdict.findings)
        return findings.isEmpty ? nil : .wrong(findings)
    }

    /// The number of passed checks of a stage.
    private func state(of stage: Stage, _ report: Report) -> Trial.SignInStep.State {
        let passed = report.entries.count { $0.stage == stage && $0.verdict == .passed }
        guard passed > 0 else { return .notTried(whyNotTried) }
        return .ok("\(counted(passed, "check")) passed")
    }

    /// Marks all steps after the first failure as skipped.
    private static func skippingAfterFailure(_ signInSteps: [Trial.SignInStep]) -> [Trial.SignInStep] {
        var isBroken = false
        return signInSteps.map { signInStep in
            var signInStep = signInStep
            if isBroken { signInStep.state = .notTried("it depends on the failed step") }
            // After invalid content the run goes on; without a response it cannot.
            isBroken = isBroken || signInStep.isBroken
            return signInStep
        }
    }
}
