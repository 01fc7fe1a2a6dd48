internal import Conformance

/// Identity Platform: `projects.oauthIdpConfigs.create` and `projects.defaultSupportedIdpConfigs.create` (REST v2).
extension RegistrationPlatform {
    package static let identityPlatform = RegistrationPlatform(
        name: "identity-platform",
        otherNames: [
            "firebase-oidc", "firebase-github", "firebase-microsoft", "firebase-twitter", "firebase-yahoo",
            "google-identity-platform",
        ],
        title: "Firebase / Identity Platform, the body of the REST request",
        profiles: IdentityPlatform.profiles,
        comments: .beside,
        responseTypes: IdentityPlatform.responseTypes,
        proof: IdentityPlatform.proof,
        demands: { target, _ in IdentityPlatform.demands(target) },
        objections: IdentityPlatform.objections,
        draft: { context in
            let target = context.target
            let id = QuotedText.percentEncoded(target.registration.providerID ?? "")
            let isKnown = ProviderName.isKnownToFirebase(target)
            let hasSecret = IdentityPlatform.takesSecret(context)
            return Draft(
                text: JSONText.write(isKnown ? IdentityPlatform.known(context) : IdentityPlatform.custom(context)),
                commands: { file in
                    let body = hasSecret ? "jq '.clientSecret = env.OIDC_CLIENT_SECRET' \(file)" : "cat \(file)"
                    let resource = isKnown ? "defaultSupportedIdpConfigs?idpId" : "oauthIdpConfigs?oauthIdpConfigId"
                    return [
                        "\(body) | curl --fail-with-body --data @- --header 'Content-Type: application/json'"
                            + " --header \"Authorization: Bearer $(gcloud auth print-access-token)\""
                            + " --header \"x-goog-user-project: $PROJECT\""
                            + " \"https://identitytoolkit.googleapis.com/v2/projects/$PROJECT${TENANT:+/tenants/$TENANT}"
                            + "/\(resource)=\(id)\""
                    ]
                },
                notes: IdentityPlatform.notes(target) + ["Set TENANT to register it for one tenant."]
            )
        }
    )

    package static let identityPlatformTerraform = RegistrationPlatform(
        name: "identity-platform-terraform",
        otherNames: ["google-identity-platform-terraform"],
        title: "Firebase / Identity Platform, Terraform",
        profiles: IdentityPlatform.profiles,
        comments: .lines("#"),
        responseTypes: IdentityPlatform.responseTypes,
        proof: IdentityPlatform.proof,
        demands: { target, _ in IdentityPlatform.demands(target) },
        objections: IdentityPlatform.objections,
        draft: { context in
            let target = context.target
            let isKnown = ProviderName.isKnownToFirebase(target)
            return Draft(
                text: isKnown ? IdentityPlatform.knownTerraform(context) : IdentityPlatform.customTerraform(context),
                commands: { _ in IdentityPlatform.takesSecret(context) ? Terraform.apply : Terraform.applyWithoutSecret
                },
                notes: IdentityPlatform.notes(target)
            )
        }
    )
}

/// The registration at Identity Platform, in both formats.
enum IdentityPlatform {
    /// The platform supports four providers by name, each with its own rules.
    static func profiles(_ target: Target) -> [String] {
        let known = [
            "github.com": "firebase-github", "microsoft.com": "firebase-microsoft", "twitter.com": "firebase-twitter",
            "yahoo.com": "firebase-yahoo",
        ]
        return [target.registration.providerID.flatMap { known[$0] }, "firebase-oidc"].compactMap(\.self)
    }

    /// The response type to enable; code first if the configuration does not decide, but never without a secret.
    static func responseTypes(_ target: Target) -> [ResponseType] {
        // A provider with a name is registered with client ID and secret only, which means the code flow.
        if ProviderName.isKnownToFirebase(target) { return ["code"] }
        let usable: [ResponseType] = ["code", "id_token"]
        let stated = target.registration.responseTypes.filter(usable.contains)
        return (stated.isEmpty ? usable.filter(target.flows.contains) : stated)
            .filter { !$0.hasCode || target.client(for: $0)?.hasSecret == true }
    }

    /// The proof that users can sign in: GitHub issues no ID Token, and Twitter uses OAuth 1.0a.
    static func proof(_ target: Target) -> NeededProof {
        switch target.registration.providerID {
        case "github.com": .flow
        case "twitter.com": .oauth1
        default: .idToken
        }
    }

    static func demands(_ target: Target) -> [String] {
        guard let id = target.registration.providerID else {
            return ["the platform requires a name for every provider: add  registration: { provider_id: oidc.… }"]
        }
        if ProviderName.isKnownToFirebase(target) {
            let flow =
                proof(target) == .oauth1 ? [] : ConfigurationRequirement.flow(target, "code", "Identity Platform")
            return ConfigurationRequirement.secret(target, of: "code", "Identity Platform") + flow
        }
        return providerID(id) + oneResponseType(target)
    }

