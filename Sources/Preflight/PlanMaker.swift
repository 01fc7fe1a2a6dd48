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
        let madeUp = ClientAuthentication.allCases.flatMap { method in
            [true, false].filter { $0 || method != .none }.map { Scenario.madeUpCode(method, secretIsRight: $0) }
        }
        // Without a front-channel flow nobody has to refuse a missing nonce (Core section 3.2.2.1).
        let nonce = plan.target.flows.contains(where: \.hasIDToken) ? [Scenario.missingNonce] : []
        return scenarios
            + (Scenario.probes + madeUp + nonce).filter { plan.needs.contains(.probe($0.id)) && $0.tier <= plan.tier }
    }
}
