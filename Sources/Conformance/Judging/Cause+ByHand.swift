extension Cause {
    /// That nobody came back from a sign-in by hand.
    ///
    /// - Parameter page: What stands for the pages, which nobody here has seen.
    static func byHand(_ page: PageSummary, because why: String, _ exchange: Int?) -> Cause {
        Cause(
            .signIn,
            as: .byHand,
            "The sign-in by hand was not completed: \(page.stopped ?? why).",
            advice: page.nextStep ?? "Sign in once more.",
            keys: ["sign_in.driver"],
            mayBeOurs: true,
            exchange: exchange
        )
    }
}
