/// Access tokens that UserInfo does not know.
extension Cause {
    static func userInfo(_ run: ScenarioRun, in evidence: Evidence) -> Cause? {
        guard let answer = run.userInfo.value, !evidence.isGrant(answer),
            let response = evidence.exchange(answer.exchange)?.response
        else { return nil }
        return Cause(
            .userInfo,
            as: .refusedToken(status: response.status),
            refusedToken(response.status),
            words: response.header("WWW-Authenticate")?.shown(limit: 300),
            advice: isForNow(response.status) ? overloadAdvice : "See the provider's log for this request.",
            mayBeConfiguration: isForNow(response.status) || !evidence.target.scopes.contains("openid"),
            exchange: answer.exchange
        )
    }

    private static func refusedToken(_ status: Int) -> String {
        "UserInfo does not accept the access token of the sign-in (status \(status))."
    }

    /// That a flow's access token was unknown at UserInfo a moment after it had been issued; `nil` for any other answer.
    ///
    /// A storage that is written to by several at once may lose one of them.
    ///
    /// - Parameter status: That of UserInfo's answer.
    package static func ofUnknownToken(_ run: ScenarioRun, status: Int?) -> Cause? {
        guard run.scenario.isFlow, status == 401 else { return nil }
        return Cause(
            .userInfo,
            as: .refusedToken(status: 401),
            refusedToken(401),
            advice: "See the provider's log for this request.",
            mayBeConfiguration: false,
            scenario: run.scenario,
            exchange: run.userInfo.value?.exchange
        )
    }
}
