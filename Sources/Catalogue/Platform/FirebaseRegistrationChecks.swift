package import Conformance

/// What is entered at the platform when the provider is registered.
package enum FirebaseRegistrationChecks {
    /// Says what to add: the one name that the platform has for the provider, or one like those that people choose.
    private static func noProviderID(_ facts: Facts) -> String {
        let added =
            Firebase.fixedName(facts.profile.parameters.providerIDPattern).map { ": \($0)" } ?? ", as in oidc.acme"
        return "the configuration names no provider ID; add registration.provider_id" + added
    }

    package static let providerIDIsWellFormed = Check(
        "platform.firebase.provider-id.is-well-formed",
        "The provider ID fits the platform's grammar",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_CONFIG_ID"),
        why: "The platform refuses the registration with INVALID_CONFIG_ID.",
        reads: Documents.target,
        exempt: { target, facts in
            if facts.profile.parameters.providerIDPattern.isEmpty { return "the profile has no grammar for it" }
            return target.registration.providerID == nil ? noProviderID(facts) : nil
        },
        rule: { target, facts in
            let pattern = facts.profile.parameters.providerIDPattern
            guard let id = target.registration.providerID, Firebase.matches(id, pattern: pattern) == false else {
                return []
            }
            let fixed = Firebase.fixedName(pattern)
            return [
                Finding(
                    fixed == nil
                        ? "The provider ID \(id.quoted) is refused with INVALID_CONFIG_ID."
                        : "The provider ID \(id.quoted) is not the one of this provider: OPERATION_NOT_ALLOWED.",
                    at: "registration.provider_id",
                    expected: fixed ?? "oidc. and at least two letters, digits, - _ . with a lower-case letter first",
                    found: id.shown(),
                    fix: fixed.map { "Use \($0): the platform knows this provider by that name alone." }
                        ?? "Choose a name such as oidc.acme."
                )
            ]
        }
    )

    package static let providerIDIsLowerCase = Check(
        "platform.firebase.provider-id.is-lower-case",
        "The provider ID is written in lower case",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "OPERATION_NOT_ALLOWED"),
        why:
            "The platform lowers the ID of every sign-in, so an ID with capitals is never found: OPERATION_NOT_ALLOWED.",
        reads: Documents.target,
        excusedBy: ["platform.firebase.provider-id.is-well-formed"],
        exempt: { target, facts in target.registration.providerID == nil ? noProviderID(facts) : nil },
        rule: { target, _ in
            guard let id = target.registration.providerID, id != id.lowercased() else { return [] }
            return [
                Finding(
                    "The provider ID \(id.quoted) has capital letters: OPERATION_NOT_ALLOWED.",
                    at: "registration.provider_id",
                    expected: id.lowercased().shown(),
                    found: id.shown(),
                    fix: "Register the provider as \(id.lowercased().quoted)."
                )
            ]
        }
    )

    package static let issuerUsesHTTPS = Check(
        "platform.firebase.issuer.uses-https",
        "The issuer to be registered is an https address",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_ISSUER"),
        why: "The platform refuses the registration with INVALID_ISSUER.",
        reads: Documents.target,
        excusedBy: ["discovery.issuer.uses-https"]
    ) { target, _ in
        guard !target.issuer.lowercased().hasPrefix("https://") else { return [] }
        return [
            Finding(
                "The issuer is no https address: INVALID_ISSUER.",
                at: "issuer",
                expected: "https://…",
                found: target.issuer.shown(),
                fix: "Serve the provider over https and register that address."
            )
        ]
    }

    package static let issuerIsNoTemplate = Check(
        "platform.firebase.issuer.is-a-tenants-own",
        "The issuer is that of one tenant, not of all",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_IDP_RESPONSE"),
        why: "Tokens name the tenant's own issuer; the platform compares and answers INVALID_IDP_RESPONSE.",
        reads: Documents.target,
        excusedBy: ["discovery.issuer.is-not-a-template"]
    ) { target, _ in
        let shared = ["common", "organizations", "consumers"]
        let segments = target.issuer.split(separator: "/").map(String.init)
        let isShared =
            target.issuer.contains("://login.microsoftonline.com/") && segments.contains(where: shared.contains)
        guard target.issuer.contains("{") || target.issuer.contains("}") || isShared else { return [] }
        return [
            Finding(
                "The issuer stands for many tenants: INVALID_IDP_RESPONSE.",
                at: "issuer",
                expected: "the issuer of one tenant, with its identifier in the path",
                found: target.issuer.shown(),
                fix: "Register the tenant's own issuer, as its ID Tokens name it in iss."
            )
        ]
    }

    package static let hasOneResponseType = Check(
        "platform.firebase.response-type.is-exactly-one",
        "Exactly one response type is switched on",
        .platform,
        .signIn,
        Citation(.identityPlatformREST, "OAuthResponseType", "Setting both types to be simultaneously true"),
        why:
            "The platform refuses the registration with INVALID_CONFIG when both are on, and takes implicit when none is.",
        reads: Documents.target,
        exempt: { target, _ in
            target.registration.responseTypes.isEmpty ? Firebase.registrationUnknown : nil
        },
        rule: { target, _ in
            let types = target.registration.responseTypes
            guard types.count != 1 else { return [] }
            return [
                Finding(
                    "\(types.count) response types are switched on: INVALID_CONFIG.",
                    at: "registration.response_types",
                    expected: "one",
                    found: types.map(\.text).joined(separator: ", ").shown(),
                    fix: "Switch on code, or id_token when the provider has no code flow."
                )
            ]
        }
    )

    package static let responseTypeIsKnown = Check(
        "platform.firebase.response-type.is-supported",
        "The response type is one that the platform can use",
        .platform,
        .signIn,
        Citation(.identityPlatformREST, "OAuthResponseType", "The token response type is not supported at the moment."),
        why: "The platform refuses the registration with INVALID_CONFIG: it has switches for code and id_token only.",
        reads: Documents.target,
        exempt: { target, facts in
            if facts.profile.parameters.responseTypes.isEmpty { return "the profile names no response types" }
            return target.registration.responseTypes.isEmpty ? Firebase.registrationUnknown : nil
        },
        rule: { target, facts in
            let known = facts.profile.parameters.responseTypes.map { ResponseType($0) }
            return target.registration.responseTypes.filter { !known.contains($0) }
                .map { type in
                    Finding(
                        "The platform has no response type \(type.text.quoted): INVALID_CONFIG.",
                        at: "registration.response_types",
                        expected: facts.profile.parameters.responseTypes.joined(separator: " or "),
                        found: type.text.shown(),
                        fix: "Register the provider with code."
                    )
                }
        }
    )

    package static let codeHasSecret = Check(
        "platform.firebase.client.has-a-secret-for-code",
        "The code flow is registered with a client secret",
        .platform,
        .signIn,
        Citation(
            .identityPlatformREST,
            "OAuthIdpConfig",
            "The client secret of the OAuth client, to enable OIDC code flow."
        ),
        why: "The platform refuses the registration with INVALID_CONFIG; it knows no public clients.",
        reads: Documents.target,
        exempt: { target, facts in
            if target.client == nil { return "the configuration names no client" }
            guard let type = Firebase.responseType(target, facts) else { return Firebase.registrationUnknown }
            return type.hasCode ? nil : "the platform uses \(type), which takes no secret"
        },
        rule: { target, facts in
            guard let type = Firebase.responseType(target, facts), let client = target.client(for: type),
                !client.hasSecret
            else {
                return []
            }
            return [
                Finding(
                    "The code flow is to be registered without a client secret: INVALID_CONFIG.",
                    at: "client.secret",
                    expected: "a secret",
                    found: "none",
                    fix: "Make the client a confidential one at the provider and enter its secret."
                )
            ]
        }
    )

    package static let redirectURIIsHandler = Check(
        "platform.firebase.redirect-uri.is-the-handler",
        "The redirect URI is the platform's handler",
        .platform,
        .signIn,
        Citation(.identityPlatform, "", "https://[PROJECT-ID].firebaseapp.com/__/auth/handler"),
        why: "The platform sends this address in every sign-in; the provider refuses one that it was not told.",
        reads: Documents.target,
        exempt: { target, facts in
            if facts.profile.parameters.redirectURIPath.isEmpty { return "the profile names no handler" }
            return target.redirectURI == nil ? "the configuration names no redirect URI" : nil
        },
        rule: { target, facts in
            let path = facts.profile.parameters.redirectURIPath
            guard let uri = target.redirectURI, !Firebase.isHandler(uri, path: path) else { return [] }
            return [
                Finding(
                    "The redirect URI is not the platform's handler.",
                    at: "redirect_uri",
                    expected: "https://PROJECT.firebaseapp.com\(path)",
                    found: uri.shown(),
                    fix: "Register the handler of the project at the provider, and configure it here."
                )
            ]
        }
    )

    package static let all: [Check] = [
        providerIDIsWellFormed, providerIDIsLowerCase, issuerUsesHTTPS, issuerIsNoTemplate, hasOneResponseType,
        responseTypeIsKnown, codeHasSecret, redirectURIIsHandler,
    ]
}
