import Conformance
import JSONTree

/// UserInfo for a client that registered for a form of its own.
struct SpecialUserInfo: Sendable {
    var answer: AnsweredCall
    /// The answer as a JWT; `nil` when it is none.
    var jwt: TokenFacts?
    var claims: JSONObject?
    /// The `sub` of the ID Token of the same sign-in.
    var expectedSubject: String?

    /// UserInfo as a client gets it that was registered with a member.
    static func slot(_ name: String, _ member: String, _ scenario: Scenario) -> Slot<AsRegistered<SpecialUserInfo>> {
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

    /// Why there are no claims to judge; `nil` when there are.
    static func whyNoClaims(_ subject: AsRegistered<SpecialUserInfo>, _ facts: Facts) -> String? {
        subject.value.claims == nil ? "the answer is not a JWT whose claims can be read" : nil
    }

    /// What is said when the person is not the one of the ID Token.
    var otherSubject: Finding? {
        let sub = claims?["sub"]
        // Code points are compared, not what looks alike (Core section 14, "Unicode Normalization MUST NOT be applied").
        guard let expectedSubject, sub?.stringValue?.hasSameOctets(as: expectedSubject) != true else { return nil }
        return .claim(
            "sub",
            "UserInfo does not name the person of the ID Token.",
            expected: expectedSubject.shown(),
            found: sub,
            fix: "Return the same sub as in the ID Token of the client."
        )
    }
}
