/// A user who signed in with one flow, but not with half of the ordinary requests.
///
/// An account, or its consents, may break during a run. Experiments with such a user prove nothing. Scenarios that begin with
/// an ordinary flow's request reveal it: they are later baselines.
struct UnstableAccount {
    let cause: Cause

    /// How many such requests must have ended at an error page, and half of all: few may have met a passing trouble.
    private static let fewest = 2

    init?(_ evidence: Evidence) {
        let flows = evidence.runs.filter { $0.scenario.isFlow }
        guard evidence.tier == .full, let through = flows.first(where: \.isLetIn) else { return nil }
        let baselines = evidence.runs.filter { run in
            if case .notAttempted = run.authorization { return false }
            // Only its own request shows anything.
            if run[.authorization]?.lentBy != nil { return false }
            return run.clientID == through.clientID && Scenario.named(run.scenario)?.beginsOrdinarily == true
        }
        let stopped = baselines.filter(\.endsAtErrorPage)
        guard stopped.count >= Self.fewest, stopped.count * 2 >= baselines.count, let last = stopped.last else {
            return nil
        }
        let page = last.authorization.value?.page ?? last.visits.last?.page
        var cause = Cause(
            .signIn,
            as: .unstableAccount,
            "The test user can no longer sign in, although the run signed in before: an ordinary request ends "
                + "at " + (page?.named ?? "an error page") + ".",
            words: page?.words,
            advice: "Check in your own browser whether the account, or its consents for the client, are broken at "
                + "the provider, and find out from its log since when.",
            keys: ["sign_in"],
            mayBeConfiguration: true,
            scenario: last.scenario,
            exchange: last.authorization.value?.exchange ?? last.visits.last?.exchange
        )
        cause.pages = last.met ?? []
        self.cause = cause
    }

    /// The run without the error pages, which this user may always get.
    func withheld(_ run: ScenarioRun) -> ScenarioRun {
        var run = run
        for index in run.steps.indices {
            guard let page = run.steps[index].authorization.value?.page, page.isError else { continue }
            run.steps[index].outcome = .absent(Reason(cause.message, of: cause))
        }
        return run
    }
}

extension Scenario {
    /// Whether it begins with the request of an ordinary flow, nothing changed, in a browser of its own or a shared one.
    fileprivate var beginsOrdinarily: Bool {
        guard !id.isFlow, client == .configured, let request = steps.first?.authorizationRequest else { return false }
        return request == AuthorizationRequest(responseType: request.responseType, session: request.session)
            && [.shared, .signIn].contains(request.session) && request.responseType?.hasCode != false
    }
}

extension ScenarioRun {
    fileprivate var isLetIn: Bool {
        authorization.value?.redirect.map { $0.isGrant && !$0.has("error") } ?? false
    }

    /// Whether its first request ended at an error page, with forms on the way or without.
    package var endsAtErrorPage: Bool {
        switch authorization {
        case .observed(let answer): answer.page?.isError ?? false
        case .absent: visits.last?.page?.isError ?? false
        case .notAttempted: false
        }
    }
}
