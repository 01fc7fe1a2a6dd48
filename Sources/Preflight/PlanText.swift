internal import Conformance
internal import Flows

extension PreflightRun {
    /// What the run would send, step by step, and what it costs.
    package var planText: String {
        let selected = PlanMaker.selected(plan)
        var lines = [
            "Issuer     \(plan.target.issuer)",
            "Profile    \(plan.profile.name)",
            "Tier       \(plan.tier.rawValue)",
            "Checks     \(selected.count) of \(Self.checks.count)",
            "",
            "Requests",
        ]
        lines += documentLines + plan.scenarios.map { "  \(cost(of: $0))  \($0.title)" }
        if selected.isEmpty { lines.append("  none: no check is chosen") }
        let scenarioRequests = plan.scenarios.map(requests).reduce(0, +)
        lines += [
            "",
            "About \(documentLines.count + scenarioRequests) requests and the pages of \(signIns) sign-ins "
                + "as \(configuration.secrets.username.map(\.quoted) ?? "nobody").",
            "No redirect URI is ever fetched.",
        ]
        return lines.joined(separator: "\n")
    }

    private var signIns: Int { plan.scenarios.map(\.signIns).reduce(0, +) }

    private var documentLines: [String] {
        let again = plan.needs.contains(.again) ? ", twice" : ""
        return [
            plan.needs.contains(.discovery) ? "  GET   the discovery document\(again)" : nil,
            plan.needs.contains(.keys) ? "  GET   the key set\(again)" : nil,
            plan.needs.contains(.hosts) ? "  TLS   one connection to every other host of the metadata" : nil,
        ]
        .compactMap { $0 }
    }

    private func cost(of scenario: Scenario) -> String {
        switch scenario.kind {
        case .madeUpCode: "POST"
        case .authorization(let request): request.session == .signIn ? "GET+" : "GET "
        }
    }

    /// Requests besides the pages of the sign-in.
    private func requests(_ scenario: Scenario) -> Int {
        guard case .authorization(let request) = scenario.kind, request.redeemsCode else { return 1 }
        return 3
    }
}
