/// The expected load of a run, or a part of it, on the provider.
package struct Estimate: Sendable, Hashable {
    package var requests = 0
    /// How many times a user's password is sent.
    package var signIns = 0
    /// Scenarios that send invalid or unusual requests on purpose.
    package var probes = 0

    static func + (left: Estimate, right: Estimate) -> Estimate {
        Estimate(
            requests: left.requests + right.requests,
            signIns: left.signIns + right.signIns,
            probes: left.probes + right.probes
        )
    }
}

extension Plan {
    /// The cost of the run that a tier adds to those below it.
    package func estimate(of tier: Tier) -> Estimate { Self.estimate(of: tier, requests) }

    private static func estimate(of tier: Tier, _ requests: [PlannedRequest]) -> Estimate {
        let sent = requests.filter { $0.tier == tier }
        var sum = sent.map(\.cost).reduce(Estimate(), +)
        sum.probes += Set(sent.filter { $0.cost.requests > 0 }.compactMap(\.scenario)).count { !$0.isFlow }
        return sum
    }

    /// The cost of the whole run.
    package var estimate: Estimate {
        let requests = requests
        return Tier.allCases.map { Self.estimate(of: $0, requests) }.reduce(Estimate(), +)
    }

    /// How many times a scenario sends a user's password at the most.
    func signIns(of scenario: Scenario) -> Int {
        requests(of: scenario).map(\.cost.signIns).reduce(0, +)
    }
}
