import Conformance
import JSONTree

extension CallResult {
    /// The recorded body.
    var body: Body? { answer.body }

    /// Whether the response has the media type of a JWT and is not a JSON object.
    var isSigned: Bool { response.mediaType == "application/jwt" && object == nil }

    /// The claims: the members of a JSON object, or of a readable JWT (Core section 5.3.2).
    var claims: JSONObject? { isSigned ? answer.jwt?.claimsObject : object }
}

/// UserInfo responses and their claims.
enum UserInfoQueries {
    /// UserInfo responses with status 200 and a JSON object.
    static let claims = readable(StepResults.userInfo, "claims at UserInfo in each flow")

    /// The same for each scope with claims, requested without the others.
    static let scopesAlone = readable(
        StepResults.answers(
            "UserInfo for openid and one other scope",
            Scenario.scopesAlone,
            .userInfo,
            whenEmpty: "the configuration does not request two scopes with claims in a code flow"
        ),
        "claims at UserInfo for openid and one other scope",
        needing: [.flows]
    )

    private static func readable(
        _ query: Query<CallResult>,
        _ name: String,
        needing more: Set<Need> = []
    ) -> Query<(CallResult, JSONObject)> {
        query.narrowed(name, needing: more) { sample, _ in
            Sample<(CallResult, JSONObject)>(
                sample.observation.flatMap { answer in
                    guard answer.isSuccess, let claims = answer.claims else {
                        return .absent(
                            answer.isSigned
                                ? "UserInfo returned an encrypted or malformed JWT, so its claims cannot be read"
                                : "UserInfo returned no claims (HTTP status \(answer.response.status))"
                        )
                    }
                    return .observed((answer, claims))
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// UserInfo of each flow as a JWT: if it is one, or must be one according to the client's registration.
    static let tokens = StepResults.userInfo.narrowed(
        "UserInfo of each flow as a JWT",
        needing: [.keys],
        whenEmpty: "UserInfo is plain JSON, which is the default"
    ) { sample, facts in
        guard let answer = sample.observation.value else { return sample }
        let isMeant = facts.target.client(for: answer.asked.responseType)?.userInfoSignedResponseAlg != nil
        return answer.isSuccess && (answer.isSigned || isMeant) ? sample : nil
    }

    /// The `sub` of the flow's ID Token; that of the token endpoint takes precedence.
    static func tokenSubject(_ asked: StepEvidence, _ facts: Facts) -> String? {
        [asked.token.value?.idToken, asked.authorization.value?.idToken].lazy.compactMap { $0 }
            .compactMap { facts.decoded($0).value?.claims["sub"]?.stringValue }.first { !$0.isEmpty }
    }

    /// Why a scope value counts as not granted; `nil` if its claims can be expected.
    static func unlessGranted(_ scope: String, _ asked: StepEvidence, _ facts: Facts) -> String? {
        guard asked.askedScopes.contains(scope) else { return "the scope \(scope) was not requested" }
        let stated =
            asked.token.value.flatMap(facts.json)?["scope"]?.stringValue
            ?? asked.authorization.value?.redirect?.first("scope")
        guard let stated else { return nil }
        return stated.split(separator: " ").contains { $0 == scope } ? nil : "the scope \(scope) was not granted"
    }
}
