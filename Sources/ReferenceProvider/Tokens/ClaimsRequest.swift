import JSONTree

/// Single claims that a request asks for with the `claims` parameter (Core section 5.5).
struct ClaimsRequest: Sendable {
    /// The names of the claims wanted in the ID Token.
    var idToken: [String] = []
    /// The names of the claims wanted from UserInfo.
    var userInfo: [String] = []
    /// The value that `sub` of the ID Token must have.
    var subject: String?

    var wantsAny: Bool { !idToken.isEmpty || !userInfo.isEmpty }

    init() {}

    /// Reads the parameter; what is no JSON object asks for nothing.
    init(_ text: String?) {
        guard let text, let root = try? JSONDocument.parse(Array(text.utf8)).root else { return }
        idToken = root["id_token"]?.objectValue?.members.map(\.name) ?? []
        userInfo = root["userinfo"]?.objectValue?.members.map(\.name) ?? []
        subject = root["id_token"]?["sub"]?["value"]?.stringValue
    }
}
