internal import Conformance

/// Kubernetes: `AuthenticationConfiguration` of `apiserver.config.k8s.io/v1`, the file of `--authentication-config`.
extension RegistrationPlatform {
    package static let kubernetes = RegistrationPlatform(
        name: "kubernetes",
        title: "Kubernetes AuthenticationConfiguration, YAML",
        profiles: { _ in ["kubernetes"] },
        comments: .lines("#"),
        responseTypes: { $0.flows },
        objections: { ConfigurationRequirement.issuer($0, "Kubernetes") },
        draft: { context in
            Draft(
                text: YAMLText.write(
                    .members([
                        "apiVersion": .text("apiserver.config.k8s.io/v1"),
                        "kind": .text("AuthenticationConfiguration"),
                        "jwt": .list([Kubernetes.authenticator(context)]),
                    ])
                ),
                commands: { ["kube-apiserver --authentication-config=\($0)"] },
                notes: [Kubernetes.prefixes] + Note.parameters(context.target)
            )
        }
    )
}

enum Kubernetes {
    static let prefixes =
        "Users and groups have the prefix “oidc:”, so that none is mistaken for one of the cluster's own."

    /// Separates names of the provider from those of the cluster, above all from `system:`.
    private static let prefix = "oidc:"

    /// Uses only claims of the ID Token, because the cluster sees nothing else.
    static func authenticator(_ context: RegistrationContext) -> Node {
        var mappings: [Node.Member] = [.init(name: "username", value: mapping("sub"))]
        if context.flow.idTokenContains("groups", .texts, .text) {
            mappings.append(.init(name: "groups", value: mapping("groups")))
        }
        return .members([
            "issuer": .members([
                "url": .text(context.target.issuer),
                "audiences": .texts([context.flow.clientID]),
            ]),
            "claimMappings": .map(mappings),
        ])
    }

    private static func mapping(_ claim: String) -> Node {
        .members(["claim": .text(claim), "prefix": .text(prefix)])
    }
}
