/// Claims parameter, request objects and pushed requests.
extension Scenario {
    static let requestObjects: [Scenario] = [
        claimsParameter, unsignedRequestObject, signedRequestObject, wronglySignedRequestObject, foreignRequestObject,
        unreadableRequestObject, requestURI, pushedRequest, notPushed,
    ]

    /// Claims are requested one by one, one of which does not exist; then another user is requested by `sub`.
    package static let claimsParameter: Scenario = {
        let wanted = """
            {"userinfo":{"name":{"essential":true}},\
            "id_token":{"auth_time":{"essential":true},"name":{"essential":true},\
            "preflight_unknown":{"essential":true}}}
            """
        let stranger = #"{"id_token":{"sub":{"value":"preflight-nobody"}}}"#
        // The claims must come from the parameter.
        let alone = scopes()
        var scenario = object("request.claims", "request claims one by one") { request in
            request.changes = alone + [.set("claims", .text(wanted))]
        }
        var other = AuthorizationRequest(session: .asItIs)
        other.changes = alone + [.set("claims", .text(stranger)), .set("prompt", "none")]
        scenario.steps += [
            .redeem(),
            Step(.userInfo, "UserInfo", .call(.userInfo), requires: ["userinfo_endpoint"]),
            Step(.otherUser, "an unknown user requested by sub, with prompt=none", .authorize(other)),
        ]
        return scenario
    }()

    /// Sent to every provider: one that does not support request objects has to say so.
    package static let unsignedRequestObject = object("request.object-unsigned", "send an unsigned request object") {
        $0.requestObject = .unsigned
    }

    package static let signedRequestObject: Scenario = {
        var scenario = object("request.object-signed", "send a request object signed by the client") {
            $0.requestObject = .signed
        }
        scenario.requires = ["request_parameter_supported"]
        scenario.conditions.append(.confidentialClient)
        return scenario
    }()

    package static let wronglySignedRequestObject: Scenario = {
        var scenario = object("request.object-wrongly-signed", "send a request object with a wrong signature") {
            $0.requestObject = .wronglySigned
        }
        scenario.steps[0] = scenario.steps[0]
            .comparedWith(
                .stepOf(signedRequestObject.id, .authorization),
                .stepOf(unsignedRequestObject.id, .authorization)
            )
        scenario.requires = ["request_parameter_supported"]
        return scenario
    }()

    /// The redirect URI outside the object is registered, and the one in it is not.
    ///
    /// It is sent to every provider: one that states no support may obey the object nevertheless.
    package static let foreignRequestObject = object(
        "request.object-foreign-redirect-uri",
        "send a request object with another redirect URI"
    ) {
        $0.requestObject = .unsigned
        $0.objectChanges = [.set("redirect_uri", .text(foreignRedirectURI))]
    }

    /// Sent to every provider, like an unsigned object.
    package static let unreadableRequestObject = object(
        "request.object-unreadable",
        "send a request object that is not a JWT"
    ) {
        $0.requestObject = .unreadable
    }

    /// The host is reserved and cannot belong to anyone (RFC 2606 section 2): a provider that fetches finds nothing.
    package static let requestURI = object("request.uri", "send a request_uri that returns no request object") {
        $0.changes = [.set("request_uri", "https://unregistered.invalid/request.jwt")]
    }

    /// A request is pushed wrongly in four ways, then well, and used twice.
    package static let pushedRequest: Scenario = {
        var scenario = Scenario(id: "request.pushed", title: "push an authorization request", tier: .full)
        scenario.conditions = [.codeFlow]
        scenario.requires = ["pushed_authorization_request_endpoint"]
        var withoutCredentials = Step(
            .noCredentials,
            "a request pushed without credentials",
            .call(.push.with { $0.authentication = .identifierOnly })
        )
        withoutCredentials.conditions = [.confidentialClient]
        var used = AuthorizationRequest(session: .shared)
        used.isPushed = true
        var again = AuthorizationRequest(session: .asItIs)
        again.isPushed = true
        var unknown = again
        unknown.changes = [.set("request_uri", "urn:ietf:params:oauth:request_uri:preflight-never-issued")]
        scenario.steps = [
            withoutCredentials.comparedWith(.step(.push)),
            Step(
                .wrongSecret,
                "a request pushed with a wrong secret",
                .call(.push.with { $0.authentication = .wrongSecret(nil) }),
                conditions: [.confidentialClient]
            )
            .comparedWith(.step(.push)),
            Step(
                .withRequestURI,
                "a request pushed with a request_uri",
                .call(.push.with { $0.changes = [.set("request_uri", "https://unregistered.invalid/request.jwt")] })
            )
            .comparedWith(.step(.push)),
            Step(
                .badRedirectURI,
                "a request pushed with a redirect URI that is not registered",
                .call(.push.with { $0.changes = [.set("redirect_uri", .text(foreignRedirectURI))] })
            )
            .comparedWith(.step(.push)),
            Step(.push, "a request pushed", .call(.push)),
            Step(.use, "the pushed request used", .authorize(used)),
            .redeem(.use),
            Step(.useAgain, "the pushed request used again", .authorize(again)).comparedWith(.step(.use)),
            Step(.unknown, "a request URI used that was never issued", .authorize(unknown)).comparedWith(.step(.use)),
        ]
        return scenario
    }()

    /// A request that a provider with mandatory pushed requests rejects: every other request of the run is pushed there.
    package static let notPushed: Scenario = {
        var scenario = codeFlow("request.not-pushed", "an authorization request that is not pushed") {
            $0.isPlain = true
        }
        scenario.requires = ["pushed_authorization_request_endpoint"]
        return scenario
    }()

    private static func object(
        _ id: ScenarioID,
        _ title: String,
        _ change: (inout AuthorizationRequest) -> Void
    ) -> Scenario {
        var request = AuthorizationRequest(session: .shared)
        change(&request)
        return Scenario(id: id, title: title, tier: .full, steps: [.authorize(request)])
    }
}

extension EndpointCall {
    /// Pushes an ordinary authorization request (RFC 9126 section 2.1).
    static let push: EndpointCall = {
        var call = EndpointCall("pushed_authorization_request_endpoint")
        call.authentication = .asRegistered
        call.pushes = AuthorizationRequest(session: .none)
        return call
    }()
}
