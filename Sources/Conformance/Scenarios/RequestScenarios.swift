/// Authorization requests that are wrong or unusual, and other response modes.
extension Scenario {
    static let authorizationRequests: [Scenario] =
        [
            redirectURIVariations, foreignRedirectURIs, repeatedParameters, refusals, markup, formPostError, byPOST,
            responseTypeNone, unusualValues,
            optionalParameters, codeLiberties, refusedRequest,
        ]
        + scopesAlone + ResponseType.known.map(Scenario.ofType) + silentTypes.map(Scenario.silently)

    /// Redirect URIs that differ a little from the registered one, and none at all.
    ///
    /// Each is sent from a browser in which the user is signed in, because a provider may check the redirect URI only when it
    /// responds.
    package static let redirectURIVariations: Scenario = {
        var scenario = emptyScenario(
            "request.redirect-uris",
            "authorization requests with redirect URIs that differ slightly from the registered one",
            .unauthenticated
        )
        scenario.steps = RedirectURIVariation.allCases.map { variation in
            asking(
                variation.step,
                variation.words,
                [.set("redirect_uri", .redirectURI(variation))],
                isSilentBelowFull: true
            )
        }
        let none = [ParameterChange.remove("redirect_uri")]
        scenario.steps.append(asking(.noRedirectURI, "no redirect URI", none, isSilentBelowFull: true))
        return scenario
    }()

    /// An unregistered redirect URI in requests that a provider may handle in other code than an ordinary one, or reject first for
    /// another reason.
    package static let foreignRedirectURIs: Scenario = {
        var scenario = emptyScenario(
            "request.unregistered-redirect-uris",
            "unusual authorization requests with a redirect URI that is not registered",
            .unauthenticated
        )
        let foreign = ParameterChange.set("redirect_uri", .text(foreignRedirectURI))
        var posted = AuthorizationRequest(session: .signInIfAsked)
        posted.usesPOST = true
        posted.changes = [foreign]
        posted.isSilentBelowFull = true
        let types = ["id_token", "id_token token", "code id_token"]
            .map { type in
                asking(
                    StepID(type.replacing(" ", with: "-").replacing("_", with: "-")),
                    "response_type \(type)",
                    [foreign, .set("response_type", .text(type))],
                    isSilentBelowFull: true
                )
            }
        let others: [(StepID, String, ParameterChange)] = [
            (.formPost, "response_mode=form_post", .set("response_mode", "form_post")),
            (.unknownResponseType, "an unknown response_type", .set("response_type", "preflight_unknown")),
            (.scope, "an unknown scope", .set("scope", "preflight_unknown")),
            (.promptNone, "prompt=none", .set("prompt", "none")),
        ]
        scenario.steps =
            types + others.map { asking($0, $1, [foreign, $2], isSilentBelowFull: $0 != .promptNone) }
            + [Step(.post, "a request by POST", .authorize(posted))]
        return scenario
    }()

    /// Parameters that come twice with different values, those that decide who gets what.
    package static let repeatedParameters: Scenario = {
        var scenario = emptyScenario(
            "request.repeated-parameters",
            "authorization requests with a repeated parameter",
            .unauthenticated
        )
        scenario.steps = [
            asking(.clientID, "client_id twice", [.add("client_id", "preflight-other-client")]),
            asking(.redirectURI, "redirect_uri twice", [.add("redirect_uri", .text(foreignRedirectURI))]),
            // Which of two scopes or nonces counted shows in the tokens.
            asking(.scope, "scope twice", [.add("scope", .text(otherScope))]),
            .redeem(.scope),
            asking(.state, "state twice", [.add("state", .text(otherState))]),
            asking(.nonce, "nonce twice", [.add("nonce", .text(otherNonce))]),
            .redeem(.nonce),
        ]
        return scenario
    }()

    /// The second of two values.
    package static let otherState = "preflight-other-state-0123456789ab"
    package static let otherScope = "openid"
    package static let otherNonce = "preflight-other-nonce-0123456789ab"

