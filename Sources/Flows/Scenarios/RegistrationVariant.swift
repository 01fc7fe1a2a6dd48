import Conformance

/// How an ordinary client must request its registration, so that the provider's policy accepts it.
///
/// Some reject every client that names its scopes, and some every one without keys: such a rejection shows nothing about the
/// rest of the request.
enum RegistrationVariant: Int, CaseIterable, Sendable {
    case ordinary
    case withoutScope
    case withoutScopeWithKeys

    /// The next one to try.
    var next: RegistrationVariant? { RegistrationVariant(rawValue: rawValue + 1) }
}

/// The variant that a run has found, for all later registrations.
actor RegistrationVariants {
    private(set) var found = RegistrationVariant.ordinary

    func learn(_ variant: RegistrationVariant) { found = variant }
}

extension Scenario {
    /// Whether it requests a registration that should be rejected: then no other variant is tried.
    var requestsRefusal: Bool {
        id == Scenario.withoutInitialToken.id || Scenario.wrongMetadata.contains { $0.id == id }
    }
}
