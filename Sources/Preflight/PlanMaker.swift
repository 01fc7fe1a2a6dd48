internal import Catalogue
package import Conformance

/// Selects checks and derives the evidence to collect.
package enum PlanMaker {
    /// The plan of a run: the needs of the selected checks within the tier, and the scenarios that satisfy them.
    ///
    /// With `maxSignIns` the most expensive scenarios are dropped, and the checks that need them are skipped.
    static func plan(
        target: Target,
        profile: Profile,
        tier: Tier,
        threshold: Level = .error,
        selection: Selection = Selection(),
        waivers: [Waiver] = [],
        maxSignIns: Int? = nil,
        isByHand: Bool = false,
        asksOnce: Bool = false
    ) -> Plan {
        var plan = Plan(
            target: target,
            profile: profile,
            tier: tier,
            threshold: threshold,
            selection: selection,
            waivers: waivers
        )
        plan.asksOnce = asksOnce
        plan.needs = needs(of: plan)
        plan.scenarios = scenarios(for: plan)
        if isByHand {
            plan = plan.byHand
            plan.needs = needs(of: plan)
        }
        if let maxSignIns {
            plan = limited(plan, toSignIns: maxSignIns, for: selected(plan))
            plan.needs = needs(of: plan)
        }
        return plan
    }

    /// One plan that collects the evidence of several plans within the same limit; all else comes from the first.
    package static func joined(_ first: Plan, _ others: [Plan], maxSignIns: Int? = nil) -> Plan {
        var plan = first
        for other in others {
            plan.needs.formUnion(other.needs)
            plan.scenarios += other.scenarios.filter { scenario in !plan.scenarios.contains { $0.id == scenario.id } }
            plan.leftOut += other.leftOut.filter { left in !plan.leftOut.contains { $0.scenario == left.scenario } }
        }
        // A scenario dropped for one platform may be in the plan of another.
        plan.leftOut.removeAll { left in plan.scenarios.contains { $0.id == left.scenario } }
        return maxSignIns.map { limited(plan, toSignIns: $0, for: selected([first] + others)) } ?? plan
    }

    private static func limited(_ plan: Plan, toSignIns limit: Int, for checks: [Check]) -> Plan {
        plan.limited(toSignIns: limit) { id in checks.count { $0.needs.contains(.probe(id)) } }
    }

    private static func needs(of plan: Plan) -> Set<Need> {
        Set(selected(plan).flatMap(\.needs).filter { $0.tier <= plan.tier })
    }

    /// The checks that are skipped because a scenario is dropped; checks of all flows use the remaining flows.
    static func checksDropped(by leftOut: DroppedScenario) -> [Check] {
        Catalogue.all.filter { $0.needs.contains(.probe(leftOut.scenario)) }
    }

    /// The selected checks.
    static func selected(_ plan: Plan) -> [Check] {
        Catalogue.all.filter { plan.exclusion(of: $0) == nil }
    }

    /// The checks selected for any of several platforms.
    static func selected(_ plans: [Plan]) -> [Check] {
        Catalogue.all.filter { isSelected($0, in: plans) }
    }

    /// Whether the user's selection leaves no check.
    static func selectsNothing(_ plans: [Plan]) -> Bool {
        !Catalogue.all.contains { isSelected($0, in: plans) }
    }

    private static func isSelected(_ check: Check, in plans: [Plan]) -> Bool {
        plans.contains { $0.exclusion(of: check) == nil }
    }

    private static func scenarios(for plan: Plan) -> [Scenario] {
        var scenarios: [Scenario] = []
        if plan.needs.contains(.flows) { scenarios += plan.target.flows.map(Scenario.flow) }
        let experiments = Scenario.catalogue.filter { scenario in
            plan.needs.contains(.probe(scenario.id)) && scenario.tier <= plan.tier
                && scenario.whyUnmet(plan.target) == nil
        }
        return withBaselines(scenarios + experiments, of: plan)
    }

    /// The scenarios, and the baseline scenarios that must succeed before their results count.
    private static func withBaselines(_ scenarios: [Scenario], of plan: Plan) -> [Scenario] {
        var scenarios = scenarios
        for id in scenarios.compactMap({ BaselineScenario.of($0.id, in: plan.target, tier: plan.tier) })
        where !scenarios.contains(where: { $0.id == id }) {
            let flow = plan.target.flows.first { .flow($0) == id }.map(Scenario.flow)
            guard let baseline = flow ?? Scenario.named(id), baseline.whyUnmet(plan.target) == nil else { continue }
            scenarios.insert(baseline, at: 0)
        }
        return scenarios
    }
}
