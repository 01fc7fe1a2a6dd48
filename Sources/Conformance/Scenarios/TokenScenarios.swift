/// Requests to the token endpoint that are wrong or unusual.
extension Scenario {
    package static let tokenRequests: [Scenario] =
        clientProofs + bindings + verifiers + liberties + [headerFirst, bodyFirst] + [codeTwice] + challenges + [
            codeTwiceLater
        ]
        + [bogusCodeWithoutVerifier, malformedTokenRequests, otherWritings, basicEncoding]
        + assertions

    // MARK: The code and what it is bound to

    /// A code is redeemed, and redeemed again; then the access token of the first time is tried.
    package static let codeTwice: Scenario = {
        var scenario = codeFlow("token.code-twice", "redeem a code, and the same code again", redeemsCode: true)
        scenario.steps += [
            Step(.again, "the same code immediately", .call(.redeemCode)).comparedWith(.step(.token)),
            againWithoutVerifier,
            Step(.userInfo, "UserInfo with the first access token", .call(.userInfo))
                .comparedWith(.stepOf(accessTokenLife.id, .get)),
        ]
        return scenario
    }()

    /// A code is redeemed, and redeemed again when a careless memory has forgotten it.
    package static let codeTwiceLater: Scenario = {
        var scenario = codeFlow(
            "token.code-twice-later",
            "redeem a code, and the same code again half a minute later",
            redeemsCode: true
        )
        scenario.steps += [
            Step(.pause, "half a minute", .waitLong),
            Step(.again, "the same code again", .call(.redeemCode)).comparedWith(.step(.token)),
            againWithoutVerifier,
        ]
        return scenario
    }()

    /// A provider that deletes the challenge with the code rejects the verifier, which shows nothing about the code.
    private static let againWithoutVerifier = Step(
        .againWithoutVerifier,
        "the same code without code_verifier",
        .call(EndpointCall.redeemCode.with { $0.changes = [.remove("code_verifier")] }),
        conditions: [.pkce]
    )
    .comparedWith(.step(.token))

    package static let wrongRedirectURI = redemption(
        "token.wrong-redirect-uri",
        "redeem a code with another redirect_uri than that of the authorization request"
    ) { $0.changes = [.set("redirect_uri", .text(foreignRedirectURI))] }

    package static let missingRedirectURI = redemption(
        "token.missing-redirect-uri",
        "redeem a code without redirect_uri"
    ) { $0.changes = [.remove("redirect_uri")] }

    package static let codeOfAnotherClient: Scenario = {
        var scenario = redemption("token.code-of-another-client", "redeem a code as another client") {
            $0.authentication = .otherClient
        }
        // A response to its own credentials separates a rejected client from a rejected code.
        let bogus = EndpointCall.redeemBogusCode.with { $0.authentication = .otherClient }
        scenario.steps.insert(Step(.bogus, "a bogus code of the other client", .call(bogus)), at: 1)
        scenario.conditions.append(.otherClient)
        return scenario
    }()

    // One code serves most of these in turn, so they stand one behind the other, and behind them the one that redeems it.
    private static let bindings = [codeOfAnotherClient, wrongRedirectURI]
    /// Some providers grant these; then the code is used up, so they come after those that every provider rejects.
    private static let liberties = [missingRedirectURI, rightSecretInBody, rightSecretInHeader, secretTwice]

    // MARK: Who redeems it

    package static let wrongSecret: Scenario = {
        var scenario = redemption("token.wrong-secret", "redeem a code with a wrong client secret") {
            $0.authentication = .wrongSecret(nil)
        }
        scenario.conditions.append(.confidentialClient)
        return scenario
    }()

    /// By another advertised method than the one that the client is registered for: where that is as good a door, it is to be
    /// as well shut.
    package static let wrongSecretInBody = wrongSecret(by: .clientSecretPost, elseThan: .basicClient)
    package static let wrongSecretInHeader = wrongSecret(by: .clientSecretBasic, elseThan: .postClient)

