/// A scenario that a run leaves out, because it would cost too many sign-ins.
package struct DroppedScenario: Sendable, Hashable, Codable {
    package var scenario: ScenarioID
    package var title: String
    /// The sign-ins that it would have cost.
    package var signIns: Int
    /// The sign-ins that the run was allowed.
    package var limit: Int
    /// True if it needs visits with the user's own browser; `nil` for no.
    package var isByHand: Bool?

    package init(_ scenario: Scenario, signIns: Int, limit: Int, isByHand: Bool = false) {
        self.scenario = scenario.id
        self.title = scenario.title
        self.signIns = signIns
        self.limit = limit
        self.isByHand = isByHand ? true : nil
    }

    /// Why the checks that depend on it are skipped.
    var why: String {
        if isByHand == true { return "not tried, because \(Self.byHand): \(title)" }
        return "not tried, because at most \(limit) \(limit == 1 ? "sign-in was" : "sign-ins were") allowed: \(title)"
    }

    /// Why it is left out of a run whose sign-ins are made by hand.
    package static let byHand = "sign-in is by hand, and this needs further visits with the user's browser"
}

/// How fast the passwords of one user are sent.
///
/// Products limit correct sign-ins of one user as well: Auth0 to 20 in the first minute and then 10, WorkOS to 10 a minute.
package struct SignInRate: Sendable, Hashable {
    /// How many are sent in the first minute, without a pause.
    package var burst: Int
    /// Seconds between two later ones.
    package var interval: Double

    init(burst: Int, perMinute: Int) {
        self.burst = burst
        interval = 60 / Double(perMinute)
    }

    /// `8 in the first minute, then one every 6 seconds`.
    package var words: String {
        "\(burst) in the first minute, then one every \(Int(interval.rounded(.up))) \(interval > 1 ? "seconds" : "second")"
    }
}

/// How many times a plan sends a user's password, and how many times and how fast a run of it may.
package struct PlannedSignIns: Sendable, Hashable {
    /// The maximum at a provider with sessions; fewer if the provider rejects a request first.
    package let planned: Int
    /// As many as the user allows, else what the plan costs and some more, so that a scenario that failed in parallel can be
    /// repeated.
    package let allowed: Int
    /// How many times a provider without sessions, which requests the password with every authorization request, does so if
    /// it rejects each mistake first.
    package let plannedWithoutSession: Int
    package let allowedWithoutSession: Int
    /// As the user has set it, else below the limits of those products, unless the plan itself takes more.
    package let rate: SignInRate

    fileprivate init(_ plan: Plan) {
        let requests = plan.requests
        planned = requests.map(\.cost.signIns).reduce(0, +)
        let withRepetitions = planned == 0 ? 0 : planned + max(2, planned / 3)
        allowed = plan.isByHand ? planned : plan.signInLimit ?? withRepetitions
        plannedWithoutSession = requests.count { $0.mayRequirePassword && $0.takesUser }
        // Repetitions do not grow with the number of requests.
        let most = max(allowed, requests.count(where: \.mayRequirePassword) + 8)
        allowedWithoutSession = plan.isByHand || plan.signInLimit != nil ? allowed : most
        rate =
            plan.signInsPerMinute.map { SignInRate(burst: $0, perMinute: $0) }
            ?? SignInRate(burst: max(8, withRepetitions), perMinute: 10)
    }
}

extension Plan {
    package var signIns: PlannedSignIns { PlannedSignIns(self) }

    /// The plan for a sign-in by hand: one for each ordinary flow, and the requests that need no user.
    ///
    /// Cookies stay in the user's browser, so each further request that needs a session would be one more visit; there are some
    /// forty. If only a provider that requests the sign-in too early shows a page for a request, it runs as without a user.
    package var byHand: Plan {
        var plan = self
        plan.isByHand = true
        guard tier == .full else { return plan }
        let isLeft = { (scenario: Scenario) in
            !scenario.id.isFlow
                && requests(of: scenario).contains(where: \.takesUser)
        }
        plan.leftOut += plan.scenarios.filter(isLeft)
            .map { DroppedScenario($0, signIns: signIns(of: $0), limit: 0, isByHand: true) }
        plan.scenarios.removeAll(where: isLeft)
        return plan
    }

    /// Drops the most expensive scenarios until the plan fits the sign-in limit.
    ///
    /// The scenario with the most sign-ins per check that reads it goes first. Most checks depend on the ordinary flows: the
    /// last of them goes first and the first stays.
    ///
    /// - Parameters:
    ///   - limit: At least 1.
    ///   - worth: How many of the chosen checks read the scenario.
    package func limited(toSignIns limit: Int, worth: (ScenarioID) -> Int) -> Plan {
        var plan = self
        plan.signInLimit = limit
        while plan.signIns.planned > limit, let mostExpensive = plan.mostExpensive(worth) {
            let scenario = plan.scenarios.remove(at: mostExpensive)
            plan.leftOut.append(DroppedScenario(scenario, signIns: signIns(of: scenario), limit: limit))
        }
        return plan
    }

    private func mostExpensive(_ worth: (ScenarioID) -> Int) -> Int? {
        let prices = scenarios.map { Double(signIns(of: $0)) / Double(max(1, worth($0.id))) }
        let probes = scenarios.indices.filter { !scenarios[$0].leavesBrowser && prices[$0] > 0 }
        if let mostExpensive = probes.max(by: { (prices[$0], $0) < (prices[$1], $1) }) { return mostExpensive }
        let flows = scenarios.indices.filter { scenarios[$0].leavesBrowser }
        return flows.count > 1 ? flows.last : nil
    }
}
