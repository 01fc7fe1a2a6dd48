internal import Conformance
internal import Flows
internal import Transport

extension PreflightRun {
    /// The requests of the run, step by step, and their cost.
    package var planText: String {
        let selected = PlanMaker.selected(plans)
        let names = plans.map(\.profile.name).joined(separator: ", ")
        let allowed = configuration.network.allowedIssuers
        let lines = [
            "Issuer     \(plan.target.issuer)\(allowed.map { "; secrets go only to \($0)" } ?? "")",
            "\(plans.count == 1 ? "Profile " : "Profiles")   \(names)",
            "Tier       \(plan.tier.rawValue)",
            "Checks     \(selected.count) of \(Self.checks.count)",
        ]
        let requests = documentLines + oauth1Lines + plan.scenarios.map(line)
        let hasSignIns = requests.contains { $0.contains("GET+") }
        let heading =
            "Requests" + (hasSignIns ? " (GET+ means that the test user signs in if the provider requires it)" : "")
        return (lines + placeholderLine + ["", heading] + requests + leftOutLines + [""] + costLines + traces)
            .joined(separator: "\n")
    }

    /// The keys with the placeholder of `init`, which a run rejects.
    private var placeholderLine: [String] {
        let values = [
            ("client.id", plan.target.client?.id), ("resource", plan.target.resource),
            ("redirect_uri", plan.target.redirectURI), ("sign_in.username", configuration.username),
        ]
        let open = values.filter { $0.1?.contains(Placeholder.mark) ?? false }.map(\.0).joined(separator: ", ")
        return open.isEmpty ? [] : ["Fill in    \(open): \(Placeholder.mark) is a placeholder, which check rejects"]
    }

    // MARK: Steps

    private var documentLines: [String] {
        let again = plan.needs.contains(.again) ? ", twice" : ""
        let agents: (PublicDocument) -> String = {
            plan.needs.contains(.agents($0)) ? $0.variations + ", and by HEAD" : ""
        }
        guard plan.profile.parameters.readsDiscovery else { return addressLines }
        let documents: [(Need, String)] = [(.discovery, agents(.discovery)), (.keys, agents(.keys))]
        return documents.compactMap { line($0, again + $1) }
            + [.serverMetadata, .protectedResource, .webFinger, .scripts, .addresses, .hosts].compactMap { line($0) }
    }

    /// The line of a need; `nil` if the plan does not have it.
    private func line(_ need: Need, _ more: String = "") -> String? {
        if need == .protectedResource, plan.target.webResource == nil { return nil }
        if need == .webFinger, plan.target.webFinger == nil { return nil }
        return plan.needs.contains(need) ? need.context.planLine.map { "  " + $0 + more } : nil
    }

    /// The known endpoints of a profile without a discovery document.
    private var addressLines: [String] {
        let known = plan.knownAddresses.map { "        \($0.member): \($0.address) (\($0.source.rawValue))" }
        return [line(.publication)].compactMap(\.self)
            + (known.isEmpty ? ["  none  no endpoint is known: configure them under endpoints"] : known)
    }

    private var oauth1Lines: [String] {
        [Need.oauth1(.temporaryCredentials), .oauth1(.signIns)].compactMap { line($0) }
    }

    private func line(_ scenario: Scenario) -> String {
        let requests = plan.requests(of: scenario)
        let count = scenario.steps.count { $0.title != nil }
        let steps = count == 0 ? "" : ", then \(counted(count, "further step"))"
        return "  \(method(of: scenario, requests))  \(scenario.title)\(steps)"
    }

    private func method(of scenario: Scenario, _ requests: [PlannedRequest]) -> String {
        guard let first = scenario.steps.first else { return "POST" }
        if first.title != nil { return "    " }
        let method = first.authorizationRequest?.usesPOST == true ? "POST" : "GET"
        let text =
            switch requests.first(where: { $0.step == first.id })?.part {
            case .user, .userIfAsked: method + (plan.tier == .full ? "+" : "")
            case .browser: method
            case .client, .pause, nil: "POST"
            }
        return text + String(repeating: " ", count: max(0, 4 - text.count))
    }

    // MARK: Left out

    private var leftOutLines: [String] {
        let byHand = plan.leftOut.filter { $0.isByHand == true }
        let byLimit = plan.leftOut.filter { $0.isByHand != true }
        let lines = leftOutLines(byHand, because: DroppedScenario.byHand)
        guard let limit = plan.signInLimit else { return lines }
        return lines + leftOutLines(byLimit, because: "the limit is \(counted(limit, "sign-in"))")
    }

