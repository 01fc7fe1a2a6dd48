import Conformance
import JSONTree

extension AnsweredCall {
    /// The body as it was recorded.
    var body: Body? { answer.body }

    /// Whether the answer says that it is a JWT, and is no JSON object.
    var isSigned: Bool { response.mediaType == "application/jwt" && object == nil }

    /// The claims: the members of a JSON object, or those of a JWT that could be read (Core section 5.3.2).
    var claims: JSONObject? { isSigned ? answer.jwt?.claimsObject : object }
}

/// The slots that rules about the claims of UserInfo read.
enum UserInfoSlots {
    /// UserInfo responses with status 200 and a JSON object.
    static let claims = readable(Conversations.userInfo, "claims at UserInfo in each flow")

    /// The same for each scope that brings claims, without the others.
    static let scopesAlone = readable(
        Conversations.answers(
            "UserInfo for openid and one scope more",
            Scenario.scopesAlone,
            .userInfo,
            whenEmpty: "the configuration does not ask for two scopes that bring claims, in a code flow"
        ),
        "claims at UserInfo for openid and one scope more",
        needing: [.flows]
    )

    private static func readable(
        _ slot: Slot<AnsweredCall>,
        _ name: String,
        needing more: Set<Need> = []
    ) -> Slot<(AnsweredCall, JSONObject)> {
        slot.narrowed(name, needing: more) { sample, _ in
            Sample<(AnsweredCall, JSONObject)>(
                sample.observation.flatMap { answer in
                    guard answer.response.status == 200, let claims = answer.claims else {
                        return .absent(
                            answer.isSigned
                                ? "UserInfo is a JWT whose claims cannot be read: encrypted, or none at all"
                                : "UserInfo gave no claims (HTTP status \(answer.response.status))"
                        )
                    }
                    return .observed((answer, claims))
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// UserInfo of each flow as a JWT: where it came as one, or should have by the client's registration.
    static let tokens = Conversations.userInfo.narrowed(
        "UserInfo of each flow as a JWT",
        needing: [.keys],
        whenEmpty: "UserInfo is plain JSON, as by default"
    ) { sample, facts in
        guard let answer = sample.observation.value else { return sample }
        let isMeant = facts.target.client(for: answer.asked.responseType)?.userInfoSignedResponseAlg != nil
        return answer.response.status == 200 && (answer.isSigned || isMeant) ? sample : nil
    }

    /// The `sub` of the flow's ID Token, that of the token endpoint first.
    static func tokenSubject(_ asked: Asked, _ facts: Facts) -> String? {
        [asked.token.value?.idToken, asked.authorization.value?.idToken].lazy.compactMap { $0 }
            .compactMap { facts.decoded($0).value?.claims["sub"]?.stringValue }
            .first { !$0.isEmpty }
    }

    /// Why a scope value counts as not granted; `nil` when its claims may be expected.
    static func unlessGranted(_ scope: String, _ asked: Asked, _ facts: Facts) -> String? {
        guard asked.askedScopes.contains(scope) else { return "the scope \(scope) was not asked for" }
        let stated =
            asked.token.value.flatMap(facts.json)?["scope"]?.stringValue
            ?? asked.authorization.value?.redirect?.first("scope")
        guard let stated else { return nil }
        return stated.split(separator: " ").contains { $0 == scope } ? nil : "the scope \(scope) was not granted"
    }
}
