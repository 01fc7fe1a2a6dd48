internal import Catalogue
package import Conformance

/// Chooses checks and derives from them what must be collected.
package enum PlanMaker {
    /// The plan of a run: the chosen checks' needs within the tier, and the conversations that satisfy them.
    package static func plan(
        target: Target,
        profile: Profile,
        tier: Tier,
        threshold: Level = .error,
        selection: Selection = Selection(),
        waivers: [Waiver] = []
    ) -> Plan {
        var plan = Plan(
            target: target,
            profile: profile,
            tier: tier,
            threshold: threshold,
            selection: selection,
            waivers: waivers
        )
        let needs = Catalogue.all.filter { plan.exclusion(of: $0) == nil }.flatMap(\.needs)
        plan.needs = Set(needs.filter { $0.tier <= tier })
        plan.scenarios = scenarios(for: plan)
        return plan
    }

    /// The checks that take part.
    package static func selected(_ plan: Plan) -> [Check] {
        Catalogue.all.filter { plan.exclusion(of: $0) == nil }
    }

    private static func scenarios(for plan: Plan) -> [Scenario] {
        var scenarios: [Scenario] = []
        if plan.needs.contains(.flows) { scenarios += plan.target.flows.map(Scenario.flow) }
        return scenarios
            + Scenario.catalogue.filter { scenario in
                plan.needs.contains(.probe(scenario.id)) && scenario.tier <= plan.tier
                    && scenario.whyUnmet(plan.target) == nil
            }
    }
}
