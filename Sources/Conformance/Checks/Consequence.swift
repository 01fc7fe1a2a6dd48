/// What follows when a check fails: which of a user's three questions its failure answers with no.
///
/// It is no degree: how much a failure weighs is the ``Level``, which derives from the requirement word. Nor does it follow
/// from the ``Stage``: a wrong type of one member keeps everybody out of some platforms, and an error code of another
/// name harms nobody.
package enum Consequence: String, Sendable, Codable, CaseIterable {
    /// People cannot sign in: a relying party with its library's defaults, or a relying platform, refuses.
    ///
    /// What real client libraries refuse in an ordinary sign-in by code is measured, fault by fault, and the tests hold
    /// the catalogue against it. It goes before ``safety``: a token with a wrong signature is a danger where nobody looks,
    /// but whoever registers the provider meets the refusal first.
    case signIn
    /// Somebody gains what is not theirs, or a secret is exposed; the check's `why` says who gains what.
    case safety
    /// The text is not kept, and neither of the others follows.
    case conformance

    /// What follows, for people.
    package var phrase: String {
        switch self {
        case .signIn: "people cannot sign in with some client library or platform"
        case .safety: "somebody gains what is not theirs, or a secret is exposed"
        case .conformance:
            "the provider departs from a specification, which by itself breaks no sign-in and endangers no user"
        }
    }
}

/// Whom a danger concerns.
package enum Endangered: String, Sendable, Codable {
    /// The users of relying parties that use what is judged: who does not push requests loses nothing where anybody can.
    case thoseWhoUseIt
    /// Everybody with an account at the provider, or the provider itself, whatever relying parties use: somebody else does it.
    case everybody
}
