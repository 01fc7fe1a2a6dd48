import Conformance
import JSONTree

extension RunModel {
    /// The code flow, both implicit flows and a hybrid one, the probes, and bogus codes with two authentication methods.
    static let conformant: RunModel = {
        var target = Target(issuer: issuer)
        target.client = Client(id: clientID, authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = redirectURI
        target.scopes = ["openid", "profile", "email"]
        target.flows = ["code", "id_token", "id_token token", "code id_token"]
        target.registration.providerID = "oidc.acme"
        target.registration.responseTypes = ["code"]
        return RunModel(
            discovery: discoveryDocument,
            keySet: .observed(["keys": [key]]),
            target: target,
            parameters: firebase,
            modelledRun: target.flows.map(flow) + probes + bogusCodes
        )
    }()

    static let key: JSON = ["kty": "RSA", "kid": "key-1", "use": "sig", "alg": "RS256", "n": "AQAB", "e": "AQAB"]

    private static let discoveryDocument: JSONObject = [
        "issuer": .string(issuer), "authorization_endpoint": "https://op.example.com/authorize",
        "token_endpoint": "https://op.example.com/token", "userinfo_endpoint": "https://op.example.com/userinfo",
        "jwks_uri": "https://op.example.com/keys", "scopes_supported": ["openid", "profile", "email"],
        "response_types_supported": ["code", "id_token", "id_token token", "code id_token"],
        "grant_types_supported": ["authorization_code", "implicit", "refresh_token"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "authorization_response_iss_parameter_supported": true,
    ]

    static let firebase: ProfileParameters = {
        var parameters = ProfileParameters()
        let (because, source) = ("observed at the platform", "a test")
        parameters.state(
            .reservedParameters,
            ["client_id", "response_type", "redirect_uri", "state", "scope", "response_mode"],
            because: because,
            source: source
        )
        let name = Pattern(#"^oidc\.[a-z][A-Za-z0-9._-]*[A-Za-z0-9]$"#)
        parameters.state(.providerName, name, because: because, source: source)
        let handler = Pattern(#"https://([^/?#@:]+|(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?)/__/auth/handler"#)
        parameters.state(.redirectURI, handler, because: because, source: source)
        parameters.state(.clientResponseTypes, ["code", "id_token"], because: because, source: source)
        parameters.state(.clientHasSecret, .stated, because: because, source: source)
        parameters.state(.tokenAlgorithms, ["RS256"], because: because, source: source)
        parameters.state(.keyIdentifiers, .stated, because: because, source: source)
        parameters.state(.pkceIsNotNeeded, .stated, because: because, source: source)
        parameters.scopes = ["openid", "email", "profile"]
        return parameters
    }()

    // MARK: Flows

    private static func flow(_ type: ResponseType) -> ModelledRun {
        var modelledRun = ModelledRun(scenario: .flow(type), type: type, sent: sent(type))
        var parameters: [ResponseParameter] = []
        if type.hasCode { parameters.append(ResponseParameter(name: "code", value: "(code)", length: 43)) }
        if type.hasToken {
            parameters += [
                ResponseParameter(name: "access_token", value: "(access_token)", length: 43),
                ResponseParameter(name: "token_type", value: "Bearer"),
                ResponseParameter(name: "expires_in", value: "3600"),
            ]
        }
        if type.hasIDToken { parameters.append(ResponseParameter(name: "id_token", value: "(id_token)", length: 800)) }
        modelledRun.redirect = redirect(parameters, inFragment: type.isFrontChannel)
        if type.hasIDToken { modelledRun.front = token(besideCode: type.hasCode, besideAccessToken: type.hasToken) }
        // Without an access token, the claims of the scopes belong in the ID Token (Core section 5.4).
        if type == "id_token" {
            for claim in profileClaims.members { modelledRun.front?.claims[claim.name] = claim.value }
        }
        if type.hasCode {
            modelledRun.token = Reply(
                headers: [Field("Cache-Control", "no-store"), Field("Pragma", "no-cache")],
                json: tokens
            )
            modelledRun.back = token(besideCode: false, besideAccessToken: true)
        }
        if type.hasCode || type.hasToken { modelledRun.userInfo = Reply(json: userInfo) }
        return modelledRun
    }

    private static let tokens: JSONObject = [
        "access_token": "(access_token)", "token_type": "Bearer", "expires_in": 3600,
        "refresh_token": "(refresh_token)", "id_token": "(id_token)", "scope": "openid profile email",
    ]

    private static let profileClaims: JSONObject = [
        "name": "Alice Example", "email": "alice@example.com", "email_verified": true,
    ]

    private static let userInfo: JSONObject = [
        "sub": "user-1", "name": "Alice Example", "email": "alice@example.com", "email_verified": true,
        "updated_at": 1_750_000_000,
    ]

    private static func token(besideCode: Bool, besideAccessToken: Bool) -> Token {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "user-1", "aud": .string(clientID), "exp": .integer(now + 3_600),
            "iat": .integer(now - 1), "auth_time": .integer(now - 5), "nonce": .string(nonce), "acr": "1",
            "amr": ["pwd"],
        ]
        if besideCode { claims["c_hash"] = "LDktKdoQak3Pk0cnXxCltA" }
        if besideAccessToken { claims["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" }
        return Token(
            header: ["alg": "RS256", "kid": "key-1", "typ": "JWT"],
            claims: claims,
            accessTokenHash: besideAccessToken ? "77QmUPtjPfzWtF2AnpK9RQ" : nil,
            codeHash: besideCode ? "LDktKdoQak3Pk0cnXxCltA" : nil
        )
    }

    // MARK: Requests and redirects

    private static func sent(_ type: ResponseType) -> [Field] {
        [
            Field("response_type", type.text), Field("client_id", clientID), Field("redirect_uri", redirectURI),
            Field("scope", "openid profile email"), Field("state", "state+/1"), Field("nonce", nonce),
        ]
    }

    /// A redirect with state and iss, which every response has.
    static func redirect(_ parameters: [ResponseParameter], inFragment: Bool) -> RedirectAnswer {
        let all =
            parameters + [
                ResponseParameter(name: "state", value: "state+/1"), ResponseParameter(name: "iss", value: issuer),
            ]
        return RedirectAnswer(
            address: redirectURI,
            isRedirectURI: true,
            query: inFragment ? [] : all,
            fragment: inFragment ? all : []
        )
    }

    static func error(_ code: String, inFragment: Bool = false) -> AuthorizationAnswer.Ending {
        .redirected(redirect([ResponseParameter(name: "error", value: code)], inFragment: inFragment))
    }

    static let signInPage = AuthorizationAnswer.Ending.page(
        PageSummary(
            address: "https://op.example.com/login",
            status: 200,
            title: "Sign in",
            forms: [FormSummary(action: "/login", method: "POST", fields: ["username", "password"])],
            text: "Sign in"
        )
    )

    static let errorPage = page(400, "The redirect URI is not registered.")
    static let serverErrorPage = page(500, "Something went wrong.")

    static func page(_ status: Int, _ text: String) -> AuthorizationAnswer.Ending {
        .page(
            PageSummary(
                address: "https://op.example.com/authorize",
                status: status,
                title: "Problem",
                forms: [],
                text: text
            )
        )
    }

    // MARK: Probes

    private static let probes: [ModelledRun] = [
        probe(.unregisteredRedirectURI, errorPage) { $0.set("redirect_uri", Scenario.foreignRedirectURI) },
        probe(.promptNone, error("login_required")) { $0.set("prompt", "none") },
        probe(.unknownParameter, signInPage) { $0.set("preflight_unknown", "1") },
        probe(.missingResponseType, error("invalid_request")) { $0.set("response_type", nil) },
        probe(.asThePlatformSends, signInPage) { _ in },
        probe(.notPushed, error("invalid_request")) { _ in },
        probe(.missingNonce, error("invalid_request", inFragment: true)) { sent in
            sent.set("response_type", "id_token")
            sent.set("nonce", nil)
        },
    ]

    private static func probe(
        _ scenario: Scenario,
        _ ending: AuthorizationAnswer.Ending,
        _ change: (inout [Field]) -> Void
    ) -> ModelledRun {
        var sent = sent("code")
        change(&sent)
        return ModelledRun(scenario: scenario, type: "code", sent: sent, ending: ending)
    }

    private static let bogusCodes: [ModelledRun] = [ClientAuthentication.clientSecretBasic, .clientSecretPost]
        .flatMap { method in
            [true, false]
                .map { isRight in
                    var modelledRun = ModelledRun(
                        scenario: .bogusCode(method, secretIsRight: isRight),
                        type: "code",
                        sent: []
                    )
                    let noStore = Field("Cache-Control", "no-store")
                    modelledRun.token =
                        isRight
                        ? Reply(status: 400, headers: [noStore], json: ["error": "invalid_grant"])
                        : Reply(
                            status: 401,
                            headers: [noStore, Field("WWW-Authenticate", "Basic realm=\"op\"")],
                            json: ["error": "invalid_client"]
                        )
                    return modelledRun
                }
        }
}

extension [Field] {
    fileprivate mutating func set(_ name: String, _ value: String?) {
        removeAll { $0.name == name }
        if let value { append(Field(name, value)) }
    }
}
