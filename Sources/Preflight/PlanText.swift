internal import Conformance
internal import Flows
internal import Transport

extension PreflightRun {
    /// What the run would send, step by step, and what it costs.
    package var planText: String {
        let selected = PlanMaker.selected(plans)
        let names = plans.map(\.profile.name).joined(separator: ", ")
        let lines = [
            "Issuer     \(plan.target.issuer)",
            "\(plans.count == 1 ? "Profile " : "Profiles")   \(names)",
            "Tier       \(plan.tier.rawValue)",
            "Checks     \(selected.count) of \(Self.checks.count)",
            "",
        ]
        let requests = documentLines + oauth1Lines + plan.scenarios.map(line)
        let hasSignIns = requests.contains { $0.contains("GET+") }
        let heading =
            "Requests" + (hasSignIns ? " (GET+ where the test user signs in, if the provider asks for it)" : "")
        return (lines + [heading] + requests + leftOutLines + [""] + costLines + traces).joined(separator: "\n")
    }

    // MARK: Steps

    private var documentLines: [String] {
        let again = plan.needs.contains(.again) ? ", twice" : ""
        let agents: (PublicDocument) -> String = {
            plan.needs.contains(.agents($0)) ? ", and as a client without a name and as a browser" : ""
        }
        guard plan.profile.parameters.readsDiscovery else { return addressLines }
        let documents: [(Need, String)] = [(.discovery, agents(.discovery)), (.keys, agents(.keys))]
        return documents.compactMap { line($0, again + $1) }
            + [.serverMetadata, .scripts, .addresses, .hosts].compactMap { line($0) }
    }

    /// The line of a need that the plan has; `nil` for another.
    private func line(_ need: Need, _ more: String = "") -> String? {
        plan.needs.contains(need) ? need.about.planLine.map { "  " + $0 + more } : nil
    }

    /// A profile without a discovery document: what is known in its place.
    private var addressLines: [String] {
        let known = plan.knownAddresses.map { "        \($0.member): \($0.address) (\($0.source.rawValue))" }
        return [line(.publication)].compactMap(\.self)
            + (known.isEmpty ? ["  none  no address is known: name them under endpoints"] : known)
    }

    private var oauth1Lines: [String] {
        [Need.oauth1(.temporaryCredentials), .oauth1(.signIns)].compactMap { line($0) }
    }

    private func line(_ scenario: Scenario) -> String {
        let requests = plan.requests(of: scenario)
        let count = scenario.steps.count { $0.title != nil }
        let steps = count == 0 ? "" : ", and \(counted(count, "step")) after it"
        return "  \(method(of: scenario, requests))  \(scenario.title)\(steps)"
    }

    private func method(of scenario: Scenario, _ requests: [PlannedRequest]) -> String {
        guard let first = scenario.steps.first else { return "POST" }
        if first.title != nil { return "    " }
        return switch requests.first(where: { $0.step == first.id })?.part {
        case .user, .userIfAsked: plan.tier == .full ? "GET+" : "GET "
        case .browser: "GET "
        case .client, .pause, nil: "POST"
        }
    }

    // MARK: Left out

    private var leftOutLines: [String] {
        let byHand = plan.leftOut.filter { $0.isByHand == true }
        let byLimit = plan.leftOut.filter { $0.isByHand != true }
        let lines = leftOutLines(byHand, because: LeftOut.byHand)
        guard let limit = plan.signInLimit else { return lines }
        return lines + leftOutLines(byLimit, because: "at most \(counted(limit, "sign-in")) may be made")
    }

