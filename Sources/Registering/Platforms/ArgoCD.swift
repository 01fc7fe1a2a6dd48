internal import Conformance

/// Argo CD: the key `oidc.config` of the ConfigMap `argocd-cm` (Argo CD documentation, user management, existing OIDC provider).
extension RegistrationPlatform {
    package static let argoCD = signingIn(
        "argo-cd",
        title: "Argo CD oidc.config, a patch of argocd-cm, YAML",
        product: "Argo CD",
        profile: "argo-cd",
        comments: .lines("#"),
        callback: ("/auth/callback", "https://ARGOCD/auth/callback"),
        objections: { target in
            // A value that begins with a dollar sign names a key of a Secret.
            let id = target.client(for: "code")?.id ?? ""
            return ([id] + target.scopes).filter { $0.hasPrefix("$") }
                .map { "Argo CD reads \($0.quoted) as the name of a secret" }
        },
        text: { context in
            let inner = YAMLText.write(ArgoCD.config(context)).split(separator: "\n").map { "    " + $0 + "\n" }
                .joined()
            return "data:\n  oidc.config: |\n" + inner
        },
        commands: { context, file in
            [
                "jq -n '{stringData: {\"\(ArgoCD.secret(context))\": env.OIDC_CLIENT_SECRET}}'"
                    + " | kubectl -n argocd patch secret argocd-secret --patch-file /dev/stdin",
                "kubectl -n argocd patch configmap argocd-cm --patch-file \(file)",
            ]
        }
    )
}

enum ArgoCD {
    /// The key of the client secret in the Secret `argocd-secret`.
    static func secret(_ context: RegistrationContext) -> String { "oidc.\(context.identifier).clientSecret" }

    static func config(_ context: RegistrationContext) -> Node {
        .members([
            "name": .text(context.name),
            "issuer": .text(context.target.issuer),
            "clientID": .text(context.flow.clientID),
            "clientSecret": .text("$" + secret(context)),
            "requestedScopes": .texts(context.flow.scopes),
        ])
    }
}
