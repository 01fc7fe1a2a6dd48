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
        lines += ["", costs, "No redirect URI is ever fetched."]
        return lines.joined(separator: "\n")
    }

    private var costs: String {
        let documents =
            [Need.discovery, .keys].count { plan.needs.contains($0) } * (plan.needs.contains(.again) ? 2 : 1)
        let requests = "About \(documents + plan.scenarios.map(requests).reduce(0, +)) requests"
        guard plan.signIns > 0 else { return requests + ". Nobody signs in." }
        return requests + ", and the pages of up to \(plan.signIns) sign-ins as "
            + "\(configuration.secrets.username.map(\.quoted) ?? "nobody") (at GET+, if the provider asks for one)."
    }

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
        case .nothing: "    "
        case .authorization(let request): request.session != .none && plan.tier == .full ? "GET+" : "GET "
        }
    }

    /// Requests besides the pages of the sign-in: the authorization request, the token request and UserInfo.
    private func requests(_ scenario: Scenario) -> Int {
        guard case .authorization(let request) = scenario.kind, request.session == .signIn, request.sendsNonce,
            let type = request.responseType
        else { return 1 }
        return 1 + (request.redeemsCode ? 1 : 0) + (request.redeemsCode || type.hasToken ? 1 : 0)
    }
}
