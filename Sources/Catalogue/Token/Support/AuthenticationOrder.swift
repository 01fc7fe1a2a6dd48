import Conformance

/// Whether the token endpoint authenticates the client before it checks the code.
///
/// No specification defines the order. `invalid_grant` shows that a client was accepted only if the same provider rejects
/// a wrong secret.
enum AuthenticationOrder {
    /// The evidence needed to determine it.
    static let needs = TokenErrors.wrongSecret.needs

    /// Why it is unknown whether the client is authenticated first; `nil` if it is known to be.
    static func whyUnknown(_ facts: Facts) -> String? {
        let answers = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
        return answers.contains { !$0.isAcceptance }
            ? nil : "the run did not show that the token endpoint authenticates the client before it checks the code"
    }
}
