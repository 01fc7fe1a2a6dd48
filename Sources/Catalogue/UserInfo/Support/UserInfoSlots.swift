import Conformance
import JSONTree

extension AnsweredCall {
    /// The body as it was recorded.
    var body: Body? { answer.body }

    /// Whether the answer says that it is a JWT.
    var isSigned: Bool { response.mediaType == "application/jwt" }
}

/// The slots that rules about the claims of UserInfo read.
enum UserInfoSlots {
    /// UserInfo responses with status 200 and a JSON object.
    static let claims = Conversations.userInfo.narrowed("claims at UserInfo in each flow") { sample, _ in
        Sample<(AnsweredCall, JSONObject)>(
            sample.observation.flatMap { answer in
                guard answer.response.status == 200, let object = answer.json?.objectValue else {
                    return .absent(
                        answer.isSigned
                            ? "UserInfo is a JWT, whose claims are not read"
                            : "UserInfo gave no claims (HTTP status \(answer.response.status))"
                    )
                }
                return .observed((answer, object))
            },
            label: sample.label,
            exchange: sample.exchange
        )
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
