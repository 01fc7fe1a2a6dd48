/// Clients that register themselves, are used, and are deleted again.
extension Scenario {
    static let registrations: [Scenario] = []
}