    private func leftOutLines(_ leftOut: [DroppedScenario], because why: String) -> [String] {
        guard !leftOut.isEmpty else { return [] }
        return ["", "Dropped: \(why)"]
            + leftOut.flatMap { leftOut -> [String] in
                let lost = PlanMaker.checksDropped(by: leftOut)
                    .filter { check in plans.contains { $0.profile.includes(check.id) } }.map(\.id.rawValue)
                let cost = "  \(leftOut.title) (\(counted(leftOut.signIns, "sign-in")))"
                // Checks that read all flows use the remaining flows.
                guard !lost.isEmpty else {
                    return [cost, "    skips no check; only the observations of this flow are missing"]
                }
                return [cost, "    skips \(counted(lost.count, "check")): \(lost.joined(separator: ", "))"]
            }
    }

    // MARK: Cost

    private var costLines: [String] {
        let tiers = Tier.allCases.filter { $0 <= plan.tier }
        let whole = plan.estimate
        let rows =
            [("Tier", ["requests", "sign-ins", "probes"])]
            + tiers.map { ($0.rawValue, Self.cells(plan.estimate(of: $0))) }
            + (tiers.count > 1 ? [("total", Self.cells(whole))] : [])
        let table = rows.map { name, cells in
            name + String(repeating: " ", count: max(1, 17 - name.count)) + cells.map { Self.right($0, 10) }.joined()
        }
        let beyond =
            whole.requests > limits.requests
            ? [
                "The run stops after \(counted(limits.requests, "request")): increase limits.requests or --max-requests."
            ]
            : []
        return table + ["", "About \(counted(whole.requests, "request"))\(signInSummary(whole))\(pause(whole))"]
            + codes(whole)
            + [
                "Probes are deliberately invalid or unusual requests. Redirect URIs are never fetched."
            ] + beyond
    }

    private func signInSummary(_ estimate: Estimate) -> String {
        guard estimate.signIns > 0 else { return ". No sign-in takes place." }
        if plan.isByHand {
            let time = Int(configuration.signInSettings.manualTimeout.rounded(.up))
            return
                ". You are asked to sign in manually \(estimate.signIns == 1 ? "once" : "\(estimate.signIns) times"), each within "
                + "\(counted(time, "second")). The time limit excludes this wait."
        }
        let name = configuration.secrets.username.map(\.quoted) ?? "no user"
        return ", assuming one sign-in page and one consent page; up to "
            + "\(counted(estimate.signIns, "sign-in")) as \(name)"
            + (plan.signIns.allowed > estimate.signIns
                ? ", and at most \(plan.signIns.allowed) including retries." : ".")
            + withoutSession
    }

    private var withoutSession: String {
        let most = plan.signIns.allowedWithoutSession
        guard most > plan.signIns.allowed else { return "" }
        return
            " If the provider requires the password for every request, the run submits it about \(plan.signIns.plannedWithoutSession) times, "
            + "and at most \(most) times: \(plan.signIns.rate.words)."
    }

    /// The waiting time for one-time codes.
    private func codes(_ estimate: Estimate) -> [String] {
        guard let codePeriod = configuration.codePeriod, estimate.signIns > 0 else { return [] }
        let period = Int(codePeriod.rounded(.up))
        return [
            "Each sign-in needs a new one-time code, one every \(counted(period, "second")): up to "
                + "\(counted(Int(secondsForCodes.rounded(.up)), "second")) of waiting, which the time limit excludes."
        ]
    }

    /// The data that the run leaves at the provider.
    private var traces: [String] {
        guard plan.signIns.planned > 0 else { return [] }
        let clients =
            plan.target.dynamicRegistration?.isEnabled == true ? "; registered clients are deleted again" : ""
        return [
            "The run leaves sessions and consents of the test user at the provider, and codes and tokens that expire on their own"
                + "\(clients)."
        ]
    }

    private func pause(_ estimate: Estimate) -> String {
        let pause = configuration.network.pause
        guard pause > 0 else { return "" }
        let seconds = Int((Double(max(0, estimate.requests - 1)) * pause).rounded(.up))
        return " With the configured pause they take at least \(counted(seconds, "second"))."
    }

    private static func cells(_ estimate: Estimate) -> [String] {
        [estimate.requests, estimate.signIns, estimate.probes].map(String.init)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
