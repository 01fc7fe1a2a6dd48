import Conformance
import JSONTree
import SignIn
import Transport

/// The steps of a scenario, one after the other.
extension ScenarioRunner {
    /// Performs every step with whatever client there is.
    func runSteps(_ collected: inout CollectedRun) async {
        let whyNotOpened = whyNotOpened(collected)
        collected.captured.decryptionKeys = decryptionKeys
        for step in scenario.steps {
            if let lent, step.id == .authorization, whyNotOpened == nil, whyNotPerformed(step, collected) == nil {
                collected.take(lent)
                continue
            }
            let outcome =
                if let whyNotOpened {
                    whyNotOpened.observation() as Observation<StepRun.Outcome>
                } else {
                    await performNotingErrors(step, &collected)
                }
            if !step.isPause { collected.run[step.id]?.outcome = outcome }
            if case .authorize = step.request {
                collected.captured.end(
                    authorization: outcome,
                    scenario.responseType(of: step, in: target),
                    isForOfflineAccess: step.authorizationRequest.map(sendsOfflineAccess) ?? false
                )
            }
            if [.authorization, StepID.authorization.token].contains(step.id) {
                collected.openedAt = options.clock.uptime()
            }
            if step.call == .redeemCode { collected.captured.end(redemption: outcome) }
        }
    }

    private func performNotingErrors(
        _ step: Step,
        _ collected: inout CollectedRun
    ) async -> Observation<StepRun.Outcome> {
        let first = await http.recorder.count(in: lane)
        let outcome = await perform(step, &collected)
        if collected.brokeAt == nil, await !http.recorder.serverErrors(lane: lane, from: first).isEmpty {
            collected.brokeAt = step.id
        }
        return outcome
    }

    private func perform(_ step: Step, _ collected: inout CollectedRun) async -> Observation<StepRun.Outcome> {
        if let reason = whyNotPerformed(step, collected) { return reason.observation() }
        if pauses(before: step) { await collection.wait(Repetitions.breath) }
        let words = scenario.words(for: step.id)
        switch step.request {
        case .authorize(let request):
            return await authorize(request, step.id, words, &collected).map { .authorization($0) }
        case .endSession(let request):
            return await endSession(request, step.id, words, &collected).map { .authorization($0) }
        case .call(let request):
            let what =
                step.title != nil ? "" : request.endpoint == "token_endpoint" ? ": token request" : ": UserInfo request"
            return await call(request, step.id, words + what, &collected).map { .answer($0) }
        case .deleteClient: return await deleteClient(&collected).map { .answer($0) }
        case .wait(let seconds, let moment):
            let age = isBeforeAge(step) ? seconds + Double(options.secondsOfSignIn) : seconds
            let passed = await beginning(of: moment, collected).map { options.clock.uptime() - $0 } ?? 0
            if passed < age { await collection.wait(age - passed) }
        case .waitLong: await collection.wait(collection.plan.longWait ?? 0)
        }
        return .paused
    }

    /// When a pause began to count, by the run's clock; `nil` where it begins now.
    private func beginning(of moment: Step.PauseStart, _ collected: CollectedRun) async -> Double? {
        guard moment == .signIn, let signIn = await browser.signedInAt else { return collected.openedAt }
        // Before a repetition the user signed in to other browsers, and some providers keep one time for all of them.
        return attempt == .first ? signIn : max(signIn, collected.openedAt ?? signIn)
    }

    /// Whether a pause is to make the session older than the request after it allows.
    private func isBeforeAge(_ pause: Step) -> Bool {
        scenario.steps.drop { $0.id != pause.id }.dropFirst().first?.authorizationRequest?.hasExpiredAge ?? false
    }

    /// Whether an attempt with pauses waits before a step that may return a code or a token: some providers issue a new one
    /// only every second.
    private func pauses(before step: Step) -> Bool {
        guard case .withPauses(let broken) = attempt else { return false }
        let ids = scenario.steps.map(\.id)
        if let broken = broken.flatMap(ids.firstIndex), let place = ids.firstIndex(of: step.id),
            place < broken - 1
        {
            return false
        }
        return switch step.request {
        case .authorize:
            scenario.step(step.id.token) != nil || scenario.responseType(of: step, in: target).isFrontChannel
        case .call(let call): call.endpoint == "token_endpoint"
        case .endSession, .deleteClient, .wait, .waitLong: false
        }
    }

    /// Why a scenario is not begun if none of its later steps would run; `nil` for every other.
    private func whyNotOpened(_ collected: CollectedRun) -> Reason? {
        let reasons = scenario.ledSteps.map { whyNotPerformed(scenario.steps[$0], collected) }
        return reasons.allSatisfy { $0 != nil } ? reasons.first ?? nil : nil
    }

    private func whyNotPerformed(_ step: Step, _ collected: CollectedRun) -> Reason? {
        if Task.isCancelled {
            return .absent(Conformance.Reason("the run was interrupted before this step", .interrupted))
        }
        if let reason = whyUnmet(scenario.requires) { return reason }
        if let why = planned.first(where: { $0.step == step.id })?.whyNot { return .notAttempted(why) }
        if let reason = whyUnmet(step.requires) { return reason }
        if let earlier = step.unlessSilent, collected.run[earlier]?.cameThroughSilently == true {
            return .notAttempted("an ordinary request has already succeeded without a sign-in")
        }
        if let earlier = step.ifSilent, collected.run[earlier]?.filledCredentials == true {
            return .notAttempted("a request without it requires the password as well")
        }
        if let earlier = step.unlessGranted, let why = whyNotSplit(earlier, collected) { return why }
        let before = scenario.steps.prefix { $0.id != step.id }
        if before.contains(where: { $0.request == .deleteClient }), !collected.left.isEmpty {
            return .notAttempted("the client could not be deleted")
        }
        return nil
    }
}

extension ScenarioRunner {
    /// Why the parts of a combined request need not be sent separately: it was granted, or one with still more was, or it got
    /// no response; `nil` if it must be split.
    private func whyNotSplit(_ joint: StepID, _ collected: CollectedRun) -> Reason? {
        if let more = scenario.step(joint)?.unlessGranted, let why = whyNotSplit(more, collected) { return why }
        if collected.unanswered.contains(joint) {
            return .absent("a combined request that includes this got no response")
        }
        let run = collected.run[joint]
        return run?.cameThroughWithItsState == true || run?.wasReadAsBogus == true
            ? .notAttempted("a combined request that includes this was granted") : nil
    }
}

extension StepRun {
    /// Whether the client got the requested response, without a sign-in.
    fileprivate var cameThroughSilently: Bool { !filledCredentials && authorization.value?.redirect?.isGrant == true }

    /// Whether a token request was rejected only because of its bogus code.
    fileprivate var wasReadAsBogus: Bool { answer.value?.body.json?["error"] == "invalid_grant" }

    /// Whether the client got the requested response, with the state that it had sent.
    fileprivate var cameThroughWithItsState: Bool {
        guard let redirect = authorization.value?.redirect, redirect.isGrant, !redirect.has("error") else {
            return false
        }
        return redirect.values("state") == sent.filter { $0.name == "state" }.map(\.value)
    }
}
