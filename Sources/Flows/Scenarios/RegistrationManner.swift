import Conformance

/// How an ordinary client has to ask for its registration, so that the provider's policy lets it in.
///
/// Some refuse every client that names its scopes, and some every one without keys: what is refused for that says nothing
/// about what else the request holds.
enum RegistrationManner: Int, CaseIterable, Sendable {
    case ordinary
    case withoutScope
    case withoutScopeWithKeys

    /// The next one to try.
    var next: RegistrationManner? { RegistrationManner(rawValue: rawValue + 1) }
}

/// The manner that a run has found out, for all that register after it.
actor RegistrationManners {
    private(set) var found = RegistrationManner.ordinary

    func learn(_ manner: RegistrationManner) { found = manner }
}

extension Scenario {
    /// Whether it asks for a registration that is to be refused: then no other manner is tried.
    var asksForRefusal: Bool {
        id == Scenario.withoutInitialToken.id || Scenario.wrongMetadata.contains { $0.id == id }
    }
}
