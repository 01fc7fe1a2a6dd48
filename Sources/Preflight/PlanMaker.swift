internal import Catalogue
package import Conformance

/// Chooses checks and derives from them what must be collected.
package enum PlanMaker {
    /// The plan of a run: the chosen checks' needs within the tier, and the conversations that satisfy them.
    ///
    /// With `maxSignIns` the dearest conversations are left out, and the checks that only they can be judged by.
    package static func plan(
        target: Target,
        profile: Profile,
        tier: Tier,
        threshold: Level = .error,
        selection: Selection = Selection(),
        waivers: [Waiver] = [],
        maxSignIns: Int? = nil
    ) -> Plan {
        var plan = Plan(
            target: target,
            profile: profile,
            tier: tier,
            threshold: threshold,
            selection: selection,
            waivers: waivers
        )
        plan.needs = needs(of: plan)
        plan.scenarios = scenarios(for: plan)
        if let maxSignIns {
            let chosen = selected(plan)
            plan = plan.limited(toSignIns: maxSignIns) { id in chosen.count { $0.needs.contains(.probe(id)) } }
            plan.needs = needs(of: plan)
        }
        return plan
    }

    private static func needs(of plan: Plan) -> Set<Need> {
        Set(selected(plan).flatMap(\.needs).filter { $0.tier <= plan.tier })
    }

    /// The checks that are not judged because a conversation is left out; those of all flows are judged by the others.
    package static func lost(to leftOut: LeftOut) -> [Check] {
        Catalogue.all.filter { $0.needs.contains(.probe(leftOut.scenario)) }
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
