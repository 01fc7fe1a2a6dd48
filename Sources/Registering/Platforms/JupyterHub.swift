internal import Conformance

/// JupyterHub: lines of `jupyterhub_config.py` (oauthenticator documentation, generic OAuthenticator).
extension RegistrationPlatform {
    package static let jupyterHub = signingIn(
        "jupyterhub",
        title: "JupyterHub GenericOAuthenticator, Python",
        product: "JupyterHub",
        profile: "jupyterhub",
        comments: .lines("#"),
        endpoints: ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"],
        callback: ("/hub/oauth_callback", "https://HUB/hub/oauth_callback"),
        text: JupyterHub.text,
        commands: { _, _ in [] },
        notes: { _ in
            [
                "Add the lines to jupyterhub_config.py, set OIDC_CLIENT_SECRET in the environment of the hub, and choose who may"
                    + " sign in with allowed_users, allowed_groups or allow_all.",
                "JupyterHub does not read the discovery document: change the addresses when the provider moves them.",
            ]
        }
    )
}

enum JupyterHub {
    static func text(_ context: RegistrationContext) -> String {
        let flow = context.flow
        // The user name comes from UserInfo, because userdata_url is set.
        let claim = ["preferred_username", "email", "sub"]
            .first { name in
                flow.userInfoClaims.contains { $0.name == name && $0.kind == .text }
            }
        let settings: [(String, String?)] = [
            ("client_id", QuotedText.python(flow.clientID)),
            ("client_secret", "os.environ[\"\(Reference.clientSecret.environment)\"]"),
            ("oauth_callback_url", context.target.redirectURI.map(QuotedText.python)),
            ("authorize_url", context.endpoints["authorization_endpoint"].map(QuotedText.python)),
            ("token_url", context.endpoints["token_endpoint"].map(QuotedText.python)),
            ("userdata_url", context.endpoints["userinfo_endpoint"].map(QuotedText.python)),
            ("scope", "[" + flow.scopes.map(QuotedText.python).joined(separator: ", ") + "]"),
            ("username_claim", claim.map(QuotedText.python)), ("login_service", QuotedText.python(context.name)),
        ]
        let lines = settings.compactMap { name, value in value.map { "c.GenericOAuthenticator.\(name) = \($0)" } }
        let head = ["import os", "", "c.JupyterHub.authenticator_class = \"generic\""]
        return (head + lines).joined(separator: "\n") + "\n"
    }
}
