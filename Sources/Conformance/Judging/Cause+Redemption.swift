extension Cause {
    /// The advice if a fresh code is not exchanged for tokens.
    static func redemptionAdvice(_ run: ScenarioRun, _ status: Int, _ error: String?) -> String {
        if isForNow(status) { return overloadAdvice }
        let parameters = run.authorization.value?.redirect?.parameters ?? []
        if parameters.contains(where: { $0.name == "code" && $0.hasSpace == true }) {
            return
                "Percent-encode the code in the redirect: it arrived with a space, because an unencoded + means a space."
        }
        if status == 403, error != "invalid_grant" {
            return "Check client.id and the client's secret against the registration, and see the provider's log."
        }
        return error == "unauthorized_client"
            ? "Allow the authorization code grant for client \(run.clientID.quoted)."
            : "See the provider's log for this request."
    }
}
