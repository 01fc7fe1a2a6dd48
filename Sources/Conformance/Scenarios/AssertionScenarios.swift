/// Client assertions that must be rejected, or that may be accepted (RFC 7523 section 3, Core section 9).
extension Scenario {
    package static let expiredAssertion = assertion(
        "token.expired-assertion",
        "redeem a code with a client assertion that expired an hour ago",
        .expired
    )

    package static let foreignAssertion = assertion(
        "token.foreign-assertion",
        "redeem a code with a client assertion for another server",
        .forAnother
    )

    package static let unsignedAssertion = assertion(
        "token.unsigned-assertion",
        "redeem a code with a client assertion without a signature",
        .unsigned
    )

    /// Bogus codes: the question is whether the client is accepted.
    package static let assertionForms: Scenario = {
        var scenario = Scenario(
            id: "token.assertion-forms",
            title: "client assertions for either audience, and one of them twice",
            tier: .unauthenticated
        )
        scenario.conditions = [.assertionClient]
        func call(_ change: EndpointCall.Assertion) -> Step.Request {
            .call(EndpointCall.redeemBogusCode.with { $0.authentication = .assertion(change) })
        }
        scenario.steps = [
            Step(.issuer, "an assertion for the issuer", call(.forIssuer)),
            Step(.endpoint, "an assertion for the token endpoint", call(.forEndpoint)),
            Step(.first, "an assertion as configured", .call(.redeemBogusCode)),
            Step(.again, "the same assertion again", call(.repeated)),
        ]
        return scenario
    }()

    static let assertions = [expiredAssertion, foreignAssertion, unsignedAssertion, assertionForms]

    private static func assertion(
        _ id: ScenarioID,
        _ title: String,
        _ change: EndpointCall.Assertion
    ) -> Scenario {
        var scenario = redemption(id, title) { $0.authentication = .assertion(change) }
        scenario.conditions.append(.assertionClient)
        return scenario
    }
}
