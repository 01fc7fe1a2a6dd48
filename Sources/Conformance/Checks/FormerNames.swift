/// Former names of checks: they stay valid in waivers, after `--only` and `--skip`, in profiles, and in
/// reports of earlier versions.
enum FormerNames {
    /// The name of today, by the one of before.
    static let current: [String: String] = [
        // A platform's rule has the rule's name, whichever platform states it.
        "platform.firebase.custom-parameters.exclude-reserved": "platform.request.reserved-parameters-are-left-out",
        "platform.firebase.pkce.is-not-required": "platform.request.needs-no-pkce",
        "platform.firebase.provider-id.is-well-formed": "platform.registration.provider-id-is-well-formed",
        "platform.twitter.provider-id.is-the-platforms-own": "platform.registration.provider-id-is-well-formed",
        "platform.firebase.redirect-uri.is-the-handler": "platform.registration.redirect-uri-is-the-platforms",
        "platform.firebase.response-type.is-supported": "platform.client.response-types-are-accepted",
        "platform.firebase.id-token.alg-is-rs256": "platform.id-token.algorithm-is-accepted",
        "platform.firebase.keys.have-kid": "platform.keys.have-kid",
        "platform.firebase.client.has-a-secret-for-code": "platform.client.has-a-secret",
        "platform.github.client.has-a-secret": "platform.client.has-a-secret",
        "platform.spa.client.is-public": "platform.client.is-public",
        // The requirement of the specification is checked once.
        "platform.firebase.id-token.aud-holds-client": "idtoken.aud.holds-client",
        "platform.firebase.id-token.sub-is-present": "idtoken.sub.is-present",
        "idtoken.mapped-claims.are-present": "platform.id-token.claims-are-present",
        // The rule for one scope applies to each.
        "userinfo.email.is-present-by-its-scope-alone": "userinfo.claims.are-present-by-one-scope",
    ]
}

extension CheckID {
    /// The check with this current or former name.
    package init(written name: String) {
        self.init(FormerNames.current[name] ?? name)
    }

    /// Every name that a check had before.
    package static var formerNames: [String] { FormerNames.current.keys.sorted() }
}
