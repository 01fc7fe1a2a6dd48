/// Token requests as clients and proxies write them that follow HTTP and OAuth in other ways than most.
extension Scenario {
    /// A made-up code, so that only how it is refused tells whether the request was read.
    package static let otherWritings: Scenario = {
        var scenario = Scenario(
            id: "token.other-writings",
            title: "token requests written in other ways",
            tier: .unauthenticated
        )
        func step(
            _ id: StepID,
            _ title: String,
            _ conditions: Condition...,
            change: (inout EndpointCall) -> Void
        ) -> Step {
            Step(id, title, .call(EndpointCall.redeemMadeUpCode.with(change)), conditions: conditions)
                .unlike(.madeUpCode)
        }
        scenario.steps = [
            step(.charset, "a token request whose media type names a charset") { $0.statesCharset = true },
            step(.unknownParameter, "a token request with a parameter that no specification knows") {
                $0.changes = [.set("preflight_unknown", "1")]
            },
            step(.scope, "a token request with scope") { $0.changes = [.set("scope", "openid")] },
            step(.clientID, "a token request with client_id beside HTTP Basic", .basicClient) {
                $0.changes = [.set("client_id", .captured(.clientID))]
            },
            step(.lowerCaseScheme, "a token request with the scheme basic in lower case", .basicClient) {
                $0.hasLowerCaseScheme = true
            },
            step(.percentEncoded, "a token request with a letter of the secret percent-encoded", .basicClient) {
                $0.authentication = .basicPercentEncoded
            },
        ]
        return scenario
    }()
}
