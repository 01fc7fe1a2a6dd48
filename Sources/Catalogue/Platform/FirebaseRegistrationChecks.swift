package import Conformance

/// Checks of the values that are entered on the platform when the provider is registered.
package enum FirebaseRegistrationChecks {
    static let providerIDIsLowerCase = Check(
        "platform.firebase.provider-id.is-lower-case",
        "The provider ID is in lower case",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "OPERATION_NOT_ALLOWED"),
        why:
            "The platform lower-cases the ID of every sign-in, and returns OPERATION_NOT_ALLOWED if the ID has capitals.",
        reads: Documents.target,
        supersededBy: ["platform.registration.provider-id-is-well-formed"],
        exempt: { target, facts in target.registration.providerID == nil ? RequestRuleChecks.noProviderID(facts) : nil
        },
        finding: { target, _ in
            guard let id = target.registration.providerID, id != id.lowercased() else { return nil }
            return Finding(
                "The provider ID \(id.quoted) has capital letters; the platform returns OPERATION_NOT_ALLOWED.",
                at: "registration.provider_id",
                expected: id.lowercased().shown(),
                found: id.shown(),
                fix: "Register the provider as \(id.lowercased().quoted)."
            )
        }
    )

    static let issuerUsesHTTPS = Check(
        "platform.firebase.issuer.uses-https",
        "The issuer to register is an https URL",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_ISSUER"),
        why: "The platform rejects the registration with INVALID_ISSUER.",
        reads: Documents.target,
        supersededBy: ["discovery.issuer.uses-https"],
        finding: { target, _ in
            guard !target.issuer.lowercased().hasPrefix("https://") else { return nil }
            return Finding(
                "The issuer is not an https URL; the platform returns INVALID_ISSUER.",
                at: "issuer",
                expected: "https://…",
                found: target.issuer.shown(),
                fix: "Serve the provider over https, and register its https issuer."
            )
        }
    )

    static let issuerIsNoTemplate = Check(
        "platform.firebase.issuer.is-a-tenants-own",
        "The issuer belongs to a single tenant",
        .platform,
        .signIn,
        Citation(.identityPlatformObserved, "", "INVALID_IDP_RESPONSE"),
        why: "Tokens contain the tenant's own issuer; the platform compares the two and returns INVALID_IDP_RESPONSE.",
        reads: Documents.target,
        supersededBy: ["discovery.issuer.is-not-a-template"],
        finding: { target, _ in
            let shared = ["common", "organizations", "consumers"]
            let segments = target.issuer.split(separator: "/").map(String.init)
            let isShared =
                target.issuer.contains("://login.microsoftonline.com/") && segments.contains(where: shared.contains)
            guard IssuerDifference.isTemplate(target.issuer) || isShared else { return nil }
            return Finding(
                "The issuer covers many tenants; the platform returns INVALID_IDP_RESPONSE.",
                at: "issuer",
                expected: "the issuer of one tenant, with its identifier in the path",
                found: target.issuer.shown(),
                fix: "Register the tenant's own issuer, exactly as in iss of its ID Tokens."
            )
        }
    )

    static let hasOneResponseType = Check(
        "platform.firebase.response-type.is-exactly-one",
        "The registration enables exactly one response type",
        .platform,
        .signIn,
        Citation(.identityPlatformREST, "OAuthResponseType", "Setting both types to be simultaneously true"),
        why:
            "The platform rejects two response types with INVALID_CONFIG, and uses the implicit flow if none is enabled.",
        reads: Documents.target,
        exempt: { target, _ in target.registration.responseTypes.isEmpty ? Firebase.registrationUnknown : nil },
        finding: { target, _ in
            let types = target.registration.responseTypes
            guard types.count != 1 else { return nil }
            return Finding(
                "The registration enables \(types.count) response types; the platform returns INVALID_CONFIG.",
                at: "registration.response_types",
                expected: "one",
                found: types.map(\.text).joined(separator: ", ").shown(),
                fix: "Enable only code, or only id_token if the provider has no code flow."
            )
        }
    )

    package static let all: [Check] = [providerIDIsLowerCase, issuerUsesHTTPS, issuerIsNoTemplate, hasOneResponseType]
}
