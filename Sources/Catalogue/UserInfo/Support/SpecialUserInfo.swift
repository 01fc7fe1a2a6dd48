import Conformance
import JSONTree

/// UserInfo for a client that registered for a signed or encrypted response.
struct SpecialUserInfo: Sendable {
    var answer: CallResult
    /// The response as a JWT; `nil` if it is not one.
    var jwt: TokenFacts?
    var claims: JSONObject?
    /// The `sub` of the ID Token of the same sign-in.
    var expectedSubject: String?

    /// UserInfo for a client that was registered with a metadata member.
    static func query(
        _ name: String,
        _ member: String,
        _ scenario: Scenario
    ) -> Query<RegisteredResponse<SpecialUserInfo>> {
        Registrations.asRegistered(name, member, [scenario]) { run, facts in
            Registrations.answer(run, .userInfo, facts)
                .map { answer in
                    SpecialUserInfo(
                        answer: answer,
                        jwt: answer.answer.jwt,
                        claims: answer.answer.jwt?.claimsObject,
                        expectedSubject: RegisteredTokens.subject(run, facts).value
                    )
                }
        }
    }

    /// Why there are no claims to check; `nil` if there are.
    static func whyNoClaims(_ subject: RegisteredResponse<SpecialUserInfo>, _ facts: Facts) -> String? {
        subject.value.claims == nil ? "the UserInfo response is not a JWT with readable claims" : nil
    }

    /// The finding if `sub` differs from that of the ID Token.
    var otherSubject: Finding? {
        let sub = claims?["sub"]
        // Compare code points without normalization (Core section 14, "Unicode Normalization MUST NOT be applied").
        guard let expectedSubject, sub?.stringValue?.hasSameBytes(as: expectedSubject) != true else { return nil }
        return .claim(
            "sub",
            "sub at UserInfo differs from sub in the ID Token.",
            expected: expectedSubject.shown(),
            found: sub,
            fix: "Return the same sub as in the client's ID Token."
        )
    }
}