    private static func wrongSecret(by method: ClientAuthentication, elseThan condition: Condition) -> Scenario {
        var scenario = secret("wrong", .wrongSecret(method), by: method, elseThan: condition)
        scenario.requires = [.lists("token_endpoint_auth_methods_supported", method.rawValue)]
        return scenario
    }

    /// By another method than the one that the client is registered for, advertised or not.
    ///
    /// A platform may support only one method. A bogus code may be rejected before the client is checked; a fresh one is not.
    package static let rightSecretInBody =
        secret("right", .method(.clientSecretPost), by: .clientSecretPost, elseThan: .basicClient)
    package static let rightSecretInHeader =
        secret("right", .method(.clientSecretBasic), by: .clientSecretBasic, elseThan: .postClient)

    private static func secret(
        _ kind: String,
        _ authentication: EndpointCall.Authentication,
        by method: ClientAuthentication,
        elseThan condition: Condition
    ) -> Scenario {
        var scenario = redemption(
            ScenarioID("token.\(kind)-secret-by.\(method.rawValue)"),
            "redeem a code with a \(kind) client secret by \(method.rawValue)"
        ) { $0.authentication = authentication }
        scenario.conditions += [.confidentialClient, condition]
        return scenario
    }

    /// A code is sent with the secret where the provider may not take it, and then as the client is registered.
    package static let headerFirst = otherMethodFirst(.clientSecretBasic, .postClient)
    package static let bodyFirst = otherMethodFirst(.clientSecretPost, .basicClient)

    private static func otherMethodFirst(_ method: ClientAuthentication, _ condition: Condition) -> Scenario {
        var scenario = codeFlow(
            ScenarioID("token.code-after.\(method.rawValue)"),
            "redeem a code by \(method.rawValue), and then by the client's own method"
        )
        scenario.steps += [
            Step(
                .otherMethod,
                "the code by \(method.rawValue)",
                .call(.redeemCode.with { $0.authentication = .method(method) })
            ),
            Step(.again, "the same code by the client's own method", .call(.redeemCode)),
        ]
        scenario.conditions += [.confidentialClient, condition]
        return scenario
    }

    package static let withoutSecret: Scenario = {
        var scenario = redemption("token.without-secret", "redeem a code with only the client identifier") {
            $0.authentication = .identifierOnly
        }
        scenario.conditions.append(.confidentialClient)
        return scenario
    }()

    package static let withoutClient: Scenario = {
        var scenario = redemption("token.without-client", "redeem a code without client_id") {
            $0.authentication = .none
        }
        scenario.conditions.append(.publicClient)
        return scenario
    }()

    package static let secretTwice: Scenario = {
        var scenario = redemption("token.secret-twice", "redeem a code with the secret in both header and body") {
            $0.authentication = .basicAndPost
        }
        scenario.conditions.append(.confidentialClient)
        return scenario
    }()

    /// A code is redeemed by a request that does not say what kind of grant it is.
    package static let withoutGrantType = redemption("token.without-grant-type", "redeem a code without grant_type") {
        $0.changes = [.remove("grant_type")]
    }

    private static let clientProofs = [
        wrongSecret, wrongSecretInBody, wrongSecretInHeader, withoutSecret, withoutClient, withoutGrantType,
    ]

    // MARK: Requests that no code makes right

    /// A provider that accepts every code may reject the verifier that came with it.
    package static let bogusCodeWithoutVerifier: Scenario = {
        var scenario = Scenario(
            id: "token.made-up-code-without-verifier",
            title: "a bogus code without code_verifier",
            tier: .unauthenticated,
            steps: [Step(.token, nil, .call(.redeemBogusCode.with { $0.changes = [.remove("code_verifier")] }))]
        )
        scenario.conditions = [.codeFlow, .pkce]
        return scenario
    }()

    /// The identifier of no client.
    package static let unknownClientID = "preflight-unknown-client"

