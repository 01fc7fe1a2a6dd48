/// Token requests as clients and proxies write them that follow HTTP and OAuth in other ways than most.
extension Scenario {
    /// A bogus code, so that only the kind of rejection shows whether the request was read.
    package static let otherWritings: Scenario = {
        var scenario = Scenario(
            id: "token.other-writings",
            title: "token requests in unusual notations",
            tier: .unauthenticated
        )
        func step(
            _ id: StepID,
            _ title: String,
            _ conditions: Condition...,
            change: (inout EndpointCall) -> Void
        ) -> Step {
            Step(id, title, .call(EndpointCall.redeemBogusCode.with(change)), conditions: conditions)
        }
        let unknown = ParameterChange.set("preflight_unknown", "1")
        let scope = ParameterChange.set("scope", "openid")
        let clientID = ParameterChange.set("client_id", .captured(.clientID))
        scenario.steps = [
            // If the combined request is read, its parts need not be sent separately.
            step(.jointBasic, "a token request with HTTP Basic in all unusual notations", .basicClient) { call in
                call.authentication = .basicPercentEncoded
                call.hasLowerCaseScheme = true
                call.statesCharset = true
                call.changes = [clientID, unknown, scope]
            },
            step(.joint, "a token request with charset, scope and an unknown parameter") { call in
                call.statesCharset = true
                call.changes = [unknown, scope]
            }
            .unless(.jointBasic),
            step(.charset, "a token request whose media type has a charset") { $0.statesCharset = true }
                .unless(.joint),
            step(.unknownParameter, "a token request with a parameter that no specification defines") {
                $0.changes = [unknown]
            }
            .unless(.joint),
            step(.scope, "a token request with scope") { $0.changes = [scope] }.unless(.joint),
            // Alone, because a provider that knows the parameter (RFC 8707) may reject the value.
            step(.resource, "a token request with a resource indicator") {
                // The name is reserved and cannot belong to anyone (RFC 2606 section 2).
                $0.changes = [.set("resource", "https://resource.invalid/")]
            },
            step(.clientID, "a token request with client_id and HTTP Basic", .basicClient) {
                $0.changes = [clientID]
            }
            .unless(.jointBasic),
            step(.lowerCaseScheme, "a token request with the scheme basic in lower case", .basicClient) {
                $0.hasLowerCaseScheme = true
            }
            .unless(.jointBasic),
            step(.percentEncoded, "a token request with a letter of the secret percent-encoded", .basicClient) {
                $0.authentication = .basicPercentEncoded
            }
            .unless(.jointBasic),
        ]
        return scenario
    }()
}
