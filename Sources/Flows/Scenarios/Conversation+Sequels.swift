import Conformance
import JSONTree

/// The steps after a scenario's opening.
extension Conversation {
    func follow(_ sequel: Sequel, _ collected: inout CollectedRun) async {
        var run = SequelRun(sequel, because: "this step asks another endpoint")
        if let reason = whyNotFollowed(sequel) {
            run.authorization = reason.observation()
            run.answer = reason.observation()
        } else {
            let step = "\(scenario.title), then \(sequel.title)"
            if pause > 0, brings(sequel) { await collection.wait(pause) }
            switch sequel.action {
            case .authorize(let request):
                let asked = await ask(request, step: step, place: .laterAuthorization(sequel.id), &collected)
                run.sent = asked.sent
                run.authorization = asked.answer
                run.filledCredentials = asked.filledCredentials
                if request.redeemsCode, asked.answer.value != nil {
                    run.answer = await call(
                        .redeemCode,
                        step: step + ": token request",
                        .laterAnswer(sequel.id),
                        &collected
                    )
                }
            case .call(let request):
                run.answer = await call(request, step: step, .laterAnswer(sequel.id), &collected)
            case .endSession(let request):
                let asked = await endSession(request, step: step, &collected)
                run.sent = asked.sent
                run.authorization = asked.answer
            case .wait(let seconds): await collection.wait(seconds)
            case .waitLong: await collection.wait(options.longWait ?? 0)
            }
        }
        collected.run.sequels.append(run)
    }

    /// Whether a step may bring a code or a token, which some providers make anew only with every second.
    private func brings(_ sequel: Sequel) -> Bool {
        switch sequel.action {
        case .authorize(let request):
            request.redeemsCode || (request.responseType ?? responseType).isFrontChannel
        case .call(let call): call.endpoint == "token_endpoint"
        case .endSession, .wait, .waitLong: false
        }
    }

    private func whyNotFollowed(_ sequel: Sequel) -> Reason? {
        if Task.isCancelled { return .absent("the run was interrupted before this step") }
        if let reason = whyPointless { return reason }
        if let why = sequel.conditions.lazy.compactMap({ $0.whyUnmet(target) }).first { return .notAttempted(why) }
        if let reason = whyUnmet(sequel.requires) { return reason }
        guard options.longWait == nil else { return nil }
        // Whatever comes after a long wait that was not waited for would say something else.
        let steps = scenario.sequels + scenario.afterDeletion
        let place = steps.firstIndex { $0.id == sequel.id } ?? steps.endIndex - 1
        let isLate = steps.prefix(place + 1).contains { $0.action == .waitLong }
        return isLate ? .notAttempted("it waits for half a minute, which only a run with --patient does") : nil
    }
}