    /// Requests that a provider cannot or need not grant.
    package static let refusals: Scenario = {
        var scenario = emptyScenario(
            "request.refusals",
            "authorization requests for unsupported features",
            .unauthenticated
        )
        scenario.steps = [
            asking(.unknownResponseType, "an unknown response_type", [.set("response_type", "preflight_unknown")]),
            asking(
                .registration,
                "the registration parameter",
                [.set("registration", #"{"client_name":"Preflight"}"#)]
            ),
            // The name is reserved and cannot belong to anyone (RFC 2606 section 2).
            asking(.resource, "a resource indicator", [.set("resource", "https://resource.invalid/")]),
            asking(.unknownClient, "an unknown client_id", [.set("client_id", .text(unknownClientID))]),
            asking(
                .unknownChallengeMethod,
                "an unknown code_challenge_method",
                [.set("code_challenge_method", "preflight_unknown")]
            ),
        ]
        scenario.steps[4].conditions = [.codeFlow, .pkce]
        // A grant endangers users only if the code can be redeemed without a verifier.
        scenario.steps.append(
            Step(
                StepID.unknownChallengeMethod.token,
                nil,
                .call(EndpointCall.redeemCode.with { $0.changes = [.remove("code_verifier")] }),
                conditions: [.codeFlow, .pkce]
            )
        )
        scenario.steps += [
            asking(.malformedClaims, "a claims parameter that is not JSON", [.set("claims", "{preflight")])
                .comparedWith(.stepOf(claimsParameter.id, .authorization)),
            asking(.malformedMaxAge, "a max_age that is not a number", [.set("max_age", "preflight")])
                .comparedWith(.stepOf(silentReturn.id, .young)),
        ]
        var repeated = asking(.repeatedType, "response_type=code code", [.set("response_type", "code code")])
        repeated.conditions = [.codeFlow]
        scenario.steps.append(repeated)
        return scenario
    }()

    /// A name that no page has, in parameters that pages show: on the sign-in page and on error pages.
    package static let markup: Scenario = {
        var scenario = emptyScenario(
            "request.markup",
            "authorization requests with markup in a parameter",
            .unauthenticated
        )
        let parameters: [(StepID, String, String)] = [
            (.loginHint, "login_hint", ""), (.state, "state", ""), (.clientID, "client_id", ""),
            (.redirectURI, "redirect_uri", foreignRedirectURI),
        ]
        scenario.steps = parameters.map { id, name, start in
            var request = AuthorizationRequest(session: .none)
            request.changes = [.set(name, .text(start + markupText))]
            return Step(id, name, .authorize(request))
        }
        return scenario
    }()

    package static let markupName = "preflight-markup"
    /// Ends an attribute, whichever quotes delimit it, begins another, and then an element; neither has an effect.
    private static let markupText = "preflight\"' \(markupName) '><\(markupName)>"

    /// The response types whose errors belong elsewhere than those of ``promptNone``, or that another part of a provider
    /// answers.
    static let silentTypes = ResponseType.known.filter { $0 != "code" }

    /// `prompt=none` without a session, for a response type of its own: it costs no sign-in.
    static func silently(_ type: ResponseType) -> Scenario {
        var scenario = emptyScenario(
            ScenarioID("request.silently-of-" + type.text.replacing(" ", with: "-")),
            "prompt=none without a session, with response_type \(type)",
            .unauthenticated
        )
        scenario.flow = type
        var request = AuthorizationRequest(responseType: type, session: .none)
        request.changes = [.set("prompt", "none")]
        scenario.steps = [.authorize(request)]
        return scenario
    }

    /// A request in the body of a POST, from a page of another site in a browser without a session.
    ///
    /// Browsers do not send cookies with `SameSite=Lax` with it, so the user would have to sign in.
    package static let byPOST: Scenario = {
        var scenario = emptyScenario("request.post", "an authorization request by POST", .unauthenticated)
        var request = AuthorizationRequest(session: .none)
        request.usesPOST = true
        scenario.steps = [.authorize(request)]
        return scenario
    }()

    /// A sign-in of which the client wants to know nothing but that it was allowed (Multiple Response Types section 4).
    package static let responseTypeNone: Scenario = {
        var request = AuthorizationRequest(session: .signInIfAsked)
        request.sendsNonce = false
        request.sendsPKCE = false
        request.changes = [.set("response_type", "none")]
        var scenario = Scenario(
            id: "request.none",
            title: "an authorization request with response_type none",
            tier: .full,
            steps: [.authorize(request)]
        )
        scenario.requires = [.lists("response_types_supported", "none")]
        return scenario
    }()

    /// An error that is requested as a form: no user is signed in.
    package static let formPostError: Scenario = {
        var scenario = emptyScenario(
            "request.form-post-error",
            "prompt=none without a session, with response_mode=form_post",
            .unauthenticated
        )
        var request = AuthorizationRequest(session: .none)
        request.changes = [.set("prompt", "none"), .set("response_mode", "form_post")]
        scenario.steps = [
            Step(
                .promptNone,
                "prompt=none",
                .authorize(request),
                requires: [.lists("response_modes_supported", "form_post")]
            )
        ]
        return scenario
    }()

    /// The ordinary request once more, with fewer parameters, and with another response mode.
    ///
    /// Runs only if the ordinary request was rejected, to report which part was the cause.
    package static let refusedRequest: Scenario = {
        var scenario = emptyScenario(
            "request.refused",
            "a rejected request in simpler forms, and with response_mode=form_post",
            .unauthenticated
        )
        var again = AuthorizationRequest(session: .none)
        again.isSilentBelowFull = true
        var short = again
        short.changes = [.set("state", .text(shortState)), .set("nonce", .text(shortNonce))]
        var plain = again
        plain.sendsPKCE = false
        var challenging = again
        // The challenge of RFC 7636, appendix B.
        challenging.changes = [
            .set("code_challenge", .text("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")),
            .set("code_challenge_method", .text("S256")),
        ]
        var posted = again
        posted.changes = [.set("response_mode", "form_post")]
        var withContext = again
        withContext.changes = [.set("acr_values", .firstListed("acr_values_supported", otherwise: "1"))]
        scenario.steps = [
            Step(.again, "the same parameters", .authorize(again)),
            Step(.short, "a state and a nonce of 8 characters", .authorize(short)),
            Step(.noChallenge, "no code_challenge", .authorize(plain), conditions: [.codeFlow, .pkce]),
            Step(.challenge, "a code_challenge", .authorize(challenging), conditions: [.codeFlow, .noPKCE]),
            // Some providers return names and addresses only by a form.
            Step(
                .formPost,
                "response_mode=form_post",
                .authorize(posted),
                requires: [.lists("response_modes_supported", "form_post")]
            ),
            Step(
                .acrValues,
                "a value of acr_values_supported as acr_values",
                .authorize(withContext),
                requires: ["acr_values_supported"]
            ),
        ]
        return scenario
    }()

    /// A scenario whose steps all have words of their own.
    static func emptyScenario(_ id: ScenarioID, _ title: String, _ tier: Tier) -> Scenario {
        Scenario(id: id, title: title, tier: tier)
    }

    /// A step that sends an authorization request, and expects a rejection or an error as well as success.
    static func asking(
        _ id: StepID,
        _ title: String,
        _ changes: [ParameterChange],
        isSilentBelowFull: Bool = false
    ) -> Step {
        var request = AuthorizationRequest(session: .signInIfAsked)
        request.changes = changes
        request.isSilentBelowFull = isSilentBelowFull
        return Step(id, title, .authorize(request))
    }
}

extension RedirectURIVariation {
    /// The step of ``Scenario/redirectURIVariations`` that sends it.
    package var step: StepID { StepID(rawValue) }

    /// The difference, in a few words.
    package var words: String {
        switch self {
        case .addedPath: "an additional path segment"
        case .addedQuery: "an additional query"
        case .fragment: "an additional fragment"
        case .otherCaseOfPath: "a letter of the path in a different case"
        case .otherScheme: "http instead of https, or vice versa"
        case .otherCaseOfScheme: "the scheme in a different case"
        case .otherPort: "another port"
        case .trailingSlash: "a trailing slash added or removed"
        case .userInfo: "user information before the host"
        case .subdomain: "a subdomain of the host"
        case .hostSuffix: "another domain after its host"
        case .percentEncoded: "a letter of the path percent-encoded"
        case .blankBefore: "a leading space"
        case .tabBehind: "a trailing tab"
        case .emptyQuery: "a question mark added"
        case .backslash: "a backslash and another host after its host"
        case .sibling: "a different first label of the host"
        case .dotReplaced: "a letter in place of a dot of the host"
        case .loopback: "localhost as its host"
        case .customScheme: "a custom scheme"
        }
    }
}

extension ResponseType {
    /// The response types of OpenID Connect (Core section 3).
    package static let known: [ResponseType] = [
        "code", "id_token", "id_token token", "code id_token", "code token", "code id_token token",
    ]
}