    /// Requests with a bogus code that are invalid before the code is checked.
    package static let malformedTokenRequests: Scenario = {
        var scenario = Scenario(
            id: "token.malformed-requests",
            title: "malformed token requests",
            tier: .unauthenticated
        )
        func call(_ change: (inout EndpointCall) -> Void) -> Step.Request {
            .call(EndpointCall.redeemBogusCode.with(change))
        }
        scenario.steps = [
            Step(.get, "a token request with GET", call { $0.method = "GET" }).comparedWith(.bogusCode),
            Step(
                .repeated,
                "a token request with grant_type twice",
                call { $0.changes = [.add("grant_type", "authorization_code")] }
            )
            .comparedWith(.bogusCode),
            Step(
                .noGrantType,
                "a token request without grant_type",
                call { $0.changes = [.remove("grant_type")] }
            ),
            Step(
                .unknownGrantType,
                "a token request with a grant type that no specification defines",
                call { $0.changes = [.set("grant_type", "urn:example:preflight")] }
            ),
            Step(
                .unknownClient,
                "a token request of a client that does not exist",
                call { $0.authentication = .unknownClient }
            ),
        ]
        scenario.steps += [
            (StepID.basicNotBase64, "not base64", "!!!"),
            (.basicWithoutColon, "without a colon", "cHJlZmxpZ2h0"),
            (.basicNotUTF8, "not UTF-8", "/zr/"),
        ]
        .map { id, what, credentials in
            Step(
                id,
                "a token request with HTTP Basic whose credentials are \(what)",
                call { $0.authentication = .malformedBasic(credentials) }
            )
        }
        return scenario
    }()

    /// A bogus code with HTTP Basic, its credentials form-encoded and not.
    package static let basicEncoding: Scenario = {
        var scenario = Scenario(
            id: "token.basic-encoding",
            title: "HTTP Basic with and without form encoding",
            tier: .unauthenticated
        )
        scenario.conditions = [.basicClient]
        // It shows whether the encoding of the secret is at fault, so it does not wait for the secret to be accepted.
        scenario.declaredOrdinary = .alone
        scenario.steps = [
            Step(
                .unencoded,
                "identifier and secret without form encoding",
                .call(EndpointCall.redeemBogusCode.with { $0.authentication = .basicUnencoded })
            ),
            Step(.encoded, "identifier and secret form-encoded", .call(.redeemBogusCode)),
        ]
        return scenario
    }()

    // MARK: Making them

    /// A code is requested, and redeemed in another way than it should be.
    static func redemption(
        _ id: ScenarioID,
        _ title: String,
        asking changeRequest: (inout AuthorizationRequest) -> Void = { _ in },
        _ change: (inout EndpointCall) -> Void
    ) -> Scenario {
        var scenario = codeFlow(id, title, asking: changeRequest)
        scenario.steps += [Step(.redeem, "the token request", .call(EndpointCall.redeemCode.with(change)))]
        return scenario
    }

    /// An authorization request with a code, in a browser in which the user is signed in.
    static func codeFlow(
        _ id: ScenarioID,
        _ title: String,
        redeemsCode: Bool = false,
        asking change: (inout AuthorizationRequest) -> Void = { _ in }
    ) -> Scenario {
        var request = AuthorizationRequest(session: .shared)
        change(&request)
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request)])
        if redeemsCode { scenario.steps.append(.redeem()) }
        scenario.conditions = [.codeFlow]
        return scenario
    }
}

extension EndpointCall {
    /// A code that was never issued, by a client that authenticates in one way, with its secret or with a wrong one.
    static func bogusCode(_ method: ClientAuthentication, secretIsRight: Bool) -> EndpointCall {
        redeemBogusCode.with { $0.authentication = secretIsRight ? .method(method) : .wrongSecret(method) }
    }

    /// A code that was never issued, in an otherwise valid request: with a verifier if the client sends PKCE.
    static let redeemBogusCode = redeemCode.with { $0.parameters[1].value = .captured(.bogus) }
}
