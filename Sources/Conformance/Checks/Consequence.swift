/// The consequence of a failed check: the question of a report (sign-in, safety, conformance) that it answers with no.
///
/// It is not a degree: the weight of a failure is the ``Level``, which derives from the requirement word. Nor does it follow
/// from the ``Stage``: a wrong type of one member breaks sign-in at some platforms, and a different error code harms no user.
package enum Consequence: String, Sendable, Codable, CaseIterable {
    /// Users cannot sign in: a relying party with its library's defaults, or a relying platform, rejects the response.
    ///
    /// The behaviour of real client libraries in an ordinary code flow is measured, fault by fault, and the tests compare the
    /// catalogue with it. It precedes ``safety``: a token with a wrong signature is a danger for clients that do not check it,
    /// but most clients reject it first.
    case signIn
    /// An attacker gains access, or a secret is exposed; the check's `why` says what the attacker gains.
    case safety
    /// The provider deviates from a specification, without either of the other consequences.
    case conformance

    /// The order in reports: safety first, conformance last.
    package static let inOrderOfReading: [Consequence] = [.safety, .signIn, .conformance]

    /// The effect of a failure, as in the heading of the list of failures: `breaks sign-in`.
    package var heading: String {
        switch self {
        case .safety: "not safe"
        case .signIn: "breaks sign-in"
        case .conformance: "does not conform"
        }
    }

    /// The consequence, for users.
    package var phrase: String {
        switch self {
        case .signIn: "users cannot sign in with some client library or platform"
        case .safety: "an attacker gains access to data or accounts, or a secret is exposed"
        case .conformance:
            "ordinary sign-ins with measured clients work, and no user is endangered"
        }
    }
}

/// Whom a danger concerns.
package enum AffectedParties: String, Sendable, Codable {
    /// The users of relying parties that use the feature; without it, they are not affected.
    case usersOfFeature = "thoseWhoUseIt"
    /// Every user of the provider, or the provider itself, whatever relying parties use: an attacker uses the feature.
    case allUsers
}
