/// The life of tokens: refreshing, revoking, introspecting, and UserInfo requested in every way.
extension Scenario {
    static let tokenLives: [Scenario] = [
        refresh, accessTokenLife, revokeRefreshToken, userInfoRefusals,
    ]

    /// A refresh token is used, and then misused.
    ///
    /// The code is requested without the scopes that return claims, so that the refresh request can exceed it.
    package static let refresh: Scenario = {
        var scenario = withTokens(
            "refresh.tokens",
            "redeem a code and use its refresh token",
            isOffline: true,
            scopes()
        )
        scenario.steps += [
            Step(.refresh, "the refresh token", .call(.refresh)),
            Step(.userInfo, "UserInfo with the new access token", .call(.userInfo)),
            Step(.refreshAgain, "the refresh token once more, or the one that replaced it", .call(.refresh)),
            Step(
                .wider,
                "a refresh token with more scopes than were granted",
                .call(.refresh.with { $0.widensScope = true })
            )
            .comparedWith(.step(.refreshAgain)),
            Step(
                .otherClient,
                "the refresh token used by another client",
                .call(.refresh.with { $0.authentication = .otherClient }),
                conditions: [.otherClient]
            )
            .comparedWith(.step(.refreshAgain)),
            Step(
                .wrongSecret,
                "the refresh token with wrong client credentials",
                .call(.refresh.with { $0.authentication = .wrongSecret(nil) }),
                conditions: [.confidentialClient]
            )
            .comparedWith(.step(.refreshAgain)),
            Step(
                .identifierOnly,
                "the refresh token with only the client identifier",
                .call(.refresh.with { $0.authentication = .identifierOnly }),
                conditions: [.confidentialClient]
            )
            .comparedWith(.step(.refreshAgain)),
            Step(
                .bogus,
                "a refresh token that was never issued",
                // Only a provider that issues refresh tokens owes this client an opinion on one.
                .call(.refresh.with { $0.changes = [.set("refresh_token", .captured(.bogus))] })
            )
            .comparedWith(.step(.refreshAgain)),
            Step(
                .replaced,
                "the refresh token that was replaced by another",
                .call(.refresh.with { $0.parameters[1].value = .captured(.earlierRefreshToken) })
            )
            .comparedWith(.step(.refreshAgain)),
        ]
        return scenario
    }()

    /// One access token is used at UserInfo in every way that RFC 6750 defines.
    ///
    /// It is introspected and revoked without credentials, with a wrong secret and by its client, and then used once more.
    package static let accessTokenLife: Scenario = {
        var scenario = withTokens("token.access-token-life", "use, introspect and revoke an access token")
        scenario.steps += userInfoWays + introspections + revocations
        return scenario
    }()

    private static let userInfoWays: [Step] = {
        let inBody = EndpointCall(
            "userinfo_endpoint",
            parameters: [EndpointCall.Parameter("access_token", .captured(.accessToken))]
        )
        return [
            Step(.get, "GET with the token in the header", .call(.userInfo)),
            Step(
                .lowerCaseScheme,
                "GET with the scheme bearer in lower case",
                .call(.userInfo.with { $0.hasLowerCaseScheme = true })
            ),
            Step(.post, "POST with the token in the header", .call(.userInfo.with { $0.method = "POST" })),
            Step(
                .postWithoutBody,
                "POST with the token in the header, without a body",
                .call(
                    .userInfo.with {
                        $0.method = "POST"
                        $0.hasNoBody = true
                    }
                )
            ),
            Step(.postBody, "POST with the token in the body", .call(inBody)),
            Step(.query, "GET with the token in the address", .call(inBody.with { $0.method = "GET" }))
                .comparedWith(.step(.get)),
            Step(.idToken, "GET with the ID Token", .call(.userInfo.with { $0.bearer = .idToken }))
                .comparedWith(.step(.get)),
            Step(
                .alteredToken,
                "GET with one character of the token replaced",
                .call(.userInfo.with { $0.bearer = .alteredAccessToken })
            )
            .comparedWith(.step(.get)),
        ]
        .map { step in
            var step = step
            step.requires = ["userinfo_endpoint"]
            return step
        }
    }()

    private static let introspections: [Step] = [
        Step(
            .introspectedWithoutClient,
            "the access token introspected without credentials",
            .call(.introspect(.accessToken).with { $0.authentication = .none })
        )
        .comparedWith(.step(.introspectedAlive)),
        Step(
            .introspectedWithWrongSecret,
            "the access token introspected with a wrong secret",
            .call(.introspect(.accessToken).with { $0.authentication = .wrongSecret(nil) })
        )
        .comparedWith(.step(.introspectedAlive)),
        Step(.introspectedAlive, "the access token introspected", .call(.introspect(.accessToken))),
        Step(.introspectedBogus, "a token introspected that was never issued", .call(.introspect(.bogus))),
    ]
    .map(ofIntrospection)

