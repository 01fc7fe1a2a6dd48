/// The scenarios that exist.
extension Scenario {
    /// An ordinary sign-in by one response type; a code is redeemed, an access token opens UserInfo.
    package static func flow(_ type: ResponseType) -> Scenario {
        var scenario = Scenario(
            id: .flow(type),
            title: "sign in with response_type \(type)",
            tier: .full,
            steps: [.authorize(AuthorizationRequest(responseType: type, session: .signIn))]
        )
        if type.hasCode { scenario.steps.append(.redeem()) }
        if type.hasCode || type.hasToken {
            scenario.steps.append(Step(.userInfo, nil, .call(.userInfo), requires: ["userinfo_endpoint"]))
        }
        if type.hasCode, type.hasToken {
            scenario.steps.append(
                Step(
                    .frontChannelUserInfo,
                    "UserInfo with the access token of the authorization endpoint",
                    .call(.userInfo.with { $0.bearer = .earlierAccessToken }),
                    requires: ["userinfo_endpoint"]
                )
            )
        }
        return scenario
    }

    /// A redirect URI that was never registered: its host is reserved and cannot belong to anyone (RFC 2606 section 2).
    package static let unregisteredRedirectURI = probe(
        "probe.unregistered-redirect-uri",
        "an authorization request with a redirect URI that is not registered",
        session: .signInIfAsked,
        isSilentBelowFull: true,
        changes: [.set("redirect_uri", .text(foreignRedirectURI))]
    )

    package static let foreignRedirectURI = "https://unregistered.invalid/callback"

    package static let promptNone = probe(
        "probe.prompt-none",
        "prompt=none without a session",
        changes: [.set("prompt", "none")]
    )

    package static let unknownParameter = probe(
        "probe.unknown-parameter",
        "an authorization request with a parameter that no specification defines",
        changes: [.set("preflight_unknown", "1")]
    )

    package static let missingResponseType = probe(
        "probe.missing-response-type",
        "an authorization request without response_type",
        session: .signInIfAsked,
        changes: [.remove("response_type")]
    )

    /// Exactly what the relying platform of the profile sends: its parameters, and no PKCE when it sends none.
    package static let asThePlatformSends: Scenario = {
        var request = AuthorizationRequest(session: .none)
        request.isAsThePlatformSends = true
        request.isPlain = true
        return Scenario(
            id: "probe.as-the-platform-sends",
            title: "the authorization request exactly as the relying platform sends it",
            tier: .unauthenticated,
            steps: [.authorize(request)]
        )
    }()

    /// A request that no client sends: a page of its own redirects the user (RFC 9700 section 2.6).
    package static let requestedByScript: Scenario = {
        var request = AuthorizationRequest(session: .none)
        request.isOfAScript = true
        return Scenario(
            id: "probe.asked-by-a-script",
            title: "an authorization request that a script of the client's pages sends",
            tier: .unauthenticated,
            steps: [.authorize(request)]
        )
    }()

    /// An ID Token from the authorization endpoint is requested without a nonce.
    ///
    /// A user signs in, because a provider may check the nonce only when it issues the token.
    package static let missingNonce: Scenario = {
        var request = AuthorizationRequest(responseType: "id_token", session: .shared)
        request.sendsNonce = false
        var scenario = Scenario(
            id: "probe.missing-nonce",
            title: "response_type id_token without a nonce",
            tier: .full,
            steps: [.authorize(request)]
        )
        // Without a front-channel flow, no rule requires rejecting a missing nonce (Core section 3.2.2.1).
        scenario.conditions = [.frontChannelIDToken]
        return scenario
    }()

    /// A code that was never issued, sent with the client's own secret or with a wrong one.
    package static func bogusCode(_ method: ClientAuthentication, secretIsRight: Bool) -> Scenario {
        var scenario = Scenario(
            id: .bogusCode(method, secretIsRight: secretIsRight),
            title: "a bogus code with \(method == .none ? "no client authentication" : method.rawValue)"
                + (method == .none ? "" : secretIsRight ? " and the right secret" : " and a wrong secret"),
            tier: .unauthenticated,
            steps: [Step(.token, nil, .call(.bogusCode(method, secretIsRight: secretIsRight)))]
        )
        scenario.declaredOrdinary = .bogusCode(secretIsRight ? nil : method)
        return scenario
    }

    /// The requests of the unauthenticated tier that are as old as the tool.
    private static let probes = [
        unregisteredRedirectURI, promptNone, unknownParameter, missingResponseType, asThePlatformSends,
    ]

    private static let bogusCodes = ClientAuthentication.allCases.flatMap { method in
        [true, false].filter { $0 || method != .none }.map { bogusCode(method, secretIsRight: $0) }
    }

    /// Every scenario except the configured flows, in the order of a plan.
    package static let catalogue: [Scenario] =
        probes + bogusCodes + [missingNonce, requestedByScript] + authorizationRequests + requestObjects + sessions
        + tokenRequests + tokenLives + registrations + logouts + userAPIs + platforms

