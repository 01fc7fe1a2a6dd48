package import Conformance

/// One sign-in and nothing else: the pages that it met, and how it ended.
package struct SignInTrial: Sendable {
    package enum End: Sendable {
        /// The provider sent the person back to the client, with what the client asked for.
        case granted(String)
        /// It did not get through.
        case stopped(Cause)
        /// The provider sent the person back with an error, or nothing was asked at all.
        case refused(String)
    }

    package let pages: [MetPage]
    package let end: End

    /// 0 when the sign-in was granted, else 2: what stops a sign-in says nothing of the provider alone.
    package var exitCode: Int {
        if case .granted = end { 0 } else { 2 }
    }
}

extension PreflightRun {
    /// A run of one sign-in, by the first of the flows; what it brings is not redeemed.
    package var signInTrial: PreflightRun {
        var plan = plan
        plan.selection = Selection(only: ["authorization"])
        plan.leftOut = []
        plan.needs = plan.profile.parameters.readsDiscovery ? [.discovery, .flows] : [.flows]
        plan.target.flows = Array(plan.target.flows.prefix(1))
        plan.scenarios = plan.target.flows.map { type in
            var scenario = Scenario.flow(type)
            scenario.steps = Array(scenario.steps.prefix(1))
            return scenario
        }
        var run = PreflightRun(self, sending: plan)
        run.tellsPages = true
        return run
    }

    /// What the evidence of ``signInTrial`` says.
    package func signInTrial(by evidence: Evidence) -> SignInTrial {
        let run = evidence.runs.first
        let facts = Facts(evidence, profile: plan.profile)
        return SignInTrial(pages: run?.met ?? [], end: Self.end(run, facts.ladder.causes.first.map(placed)))
    }

    private static func end(_ run: ScenarioRun?, _ cause: Cause?) -> SignInTrial.End {
        if let cause { return .stopped(cause) }
        guard let answer = run?.authorization.value else {
            return .refused(run?.authorization.whyNot?.text ?? "nothing was asked")
        }
        switch answer.ending {
        case .page(let page): return .refused("the request ended at \(page.phrase)")
        case .redirected(let redirect):
            let place = "came back to \(redirect.address.shown(limit: 120))"
            if let error = redirect.error { return .refused("\(place) with the error \(error.quoted)") }
            guard redirect.isRedirectURI else { return .refused("\(place), which is not the redirect URI asked for") }
            let brought = ["code", "id_token", "access_token", "response"].filter(redirect.has)
            return .granted(place + (brought.isEmpty ? "" : " with " + brought.joined(separator: ", ")))
        }
    }
}

extension SignInTrial {
    /// The pages in their order, each with what it showed and what was done, and the end.
    package var text: String {
        var lines: [String] = []
        var last = 0
        for page in pages {
            if page.number > last + 1 { lines.append("  pages \(last + 1) to \(page.number - 1) are left out") }
            last = page.number
            lines += page.lines.enumerated()
                .map { place, line in
                    (place == 0 ? "  page \(page.number)  ".padded(to: Self.margin) : Self.blank) + line
                }
        }
        if pages.isEmpty { lines.append("  No page was met.") }
        switch end {
        case .granted(let what): lines += ["", "Granted: \(what)."]
        case .refused(let what): lines += ["", "Not granted: \(what)."]
        case .stopped(let cause):
            lines += ["", "Not granted: \(cause.message.shown(limit: 500))"]
            if let words = cause.words, pages.isEmpty { lines.append("  it says  \(words.quoted)") }
            lines.append("  do       \(cause.advice.shown(limit: 500))")
            if !cause.places.isEmpty { lines.append("  see      \(cause.places.joined(separator: ", "))") }
        }
        return lines.joined(separator: "\n")
    }

    private static let margin = 11
    private static let blank = String(repeating: " ", count: margin)
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
