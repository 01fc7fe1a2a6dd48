extension Cause {
    /// The cookies that the provider set and browsers do not send back; `nil` where there are none.
    static func cookies(of run: ScenarioRun) -> String? {
        let refused = run.visits.flatMap { $0.refusedCookies ?? [] }.map { "\($0.name.quoted) (\($0.flaw.words))" }
        let withheld = run.visits.flatMap { $0.withheldCookies ?? [] }.map { "\($0.quoted) (SameSite=Strict)" }
        let names = (refused + withheld).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard !names.isEmpty else { return nil }
        return
            "Look at the cookies first: browsers do not send back \(names.prefix(3).joined(separator: ", ")) on this way."
    }
}