    static func objections(_ target: Target) -> [String] {
        ProviderName.isKnownToFirebase(target) ? [] : ConfigurationRequirement.issuer(target, "Identity Platform")
    }

    /// The platform returns INVALID_CONFIG_ID for a name outside this grammar.
    static func providerID(_ id: String) -> [String] {
        if id.wholeMatch(of: #/oidc\.[a-z][A-Za-z0-9._-]*[A-Za-z0-9]/#) != nil { return [] }
        let names = ProviderName.knownToFirebase.joined(separator: ", ")
        return [
            ProviderName.withoutRules.contains(id)
                ? "registration.provider_id: no profile has the rules for \(id), so nothing would be proven; register it"
                    + " manually. Supported here: oidc.…, \(names)"
                : "registration.provider_id \(id.quoted) is neither oidc.… nor one of \(names)"
        ]
    }

    private static func oneResponseType(_ target: Target) -> [String] {
        let stated = target.registration.responseTypes
        if stated.count > 1 {
            return ["registration.response_types: the platform accepts exactly one of code and id_token"]
        }
        if let type = responseTypes(target).first {
            return ConfigurationRequirement.flow(target, type, "Identity Platform")
        }
        if stated == ["code"] || (stated.isEmpty && target.flows.contains("code")) {
            return ConfigurationRequirement.secret(target, of: "code", "for the code flow Identity Platform")
        }
        return ["the platform signs in with response_type code or id_token: add one of them to flows"]
    }

    static func takesSecret(_ context: RegistrationContext) -> Bool {
        ProviderName.isKnownToFirebase(context.target) || context.flow.responseType.hasCode
    }

    /// `OAuthIdpConfig`; without `enabled` the provider is off, and without a response type the flow is implicit, so both
    /// are always written.
    static func custom(_ context: RegistrationContext) -> Node {
        let hasCode = context.flow.responseType.hasCode
        var members = members(context)
        if hasCode { members.append(.init(name: "clientSecret", value: .reference(.clientSecret))) }
        members.append(
            .init(name: "responseType", value: .map([.init(name: hasCode ? "code" : "idToken", value: .flag(true))]))
        )
        return .map(members)
    }

    private static func members(_ context: RegistrationContext) -> [Node.Member] {
        [
            .init(name: "displayName", value: .text(context.name)),
            .init(name: "enabled", value: .flag(true)),
            .init(name: "issuer", value: .text(context.target.issuer)),
            .init(name: "clientId", value: .text(context.flow.clientID)),
        ]
    }

    /// `DefaultSupportedIdpConfig`.
    static func known(_ context: RegistrationContext) -> Node {
        .members([
            "enabled": .flag(true),
            "clientId": .text(clientID(context)),
            "clientSecret": .reference(.clientSecret),
        ])
    }

    static func customTerraform(_ context: RegistrationContext) -> String {
        let hasCode = context.flow.responseType.hasCode
        return TerraformText(
            "google_identity_platform_oauth_idp_config",
            label: context.name,
            [
                "name": .text(context.target.registration.providerID ?? ""),
                "display_name": .text(context.name),
                "enabled": .flag(true),
                "issuer": .text(context.target.issuer),
                "client_id": .text(context.flow.clientID),
                "client_secret": hasCode ? .reference(.clientSecret) : nil,
            ],
            blocks: [("response_type", [.init(name: hasCode ? "code" : "id_token", value: .flag(true))])]
        )
        .text()
    }

    static func knownTerraform(_ context: RegistrationContext) -> String {
        TerraformText(
            "google_identity_platform_default_supported_idp_config",
            label: context.name,
            [
                "enabled": .flag(true),
                "idp_id": .text(context.target.registration.providerID ?? ""),
                "client_id": .text(clientID(context)),
                "client_secret": .reference(.clientSecret),
            ]
        )
        .text()
    }

    private static func clientID(_ context: RegistrationContext) -> String {
        context.target.client?.id ?? context.flow.clientID
    }

    static func notes(_ target: Target) -> [String] {
        // Firebase documentation, web and mobile guides to OpenID Connect providers.
        (ProviderName.isKnownToFirebase(target)
            ? []
            : [
                "A Firebase project accepts this provider only after an upgrade to Firebase Authentication with Identity Platform."
            ])
            + Note.callback(target, "/__/auth/handler", "https://PROJECT.firebaseapp.com/__/auth/handler")
            + Note.parameters(target).map { $0 + " The app sets them: use register --for swift." }
    }
}

/// The Terraform commands, with or without the secret.
enum Terraform {
    static let apply = ["TF_VAR_oidc_client_secret=\"$OIDC_CLIENT_SECRET\" terraform apply"]
    static let applyWithoutSecret = ["terraform apply"]
}
