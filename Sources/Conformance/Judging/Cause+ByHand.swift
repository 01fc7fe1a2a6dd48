extension Cause {
    /// A sign-in by hand that was not completed.
    ///
    /// - Parameter page: A placeholder for the pages, which the run did not see.
    static func byHand(_ page: PageSummary, because why: String, _ exchange: Int?) -> Cause {
        Cause(
            .signIn,
            as: .byHand,
            "The sign-in by hand was not completed: \(page.stopped ?? why).",
            advice: page.nextStep ?? "Sign in again.",
            keys: ["sign_in.driver"],
            mayBeConfiguration: true,
            exchange: exchange
        )
    }
}
