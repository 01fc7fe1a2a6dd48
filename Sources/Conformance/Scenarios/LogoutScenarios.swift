/// Ends of sessions.
extension Scenario {
    /// A user signs in, logs out through the client, and no longer has a session.
    package static let logout = session(
        "logout.by-client",
        "log out as a client does it",
        [
            Step(
                .logout,
                "log out with ID Token, post-logout redirect URI and state",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.idToken)),
                        .init("post_logout_redirect_uri", .captured(.postLogoutRedirectURI)),
                        .init("state", .text(logoutState)),
                    ])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(.stillThere, "prompt=none afterwards", .authorize(silent), requires: ["end_session_endpoint"]),
        ]
    )

    /// Logout requests after which the provider must not redirect, in one session; the last one ends it at the latest.
    package static let logoutAstray = session(
        "logout.astray",
        "log out with requests that must not redirect",
        [
            Step(
                .unregisteredURI,
                "log out with a post-logout redirect URI that is not registered",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.idToken)),
                        .init("post_logout_redirect_uri", .text(foreignLogoutURI)),
                    ])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .extendedURI,
                "log out with a query added to the registered URI",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.idToken)),
                        .init(
                            "post_logout_redirect_uri",
                            .extended(.postLogoutRedirectURI, by: "?preflight=added")
                        ),
                    ])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .forgedHint,
                "log out with an ID Token with an invalid signature",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.forgedIDToken)),
                        .init("post_logout_redirect_uri", .captured(.postLogoutRedirectURI)),
                    ])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .noHint,
                "log out with the registered URI and nothing that identifies the client",
                .endSession(
                    EndSessionRequest([.init("post_logout_redirect_uri", .captured(.postLogoutRedirectURI))])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .onlyHint,
                "log out with an ID Token and no address to return to",
                .endSession(EndSessionRequest([.init("id_token_hint", .captured(.idToken))])),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .onlyState,
                "log out with state only",
                .endSession(EndSessionRequest([.init("state", .text(logoutState))])),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .noState,
                "log out with ID Token and post-logout redirect URI, without state",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.idToken)),
                        .init("post_logout_redirect_uri", .captured(.postLogoutRedirectURI)),
                    ])
                ),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .nothing,
                "log out without any parameter",
                .endSession(EndSessionRequest([])),
                requires: ["end_session_endpoint"]
            ),
        ]
    )

    static let logouts: [Scenario] = [logout, logoutAstray]

    /// The state of logout requests: every character that encodings like to change.
    package static let logoutState = "preflight-+/=~%&logout"
    /// Its host is reserved and cannot belong to anyone (RFC 2606 section 2).
    package static let foreignLogoutURI = "https://unregistered.invalid/signed-out"

    private static let silent: AuthorizationRequest = {
        var request = AuthorizationRequest(session: .asItIs)
        request.changes = [.set("prompt", "none")]
        return request
    }()

    /// A session of its own, because it is ended.
    private static func session(_ id: ScenarioID, _ title: String, _ steps: [Step]) -> Scenario {
        let request = AuthorizationRequest(session: .signIn)
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request), .redeem()] + steps)
        scenario.conditions = [.endSession]
        return scenario
    }
}
