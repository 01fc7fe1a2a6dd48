import JSONTree

/// The state of a sign-in step in the ordinary scenarios of a run.
package struct SignInStepState: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        /// It ended as it should, with one flow at least.
        case succeeded
        /// A cause reports why it failed.
        case broken
        /// It stands on one that broke.
        case notReached
        /// The run did not go so far.
        case notTried
    }

    package var signInStep: Cause.SignInStep
    package var state: State

    package init(_ signInStep: Cause.SignInStep, _ state: State) {
        self.signInStep = signInStep
        self.state = state
    }
}

extension Facts {
    /// The sign-in steps in their order, and how far the ordinary scenarios got.
    package var signInSteps: [SignInStepState] {
        var isBroken = false
        return Cause.SignInStep.allCases.filter { $0 != .limit }
            .map { signInStep in
                let state: SignInStepState.State
                if signInSequence.causes.contains(where: { $0.signInStep == signInStep }) || isMissing(signInStep) {
                    state = .broken
                    isBroken = true
                } else {
                    state = hasSucceeded(signInStep) ? .succeeded : isBroken ? .notReached : .notTried
                }
                return SignInStepState(signInStep, state)
            }
    }

    /// Whether a document was looked for and could not be had, where no cause says so: then a check does.
    private func isMissing(_ signInStep: Cause.SignInStep) -> Bool {
        switch signInStep {
        case .discovery: if case .absent = metadata { true } else { false }
        case .keys: if case .absent = keySet { metadata.value != nil } else { false }
        default: false
        }
    }

    private func hasSucceeded(_ signInStep: Cause.SignInStep) -> Bool {
        let flows = collected.runs.filter(\.scenario.isFlow)
        switch signInStep {
        case .discovery: return metadata.value != nil
        case .keys: return keySet.value != nil
        case .authorizationRequest:
            let asked = flows + collected.runs.filter { $0.scenario == BaselineScenario.ordinaryRequest }
            return asked.contains { $0.authorization.value != nil || !$0.visits.isEmpty }
        case .signIn:
            return flows.contains { run in
                run.authorization.value?.redirect.map { $0.isRedirectURI && $0.error == nil } ?? false
            }
        case .clientAuthentication:
            let ordinary =
                flows + collected.runs.filter { BaselineScenario.isOrdinaryBogusCode($0.scenario, in: target) }
            return ordinary.contains { run in
                run.token.value.map { collected.isGrant($0) || json(of: $0)?["error"] == "invalid_grant" } ?? false
            }
        case .codeRedemption: return flows.contains { $0.token.value.map(collected.isGrant) ?? false }
        case .idToken: return flows.contains { $0.steps.contains { $0.idToken != nil } }
        case .userInfo: return flows.contains { $0.userInfo.value.map(collected.isGrant) ?? false }
        case .limit: return false
        }
    }
}
