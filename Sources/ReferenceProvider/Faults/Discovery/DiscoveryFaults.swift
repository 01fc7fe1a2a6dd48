/// The faults that mirror `Catalogue/Discovery`.
extension Fault {
    package static let discovery: [Fault] =
        discoveryResponse + discoveryEverywhere + discoveryIssuer + requiredMembers + memberTypes + endpointURLs
        + discoveryAlgorithms + registeredNames + discoveryTarget + memberNames
}
