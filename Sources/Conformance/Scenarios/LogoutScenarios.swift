/// Ends of sessions.
extension Scenario {
    /// A user signs in, logs out through the client, and no longer has a session; signs in again, and does not confirm the logout
    /// requests that the provider must ask about.
    package static let logout = session(
        "logout.by-client",
        "log out as a client does",
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
            Step(
                .again,
                "sign in again",
                .authorize(AuthorizationRequest(session: .signInAgain)),
                requires: ["end_session_endpoint"]
            ),
            Step(
                .again.token,
                "the code of the second sign-in",
                .call(.redeemCode),
                requires: ["end_session_endpoint"]
            ),
            Step(.live, "prompt=none after signing in again", .authorize(silent), requires: ["end_session_endpoint"]),
        ]
            + [
                Step(.other, "another user signs in elsewhere", .authorize(otherUser), conditions: [.otherUser]),
                Step(.other.token, "the code of the other user", .call(.redeemCode), conditions: [.otherUser]),
            ]
            + unconfirmed(.hintOfOtherUser, "log out with the ID Token of the other user", .idToken, [.otherUser])
            + unconfirmed(.clientAlone, "log out with client_id and no ID Token", nil)
            // Last, because a provider whose ID Tokens have no sid may end the session for it.
            + unconfirmed(
                .hintOfEarlierSession,
                "log out with the ID Token of the session that has ended",
                .firstIDToken
            )
    )

    /// A logout request that the provider must ask the user about, who does not answer; then a look whether the session is there.
    private static func unconfirmed(
        _ id: StepID,
        _ title: String,
        _ hint: ParameterValue.Captured?,
        _ conditions: [Condition] = []
    ) -> [Step] {
        let client: EndpointCall.Parameter =
            hint.map { .init("id_token_hint", .captured($0)) } ?? .init("client_id", .captured(.clientID))
        let request = EndSessionRequest(
            [client, .init("post_logout_redirect_uri", .captured(.postLogoutRedirectURI))],
            isConfirmed: false
        )
        return [
            Step(
                id,
                title + ", without confirming it",
                .endSession(request),
                requires: ["end_session_endpoint"],
                conditions: conditions
            ),
            Step(
                id.afterwards,
                "prompt=none after that: " + title,
                .authorize(silent),
                requires: ["end_session_endpoint"],
                conditions: conditions
            ),
        ]
    }

    private static let otherUser: AuthorizationRequest = {
        var request = AuthorizationRequest(session: .signIn)
        request.user = .other
        return request
    }()

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
                .subdomainURI,
                "log out with a subdomain of the registered URI's host",
                .endSession(
                    EndSessionRequest([
                        .init("id_token_hint", .captured(.idToken)),
                        .init("post_logout_redirect_uri", .varied(.postLogoutRedirectURI, .subdomain)),
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
    static let foreignLogoutURI = "https://unregistered.invalid/signed-out"

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
