import Conformance

/// Whether the token endpoint looks at the client before it looks at the code.
///
/// No specification says which comes first: only where a wrong secret was seen to be refused does `invalid_grant` tell that
/// a client was let in.
enum AuthenticationOrder {
    /// What must be collected to know it.
    static let needs = TokenErrors.wrongSecret.needs

    /// Why it is not known that clients come first; `nil` when it is.
    static func whyUnknown(_ facts: Facts) -> String? {
        let answers = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
        return answers.contains { !$0.isAcceptance }
            ? nil : "the token endpoint was not seen to look at the client before the code"
    }
}
