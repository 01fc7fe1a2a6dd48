/// Ends of sessions.
extension Scenario {
    static let logouts: [Scenario] = []
}
