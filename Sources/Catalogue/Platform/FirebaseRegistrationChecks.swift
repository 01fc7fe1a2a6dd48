package import Conformance

/// What is entered at the platform when the provider is registered.
package enum FirebaseRegistrationChecks {
    package static let providerIDIsLowerCase = Check(
        "platform.firebase.provider-id.is-lower-case",
        "The provider ID is written in lower case",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "OPERATION_NOT_ALLOWED"),
        why:
            "The platform lowers the ID of every sign-in, so an ID with capitals is never found: OPERATION_NOT_ALLOWED.",
        reads: Documents.target,
        excusedBy: ["platform.registration.provider-id-is-well-formed"],
        exempt: { target, facts in target.registration.providerID == nil ? RequestRuleChecks.noProviderID(facts) : nil
        },
        finding: { target, _ in
            guard let id = target.registration.providerID, id != id.lowercased() else { return nil }
            return Finding(
                "The provider ID \(id.quoted) has capital letters: OPERATION_NOT_ALLOWED.",
                at: "registration.provider_id",
                expected: id.lowercased().shown(),
                found: id.shown(),
                fix: "Register the provider as \(id.lowercased().quoted)."
            )
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
        excusedBy: ["discovery.issuer.uses-https"],
        finding: { target, _ in
            guard !target.issuer.lowercased().hasPrefix("https://") else { return nil }
            return Finding(
                "The issuer is no https address: INVALID_ISSUER.",
                at: "issuer",
                expected: "https://…",
                found: target.issuer.shown(),
                fix: "Serve the provider over https and register that address."
            )
        }
    )

    package static let issuerIsNoTemplate = Check(
        "platform.firebase.issuer.is-a-tenants-own",
        "The issuer is that of one tenant, not of all",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_IDP_RESPONSE"),
        why: "Tokens name the tenant's own issuer; the platform compares and answers INVALID_IDP_RESPONSE.",
        reads: Documents.target,
        excusedBy: ["discovery.issuer.is-not-a-template"],
        finding: { target, _ in
            let shared = ["common", "organizations", "consumers"]
            let segments = target.issuer.split(separator: "/").map(String.init)
            let isShared =
                target.issuer.contains("://login.microsoftonline.com/") && segments.contains(where: shared.contains)
            guard target.issuer.contains("{") || target.issuer.contains("}") || isShared else { return nil }
            return Finding(
                "The issuer stands for many tenants: INVALID_IDP_RESPONSE.",
                at: "issuer",
                expected: "the issuer of one tenant, with its identifier in the path",
                found: target.issuer.shown(),
                fix: "Register the tenant's own issuer, as its ID Tokens name it in iss."
            )
        }
    )

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
        finding: { target, _ in
            let types = target.registration.responseTypes
            guard types.count != 1 else { return nil }
            return Finding(
                "\(types.count) response types are switched on: INVALID_CONFIG.",
                at: "registration.response_types",
                expected: "one",
                found: types.map(\.text).joined(separator: ", ").shown(),
                fix: "Switch on code, or id_token when the provider has no code flow."
            )
        }
    )

    package static let all: [Check] = [
        providerIDIsLowerCase, issuerUsesHTTPS, issuerIsNoTemplate, hasOneResponseType,
    ]
}
