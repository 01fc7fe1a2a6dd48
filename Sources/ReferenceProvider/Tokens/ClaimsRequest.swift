import JSONTree

/// Claims requested individually with the `claims` parameter (Core section 5.5).
struct ClaimsRequest: Sendable {
    /// The names of the claims requested in the ID Token.
    var idToken: [String] = []
    /// The names of the claims requested from UserInfo.
    var userInfo: [String] = []
    /// The value that `sub` of the ID Token must have.
    var subject: String?

    var wantsAny: Bool { !idToken.isEmpty || !userInfo.isEmpty }

    init() {}

    /// Whether the parameter is not a JSON object.
    static func isMalformed(_ text: String) -> Bool {
        (try? JSONDocument.parse(Array(text.utf8)))?.root.objectValue == nil
    }

    /// Reads the parameter; a value that is not a JSON object requests nothing.
    init(_ text: String?) {
        guard let text, let root = try? JSONDocument.parse(Array(text.utf8)).root else { return }
        idToken = root["id_token"]?.objectValue?.members.map(\.name) ?? []
        userInfo = root["userinfo"]?.objectValue?.members.map(\.name) ?? []
        subject = root["id_token"]?["sub"]?["value"]?.stringValue
    }
}
