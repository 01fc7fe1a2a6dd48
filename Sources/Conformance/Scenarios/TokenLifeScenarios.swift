/// What becomes of tokens: refreshing, revoking, introspecting, and UserInfo asked in every way.
extension Scenario {
    static let tokenLives: [Scenario] = []
}