    /// The scenario of that name; `nil` for a flow, which is made from its response type.
    package static func named(_ id: ScenarioID) -> Scenario? { byID[id] }

    private static let byID = Dictionary(uniqueKeysWithValues: catalogue.map { ($0.id, $0) })

    private static func probe(
        _ id: ScenarioID,
        _ title: String,
        session: AuthorizationRequest.Session = .none,
        isSilentBelowFull: Bool = false,
        changes: [ParameterChange]
    ) -> Scenario {
        var request = AuthorizationRequest(session: session)
        request.isSilentBelowFull = isSilentBelowFull
        request.changes = changes
        return Scenario(id: id, title: title, tier: .unauthenticated, steps: [.authorize(request)])
    }
}

extension ScenarioID {
    package static func bogusCode(_ method: ClientAuthentication, secretIsRight: Bool) -> ScenarioID {
        ScenarioID("probe.token.\(method.rawValue).\(secretIsRight ? "right" : "wrong")-secret")
    }

    /// The scenarios of bogus codes, with the right secret or with a wrong one, by the method; a client without a secret sends
    /// no wrong one.
    package static func bogusCodes(secretIsRight: Bool) -> [ScenarioID] {
        ClientAuthentication.allCases.filter { secretIsRight || $0 != .none }
            .map { .bogusCode($0, secretIsRight: secretIsRight) }
    }

    /// The lowest tier in which the scenario runs.
    var tier: Tier { Scenario.named(self)?.tier ?? .full }
}

extension Scenario {
    /// Why it makes no sense for the target; `nil` when it does.
    package func whyUnmet(_ target: Target) -> String? {
        if let flow, !target.flows.contains(flow) { return "the configuration does not name the flow \(flow)" }
        if let scope,
            !target.scopes.contains("openid") || !target.scopes.contains(scope)
                || !Self.scopesOfClaims.contains(where: { $0 != scope && target.scopes.contains($0) })
        {
            return "the configuration does not request the scope \(scope) together with another that returns claims"
        }
        return conditions.lazy.compactMap { $0.whyUnmet(target) }.first
    }
}

extension Scenario.Condition {
    /// Why it is not met; `nil` when it is.
    package func whyUnmet(_ target: Target) -> String? {
        switch self {
        case .codeFlow: target.flows.contains(where: \.hasCode) ? nil : "no configured flow has a code"
        case .frontChannelIDToken:
            target.flows.contains(where: \.hasIDToken)
                ? nil : "no configured flow returns an ID Token from the authorization endpoint"
        case .accessToken:
            target.flows.contains { $0.hasCode || $0.hasToken } ? nil : "no configured flow yields an access token"
        case .endSession:
            target.logout.postLogoutRedirectURI == nil
                ? "no logout.post_logout_redirect_uri in the configuration" : nil
        case .idToken:
            target.flows.contains { $0.hasCode || $0.hasIDToken } ? nil : "no configured flow returns an ID Token"
        case .otherUser:
            target.hasOtherPerson == true ? nil : "the configuration names no second user (sign_in.other)"
        case .otherEmailUnverified:
            target.otherEmailIsVerified == false
                ? nil : "the configuration does not say sign_in.other.email_is_verified: false"
        case .confidentialClient: Self.codeClient(target)?.isConfidential == true ? nil : "the client has no secret"
        case .pkce:
            Self.codeClient(target)?.sendsPKCE == false ? "the client does not use PKCE (client.pkce: false)" : nil
        case .noPKCE: Self.codeClient(target)?.sendsPKCE == false ? nil : "the client uses PKCE"
        case .publicClient: Self.codeClient(target)?.isConfidential == false ? nil : "the client has credentials"
        case .basicClient:
            Self.codeClient(target)?.authentication == .clientSecretBasic
                ? nil : "the client does not authenticate with client_secret_basic"
        case .postClient:
            Self.codeClient(target)?.authentication == .clientSecretPost
                ? nil : "the client does not authenticate with client_secret_post"
        case .assertionClient:
            Self.codeClient(target)?.authentication.usesAssertion == true
                ? nil : "the client does not authenticate with a signed assertion"
        case .ordinaryResponseMode:
            target.customParameters.contains { $0.name == "response_mode" }
                ? "custom_parameters contains a response_mode, which the provider may require" : nil
        case .otherClient:
            target.otherClient == nil || target.otherClient?.id == Self.codeClient(target)?.id
                ? "the configuration names no other_client" : nil
        case .dynamicRegistration:
            target.dynamicRegistration?.isEnabled == true
                ? nil
                : "dynamic client registration is off; set dynamic_registration: { enabled: true } in the configuration "
                    + "to enable it"
        case .initialAccessToken:
            target.dynamicRegistration?.hasInitialAccessToken == true
                ? nil : "the configuration names no dynamic_registration.initial_access_token"
        case .servedDocuments: target.dynamicRegistration?.whyNothingIsServed(to: target.issuer)
        }
    }

    /// The client of the code flow, or the one that would be.
    private static func codeClient(_ target: Target) -> Client? {
        target.client(for: target.flows.first(where: \.hasCode) ?? "code")
    }
}
