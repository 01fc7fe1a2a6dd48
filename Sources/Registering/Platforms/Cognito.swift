internal import Conformance

/// Amazon Cognito user pools: `CreateIdentityProvider` with the type OIDC.
extension RegistrationPlatform {
    package static let cognito = RegistrationPlatform(
        name: "cognito",
        otherNames: ["aws-cognito"],
        title: "Amazon Cognito, the input of the AWS command line",
        profiles: { _ in ["aws-cognito"] },
        comments: .beside,
        responseTypes: { _ in ["code"] },
        demands: { target, _ in Cognito.demands(target) },
        objections: { ConfigurationRequirement.issuer($0, "Cognito", ports: ["80", "443"]) },
        draft: { context in
            Draft(
                text: JSONText.write(
                    .members([
                        "ProviderName": .text(context.name),
                        "ProviderType": .text("OIDC"),
                        "ProviderDetails": Cognito.details(context),
                        "AttributeMapping": Cognito.mapping(context),
                    ])
                ),
                commands: { file in
                    [
                        "jq '.ProviderDetails.client_secret = env.OIDC_CLIENT_SECRET' \(file)"
                            + " | aws cognito-idp create-identity-provider --user-pool-id \"$USER_POOL_ID\""
                            + " --cli-input-json file:///dev/stdin"
                    ]
                },
                notes: Cognito.notes(context.target)
            )
        }
    )

    package static let cognitoTerraform = RegistrationPlatform(
        name: "cognito-terraform",
        otherNames: ["aws-cognito-terraform"],
        title: "Amazon Cognito, Terraform",
        profiles: { _ in ["aws-cognito"] },
        comments: .lines("#"),
        responseTypes: { _ in ["code"] },
        demands: { target, _ in Cognito.demands(target) },
        objections: { ConfigurationRequirement.issuer($0, "Cognito", ports: ["80", "443"]) },
        draft: { context in
            Draft(
                text: TerraformText(
                    "aws_cognito_identity_provider",
                    label: context.name,
                    [
                        "user_pool_id": .reference(.userPool),
                        "provider_name": .text(context.name),
                        "provider_type": .text("OIDC"),
                        "provider_details": Cognito.details(context),
                        "attribute_mapping": Cognito.mapping(context),
                    ]
                )
                .text(),
                commands: { _ in Terraform.apply },
                notes: Cognito.notes(context.target)
            )
        }
    )
}

/// The registration at a user pool, in both formats.
enum Cognito {
    static func demands(_ target: Target) -> [String] {
        ConfigurationRequirement.flow(target, "code", "Cognito")
            + ConfigurationRequirement.secret(target, of: "code", "Cognito")
            + name(ProviderName.short(target))
    }

    /// `ProviderName`: 3 to 32 characters without white space that neither begin nor end with an underscore.
    ///
    /// Stricter than the service's own pattern, which depends on Unicode categories.
    private static func name(_ name: String) -> [String] {
        if name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]{1,30}[A-Za-z0-9]/#) != nil { return [] }
        return [
            "registration.provider_id: Cognito requires a name of 3 to 32 letters, digits, - . _; not \(name.quoted)"
        ]
    }

    /// The endpoints are omitted, because Cognito discovers them from the issuer.
    static func details(_ context: RegistrationContext) -> Node {
        .members([
            "oidc_issuer": .text(context.target.issuer),
            "client_id": .text(context.flow.clientID),
            "client_secret": .reference(.clientSecret),
            "authorize_scopes": .text(context.flow.scopes.joined(separator: " ")),
            "attributes_request_method": .text(context.flow.userInfoMethod ?? "GET"),
        ])
    }

    /// String attributes of the pool with the name of a standard claim (OpenID Connect Core section 5.1).
    private static let attributes = [
        "email", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile",
        "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    ]

    static func mapping(_ context: RegistrationContext) -> Node {
        let flow = context.flow
        var names = attributes.filter { flow.contains($0, .text) }
        for (flag, claim) in [("email_verified", "email"), ("phone_number_verified", "phone_number")]
        where names.contains(claim) && flow.contains(flag, .flag, .text) { names.append(flag) }
        return .map(
            [.init(name: "username", value: .text("sub"))] + names.map { .init(name: $0, value: .text($0)) }
        )
    }

    static func notes(_ target: Target) -> [String] {
        Note.callback(target, "/oauth2/idpresponse", "https://DOMAIN.auth.REGION.amazoncognito.com/oauth2/idpresponse")
            + Note.parameters(target)
    }
}
