/// Authorization requests that are wrong or unusual, and other response modes.
extension Scenario {
    static let authorizationRequests: [Scenario] = []
}
