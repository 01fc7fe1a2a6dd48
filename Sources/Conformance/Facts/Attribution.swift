/// Whether a refusal is about the one thing that an experiment changes.
extension Facts {
    /// The reason why the refusal of an exchange says nothing of the change: its baselines are refused in the same way, or have no
    /// answer.
    ///
    /// - Returns: `nil` where a baseline was granted or refused for another reason, and where the exchange has none.
    func whyUnattributed(_ exchange: Int?) -> Reason? {
        guard let exchange, let (run, step) = collected.step(of: exchange),
            let planned = Scenario.named(run.scenario)?.step(step.id), !planned.baselines.isEmpty,
            case .refused(let refusal)? = collected.outcome(of: step, in: run)
        else { return nil }
        let places = planned.baselines.compactMap { baseline -> (run: ScenarioRun, step: StepRun)? in
            collected.place(of: baseline, beside: run)
        }
        // A baseline that nobody asked for leaves the refusal as it is.
        let outcomes = places.compactMap { place -> Outcome?? in
            if case .notAttempted = place.step.outcome { return nil }
            return .some(collected.outcome(of: place.step, in: place.run))
        }
        guard !outcomes.isEmpty else { return nil }
        let isAnswered = outcomes.contains { outcome in
            switch outcome {
            case .granted?: true
            case .refused(.error("invalid_grant"))? where planned.baselines.contains(.madeUpCode): true
            case .refused(let other)?: other != refusal
            case .open?, nil: false
            }
        }
        guard !isAnswered else { return nil }
        let title = places.first?.step.title ?? run.title
        if outcomes.contains(.refused(refusal)) {
            return
                "the same request without the change is refused in the same way (\(title)), so that this refusal says nothing of it"
        }
        // What broke the baseline is the reason here too.
        let reasons = places.compactMap { evidence.run($0.run.scenario)?[$0.step.id]?.outcome.whyNot }
        return "the same request without the change has no answer (\(title)): \(reasons.first ?? "it says nothing")"
    }
}

extension Evidence {
    fileprivate func step(of exchange: Int) -> (ScenarioRun, StepRun)? {
        for run in runs {
            if let step = run.steps.first(where: { $0.exchange == exchange }) { return (run, step) }
        }
        return nil
    }

    fileprivate func place(of baseline: Baseline, beside run: ScenarioRun) -> (run: ScenarioRun, step: StepRun)? {
        let other: ScenarioRun?
        let id: StepID
        switch baseline {
        case .step(let step): (other, id) = (run, step)
        case .stepOf(let scenario, let step): (other, id) = (self.run(scenario), step)
        case .madeUpCode:
            (other, id) = (runs.first { Control.isOrdinaryMadeUpCode($0.scenario, in: target) }, .token)
        }
        return other.flatMap { other in other[id].map { (other, $0) } }
    }

    /// The meaning of the answer to a step; `nil` where there is none.
    fileprivate func outcome(of step: StepRun, in run: ScenarioRun) -> Outcome? {
        let planned = Scenario.named(run.scenario)?.step(step.id)
        switch step.outcome.value {
        case .authorization(let answer)?:
            return Outcome(of: answer, to: planned?.authorizationRequest, in: self)
        case .answer(let answer)?:
            return exchange(answer.exchange)?.response
                .map {
                    Outcome(
                        of: $0,
                        answer.body.json,
                        exchange: answer.exchange,
                        endpoint: planned?.call?.endpoint,
                        in: self
                    )
                }
        case nil: return nil
        }
    }
}
