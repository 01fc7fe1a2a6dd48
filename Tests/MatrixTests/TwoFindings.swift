import Conformance

/// Why two checks that read the same input and point at the same place may both report one fault.
///
/// In all other pairs one check is the root cause, and the other lists it in `supersededBy`.
enum TwoFindings {
    /// The reason for a pair; `nil` if there is none.
    static func reason(_ one: CheckID, _ other: CheckID) -> String? {
        if (one.stage == .platform) != (other.stage == .platform) {
            return "a platform's rule has its own reason and level, independent of the specification"
        }
        return reasons[[one, other]]
    }

    private static let reasons: [Set<CheckID>: String] = {
        var reasons: [Set<CheckID>: String] = [:]
        let forms: [CheckID] = [
            "discovery.issuer.is-a-url", "discovery.issuer.uses-https", "discovery.issuer.has-no-query-or-fragment",
            "discovery.issuer.has-no-user-name", "discovery.issuer.is-not-a-template",
            "discovery.issuer.is-in-normal-form", "discovery.issuer.has-no-terminating-slash",
        ]
        for form in forms {
            reasons[[form, "discovery.issuer.matches-request"]] =
                "one check reports the form of the issuer, the other that clients register a different issuer"
        }
        reasons[["discovery.endpoints.are-publicly-named", "discovery.endpoints.are-on-the-issuers-host"]] =
            "a host name that is not public is wrong on the issuer's own host too"
        reasons[[
            "discovery.response-types-supported.include-an-id-token", "discovery.target.response-types-are-offered",
        ]] = "one check is about every provider, the other about this configuration"
        reasons[[
            "discovery.code-challenge-methods-supported.include-s256",
            "discovery.code-challenge-methods-supported.exclude-plain",
        ]] = "plain is a risk beside S256 as well"
        reasons[["platform.user.email-is-verified", "platform.firebase.email-verified.is-true"]] =
            "two platforms have the same requirement, and the fault declares the rule of one in the profile of the other"
        reasons[["keys.kid.is-stated", "idtoken.kid.is-stated"]] =
            "the key set and the header are two places to change, and the key set is checked without a sign-in"
        return reasons
    }()
}
