/// Requests to the token endpoint that are wrong or unusual.
extension Scenario {
    /// A code is redeemed, and redeemed again; then the access token of the first time is tried.
    package static let codeTwice: Scenario = {
        var scenario = codeFlow("token.code-twice", "redeem a code, and the same code again", redeemsCode: true)
        scenario.sequels = [
            Sequel("again", "the same code at once", .call(.redeemCode)),
            Sequel("user-info", "UserInfo with the access token of the first time", .call(.userInfo)),
        ]
        return scenario
    }()

    static let tokenRequests: [Scenario] = [codeTwice]

    /// An authorization request with a code, in a browser in which the person is signed in.
    static func codeFlow(_ id: ScenarioID, _ title: String, redeemsCode: Bool = false) -> Scenario {
        var request = AuthorizationRequest(session: .shared)
        request.redeemsCode = redeemsCode
        var scenario = Scenario(id: id, title: title, tier: .full, kind: .authorization(request))
        scenario.conditions = [.codeFlow]
        return scenario
    }
}
