internal import Conformance

/// Gitea: the options of `gitea admin auth add-oauth` (Gitea documentation, command line), as members of their names.
extension RegistrationPlatform {
    package static let gitea = signingIn(
        "gitea",
        title: "Gitea, the options of gitea admin auth add-oauth as JSON",
        product: "Gitea",
        profile: "gitea",
        comments: .beside,
        callback: ("/callback", "https://GITEA/user/oauth2/NAME/callback"),
        objections: { target in
            target.scopes.filter { $0.contains(",") }
                .map { "the scope \($0.quoted) cannot be written for Gitea, which separates scopes by commas" }
        },
        text: { context in
            JSONText.write(
                .members([
                    "name": .text(Gitea.name(context)),
                    "provider": .text("openidConnect"),
                    "key": .text(context.flow.clientID),
                    "auto-discover-url": .text(context.document),
                    "scopes": .texts(context.flow.scopes),
                ])
            )
        },
        commands: { _, file in
            [
                "jq -j 'to_entries[] | .key as $name | (.value | if type == \"array\" then .[] else . end)"
                    + " | \"--\\($name)=\\(.)\\u0000\"' \(file)"
                    + " | xargs -0 gitea admin auth add-oauth --secret \"$OIDC_CLIENT_SECRET\""
            ]
        }
    )
}

enum Gitea {
    /// The name is part of the redirect URI, so that of the tested one comes first.
    static func name(_ context: RegistrationContext) -> String {
        let tested = context.target.redirectURI?.wholeMatch(of: #/https?://[^?#]+/user/oauth2/([^/?#%]+)/callback/#)
        return tested.map { String($0.1) } ?? context.identifier
    }
}
