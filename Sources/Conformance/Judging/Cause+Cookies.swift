extension Cause {
    /// The advice with the cookies that the provider set and browsers do not send back.
    ///
    /// They come first unless the page itself says what is wrong; a cookie for the provider's own pages alone explains no more than
    /// an error page.
    func advice(withCookiesOf run: ScenarioRun) -> String {
        let refused = run.visits.flatMap { $0.refusedCookies ?? [] }.map { "\($0.name.quoted) (\($0.flaw.words))" }
        let withheld = run.endsAtErrorPage ? run.visits.flatMap { $0.withheldCookies ?? [] } : []
        let names = (refused + withheld.map { "\($0.quoted) (SameSite=Strict)" })
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        guard !names.isEmpty else { return advice }
        let why =
            "Browsers do not return the provider's cookies \(names.prefix(3).joined(separator: ", ")) in this flow."
        return isRefusedPassword ? "\(advice) \(why)" : "\(why) \(advice)"
    }
}
