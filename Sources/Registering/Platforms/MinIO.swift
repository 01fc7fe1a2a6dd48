internal import Conformance

/// MinIO: the parameters of `mc idp openid add` (MinIO documentation, mc idp openid; minio, internal/config/identity/openid).
extension RegistrationPlatform {
    package static let minIO = RegistrationPlatform(
        name: "minio",
        title: "MinIO, the parameters of mc idp openid add as JSON",
        profiles: { _ in ["minio"] },
        comments: .beside,
        responseTypes: { target in
            // Code first, because the console of MinIO uses it.
            target.flows.filter { $0 == "code" } + target.flows.filter { $0 != "code" }
        },
        objections: { target in
            ConfigurationRequirement.plain(target, "MinIO", without: " \t\n\r\"'", "separates parameters by spaces")
                + target.scopes.filter { $0.contains(",") }
                .map { "the scope \($0.quoted) cannot be written for MinIO, which separates scopes by commas" }
        },
        draft: { context in
            Draft(
                text: JSONText.write(
                    .members([
                        "config_url": .text(context.document),
                        "client_id": .text(context.flow.clientID),
                        "scopes": .text(context.flow.scopes.joined(separator: ",")),
                    ])
                ),
                commands: { file in
                    let secret = context.client?.hasSecret == true ? " client_secret=\"$OIDC_CLIENT_SECRET\"" : ""
                    return [
                        "jq -j 'to_entries[] | \"\\(.key)=\\(.value)\\u0000\"' \(file)"
                            + " | xargs -0 mc idp openid add \"$MINIO_ALIAS\" \(context.identifier)"
                            + " role_policy=\"$MINIO_ROLE_POLICY\"\(secret)"
                    ]
                },
                notes: ["MINIO_ROLE_POLICY names the policies of all users of the provider."]
                    + Note.parameters(context.target)
            )
        }
    )
}