    private static let revocations: [Step] = [
        Step(.revokedBogus, "a token revoked that was never issued", .call(.revoke(.bogus))),
        Step(
            .revokedByOtherClient,
            "the access token revoked by another client",
            .call(.revoke(.accessToken).with { $0.authentication = .otherClient }),
            conditions: [.otherClient]
        ),
        Step(
            .afterOtherClient,
            "UserInfo after the revocation by another client",
            .call(.userInfo),
            requires: ["userinfo_endpoint"],
            conditions: [.otherClient]
        ),
        Step(
            .revokedWithoutClient,
            "the access token revoked without credentials",
            .call(.revoke(.accessToken).with { $0.authentication = .identifierOnly }),
            conditions: [.confidentialClient]
        )
        .comparedWith(.step(.revoke)),
        Step(
            .revokedWithWrongSecret,
            "the access token revoked with a wrong secret",
            .call(.revoke(.accessToken).with { $0.authentication = .wrongSecret(nil) })
        )
        .comparedWith(.step(.revoke)),
        Step(.revoke, "the access token revoked", .call(.revoke(.accessToken))),
        Step(.userInfo, "UserInfo with the revoked token", .call(.userInfo), requires: ["userinfo_endpoint"])
            .comparedWith(.step(.get)),
        ofIntrospection(
            Step(
                .introspectedRevoked,
                "the revoked access token introspected",
                .call(.introspect(.accessToken))
            )
        ),
    ]
    .map { step in
        var step = step
        step.requires.append("revocation_endpoint")
        return step
    }

    /// The rights of a public client in introspection are not specified: it cannot authenticate.
    private static func ofIntrospection(_ step: Step) -> Step {
        var step = step
        step.requires = ["introspection_endpoint"]
        step.conditions = [.confidentialClient]
        return step
    }

    /// A refresh token is revoked, and it and its access token are tried.
    package static let revokeRefreshToken: Scenario = {
        var scenario = withTokens("revocation.refresh-token", "revoke a refresh token", isOffline: true)
        scenario.requires = ["revocation_endpoint"]
        scenario.steps += [
            Step(.revoke, "the refresh token revoked", .call(.revoke(.refreshToken))),
            // Before the next step: many providers end the grant when a refresh token is reused.
            Step(.userInfo, "UserInfo with the access token issued with it", .call(.userInfo))
                .comparedWith(.stepOf(accessTokenLife.id, .get)),
            Step(.refresh, "the revoked token used", .call(.refresh)).comparedWith(.stepOf(refresh.id, .refresh)),
        ]
        return scenario
    }()

    /// UserInfo is requested without a sign-in, and without a valid token.
    package static let userInfoRefusals: Scenario = {
        var scenario = Scenario(
            id: "userinfo.refusals",
            title: "request UserInfo without a valid token",
            tier: .unauthenticated
        )
        scenario.requires = ["userinfo_endpoint"]
        scenario.steps = [
            Step(.noToken, "GET without a token", .call(.userInfo.with { $0.bearer = nil })),
            Step(
                .badToken,
                "GET with a token that was never issued",
                .call(.userInfo.with { $0.bearer = .bogus })
            ),
            Step(
                .postedBadToken,
                "POST with a token in the header that was never issued",
                .call(
                    .userInfo.with {
                        $0.method = "POST"
                        $0.bearer = .bogus
                    }
                )
            ),
            Step(
                .postedBadTokenInBody,
                "POST with a token in the body that was never issued",
                .call(
                    EndpointCall(
                        "userinfo_endpoint",
                        parameters: [EndpointCall.Parameter("access_token", .captured(.bogus))]
                    )
                )
            ),
        ]
        return scenario
    }()

    /// A code flow in a shared browser that returns an access token, and a refresh token if there are any.
    private static func withTokens(
        _ id: ScenarioID,
        _ title: String,
        isOffline: Bool = false,
        _ changes: [ParameterChange] = []
    ) -> Scenario {
        var request = AuthorizationRequest(session: .shared)
        request.asksOfflineAccess = isOffline
        request.changes = changes
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request), .redeem()])
        scenario.conditions = [.codeFlow]
        return scenario
    }
}

extension EndpointCall {
    /// Uses the latest refresh token (RFC 6749 section 6).
    static let refresh: EndpointCall = {
        var call = EndpointCall(
            "token_endpoint",
            parameters: [
                Parameter("grant_type", "refresh_token"), Parameter("refresh_token", .captured(.refreshToken)),
            ]
        )
        call.authentication = .asRegistered
        return call
    }()

    /// Revokes a token (RFC 7009 section 2.1).
    static func revoke(_ token: ParameterValue.Captured) -> EndpointCall {
        naming(token, at: "revocation_endpoint")
    }

    /// Asks what a token is worth (RFC 7662 section 2.1).
    static func introspect(_ token: ParameterValue.Captured) -> EndpointCall {
        naming(token, at: "introspection_endpoint")
    }

    private static func naming(_ token: ParameterValue.Captured, at endpoint: String) -> EndpointCall {
        var call = EndpointCall(endpoint, parameters: [Parameter("token", .captured(token))])
        switch token {
        case .accessToken: call.parameters.append(Parameter("token_type_hint", "access_token"))
        case .refreshToken: call.parameters.append(Parameter("token_type_hint", "refresh_token"))
        default: break
        }
        call.authentication = .asRegistered
        return call
    }
}
