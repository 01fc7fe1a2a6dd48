/// Claims parameter, request objects and pushed requests.
extension Scenario {
    static let requestObjects: [Scenario] = []
}
