/// Calls of the provider's own API for the signed-in user: the replacement for UserInfo if there is none.
extension Scenario {
    /// The user signs in, and the run requests the API's data about that user.
    package static let userAPI = userAPI("platform.user-api", "call the provider's API with the access token", .shared)

    /// The same user in another browser, to compare the two responses; costs a sign-in.
    static let userAPIAgain = userAPI(
        "platform.user-api-again",
        "call the provider's API with the access token of another session",
        .signIn
    )

    /// A code is redeemed by a client that does not say which format it can read.
    package static let anyFormat = redemption(
        "platform.any-format",
        "redeem a code without requesting JSON"
    ) { $0.accept = "*/*" }

    /// Token requests with one mistake each, for providers whose status does not show success.
    package static let tokenRefusals: Scenario = {
        var scenario = Scenario(
            id: "platform.token-refusals",
            title: "token requests with a bogus code",
            tier: .unauthenticated
        )
        scenario.conditions = [.confidentialClient]
        scenario.steps = [
            Step(.wrongCode, "a bogus code", .call(.redeemBogusCode)),
            Step(
                .wrongSecret,
                "a bogus code and a wrong client secret",
                .call(EndpointCall.redeemBogusCode.with { $0.authentication = .wrongSecret(nil) })
            ),
        ]
        return scenario
    }()

    static let userAPIs = [userAPI, userAPIAgain, anyFormat, tokenRefusals]

    private static func userAPI(
        _ id: ScenarioID,
        _ title: String,
        _ session: AuthorizationRequest.Session
    ) -> Scenario {
        let request = AuthorizationRequest(session: session)
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request), .redeem()])
        scenario.conditions = [.accessToken]
        scenario.requires = ["user_api_endpoint"]
        scenario.steps += [
            Step(.userAPI, "the user at the API", .call(.userAPI), requires: ["user_api_endpoint"]),
            Step(.userEmails, "the user's addresses", .call(.userEmails), requires: ["user_emails_endpoint"]),
        ]
        return scenario
    }
}

extension EndpointCall {
    /// Asks the provider's own API who signed in, with the latest access token in the header (RFC 6750 section 2.1).
    static let userAPI = api("user_api_endpoint")

    /// Requests the e-mail addresses of the signed-in user.
    static let userEmails = api("user_emails_endpoint")

    private static func api(_ endpoint: String) -> EndpointCall {
        var call = EndpointCall(endpoint, method: "GET")
        call.bearer = .accessToken
        return call
    }
}
