import Conformance

/// Why two checks that read the same, and point at the same place, may both tell of one fault.
///
/// For all others one of the two is the cause, and the other names it in `excusedBy`.
enum TwoFindings {
    /// The reason of a pair; `nil` where there is none.
    static func reason(_ one: CheckID, _ other: CheckID) -> String? {
        if (one.stage == .platform) != (other.stage == .platform) {
            return "a platform's rule has a reason and a level of its own, whatever the specification says"
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
                "the one says what is wrong with the issuer itself, the other which one clients will be told to register"
        }
        reasons[["discovery.endpoints.are-publicly-named", "discovery.endpoints.are-on-the-issuers-host"]] =
            "a name that nobody outside knows is wrong on the issuer's own host too"
        reasons[[
            "discovery.response-types-supported.include-an-id-token", "discovery.target.response-types-are-offered",
        ]] = "the one is what every provider offers, the other what this configuration asks for"
        reasons[[
            "discovery.code-challenge-methods-supported.include-s256",
            "discovery.code-challenge-methods-supported.exclude-plain",
        ]] = "plain is a risk beside S256 as well"
        reasons[["platform.user.email-is-verified", "platform.firebase.email-verified.is-true"]] =
            "two platforms ask for the same, and the fault states the rule of the one in the profile of the other"
        reasons[["keys.kid.is-stated", "idtoken.kid.is-stated"]] =
            "the key set and the header are two places to change, and the key set is judged without a sign-in"
        return reasons
    }()
}