    private func leftOutLines(_ leftOut: [LeftOut], because why: String) -> [String] {
        guard !leftOut.isEmpty else { return [] }
        return ["", "Left out, because \(why)"]
            + leftOut.flatMap { leftOut -> [String] in
                let lost = PlanMaker.lost(to: leftOut)
                    .filter { check in plans.contains { $0.profile.includes(check.id) } }.map(\.id.rawValue)
                let cost = "  \(leftOut.title) (\(counted(leftOut.signIns, "sign-in")))"
                // What a flow shows is read by checks that read all flows: they are judged by those that are left.
                guard !lost.isEmpty else { return [cost, "    costs what only this flow could show"] }
                return [cost, "    costs \(counted(lost.count, "check")): \(lost.joined(separator: ", "))"]
            }
    }

    // MARK: Cost

    private var costLines: [String] {
        let tiers = Tier.allCases.filter { $0 <= plan.tier }
        let whole = plan.estimate
        let rows =
            [("Tier", ["requests", "sign-ins", "probes"])]
            + tiers.map { ($0.rawValue, Self.cells(plan.estimate(of: $0))) }
            + (tiers.count > 1 ? [("together", Self.cells(whole))] : [])
        let table = rows.map { name, cells in
            name + String(repeating: " ", count: max(1, 17 - name.count)) + cells.map { Self.right($0, 10) }.joined()
        }
        let beyond =
            whole.requests > limits.requests
            ? ["The run ends after \(counted(limits.requests, "request")): raise limits.requests or --max-requests."]
            : []
        return table + ["", "About \(counted(whole.requests, "request"))\(people(whole))\(pause(whole))"]
            + codes(whole)
            + [
                "Probes ask for something wrong or unusual on purpose. No redirect URI is ever fetched."
            ] + beyond
    }

    private func people(_ estimate: Estimate) -> String {
        guard estimate.signIns > 0 else { return ". Nobody signs in." }
        if plan.isByHand {
            let time = Int(configuration.conduct.manualTimeout.rounded(.up))
            return
                ". Somebody is asked to sign in \(estimate.signIns == 1 ? "once" : "\(estimate.signIns) times") by hand, each within "
                + "\(counted(time, "second")), which the limit of time does not count."
        }
        let name = configuration.secrets.username.map(\.quoted) ?? "nobody"
        return ", for a provider with one page to sign in and one to consent; up to "
            + "\(counted(estimate.signIns, "sign-in")) as \(name)"
            + (plan.signInAllowance > estimate.signIns
                ? ", and never more than \(plan.signInAllowance) with what has to be held again." : ".")
            + withoutSession
    }

    private var withoutSession: String {
        let most = plan.signInAllowanceWithoutSession
        guard most > plan.signInAllowance else { return "" }
        return
            " A provider that asks for the password with every request gets it about \(plan.signInsWithoutSession) times, and never more "
            + "than \(most): \(plan.signInRate.words)."
    }

    /// How long the sign-ins take by their one-time codes alone.
    private func codes(_ estimate: Estimate) -> [String] {
        guard let codePeriod = configuration.codePeriod, estimate.signIns > 0 else { return [] }
        let period = Int(codePeriod.rounded(.up))
        return [
            "Each sign-in takes a one-time code of its own, one every \(counted(period, "second")): up to "
                + "\(counted(Int(secondsForCodes.rounded(.up)), "second")) of waiting, which the limit of time does not count."
        ]
    }

    /// What the run leaves behind at the provider.
    private var traces: [String] {
        guard plan.signIns > 0 else { return [] }
        let clients =
            plan.target.dynamicRegistration?.isEnabled == true ? "; clients that it registers are deleted again" : ""
        return [
            "At the provider it leaves sessions and the client's consents with the account, and codes and tokens that expire by themselves"
                + "\(clients)."
        ]
    }

    private func pause(_ estimate: Estimate) -> String {
        let pause = configuration.network.pause
        guard pause > 0 else { return "" }
        let seconds = Int((Double(max(0, estimate.requests - 1)) * pause).rounded(.up))
        return " With the pause between them they take at least \(counted(seconds, "second"))."
    }

    private static func cells(_ estimate: Estimate) -> [String] {
        [estimate.requests, estimate.signIns, estimate.probes].map(String.init)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
