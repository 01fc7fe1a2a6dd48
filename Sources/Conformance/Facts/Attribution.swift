/// Whether a rejection is about the one thing that an experiment changes.
extension Facts {
    /// The reason why the rejection of an exchange says nothing about the change: its baselines are rejected in the same way,
    /// or have no response.
    ///
    /// - Returns: `nil` if a baseline was granted or rejected for another reason, and if the exchange has none.
    func whyUnattributed(_ exchange: Int?) -> Reason? {
        guard let exchange, let (run, step) = collected.step(of: exchange),
            let planned = Scenario.named(run.scenario)?.step(step.id),
            case .refused(let refusal)? = collected.meaning(of: step, in: run)
        else { return nil }
        // A baseline that was not sent does not change the verdict.
        let places = planned.baselines.compactMap { collected.place(of: $0, beside: run) }
            .filter(\.step.outcome.wasTried)
        guard let first = places.first else { return nil }
        let outcomes = places.map { collected.meaning(of: $0.step, in: $0.run) }
        let isAttributed = outcomes.contains { outcome in
            switch outcome {
            case .granted?: true
            case .refused(.error("invalid_grant"))? where planned.baselines.contains(.bogusCode): true
            case .refused(let other)?: other != refusal
            case .open?, nil: false
            }
        }
        if isAttributed { return nil }
        if outcomes.contains(.refused(refusal)) {
            return
                "the provider also rejects the baseline request (\(first.step.title)), so this rejection does not show that the change is rejected"
        }
        // The cause of the baseline's failure is the reason here too.
        let why: Reason =
            evidence.run(first.run.scenario)?[first.step.id]?.outcome.whyNot ?? "its response is inconclusive"
        return "the baseline request has no usable response (\(first.step.title)): \(why)"
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
        case .bogusCode:
            (other, id) = (runs.first { BaselineScenario.isOrdinaryBogusCode($0.scenario, in: target) }, .token)
        }
        return other.flatMap { other in other[id].map { (other, $0) } }
    }
}
