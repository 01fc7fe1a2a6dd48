import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Firebase platform", .timeLimit(.minutes(5)))
struct PlatformFlawTests {
    static let registrations: [Flaw] = [
        Flaw("platform.registration.provider-id-is-well-formed") { $0.target.registration.providerID = "oidc.a" },
        Flaw("platform.firebase.provider-id.is-lower-case") { $0.target.registration.providerID = "oidc.aCme" },
        Flaw("platform.firebase.issuer.is-a-tenants-own", what: "a shared tenant") { model in
            model.move(to: "https://login.microsoftonline.com/common/v2.0")
        },
        Flaw("platform.firebase.issuer.uses-https") { $0.move(to: "http://op.example.com") },
        Flaw("platform.firebase.response-type.is-exactly-one") { model in
            model.target.registration.responseTypes = ["code", "id_token"]
        },
        Flaw("platform.client.response-types-are-accepted") { model in
            model.target.registration.responseTypes = ["code token"]
        },
        Flaw("platform.client.has-a-secret") { $0.target.client?.hasSecret = false },
        Flaw("platform.registration.redirect-uri-is-the-platforms") { model in
            model.target.redirectURI = "https://project.firebaseapp.com/__/auth/handler/"
        },
        Flaw("platform.request.reserved-parameters-are-left-out") { model in
            model.target.customParameters = [Field("state", "1"), Field("login_hint", "alice")]
        },
        Flaw("platform.firebase.custom-parameters.exclude-nonce") { model in
            model.target.customParameters = [Field("nonce", "1"), Field("login_hint", "alice")]
        },
        Flaw("platform.registration.redirect-uri-is-the-platforms", what: "no host") { model in
            model.target.redirectURI = "https:///__/auth/handler"
        },
        Flaw("platform.registration.redirect-uri-is-the-platforms", what: "a user name") { model in
            model.target.redirectURI = "https://p@project.firebaseapp.com/__/auth/handler"
        },
        Flaw("platform.registration.redirect-uri-is-the-platforms", what: "a port") { model in
            model.target.redirectURI = "https://project.firebaseapp.com:8443/__/auth/handler"
        },
    ]

    static let choices: [Flaw] = [
        Flaw("platform.firebase.client.has-an-id") { model in
            let client = Client(id: " ", authentication: .clientSecretBasic, hasSecret: true)
            model.target.clients = [ResponseTypeClient(responseType: "code token", client: client)]
        },
        Flaw("platform.firebase.response-type.is-stated") { $0.target.registration.responseTypes = [] },
        Flaw("platform.firebase.response-type.is-code-when-offered") { model in
            model.target.registration.responseTypes = ["id_token"]
            model.target.client?.hasSecret = false
        },
        Flaw("platform.firebase.client.has-no-secret-for-implicit") { model in
            model.target.registration.responseTypes = ["id_token"]
            model.discovery["response_types_supported"] = ["id_token"]
        },
        Flaw("platform.registration.provider-id-is-well-formed", what: "a provider with a fixed ID") { model in
            model.parameters.state(.providerName, Pattern(#"^microsoft\.com$"#), because: "a reason", source: "a test")
        },
    ]

    static let accounts: [Flaw] = [
        Flaw("platform.firebase.email-verified.is-true") { model in
            model.eachUserInfo { $0.json["email_verified"] = nil }
        },
        Flaw("platform.firebase.email-verified.is-true", what: "an address in the ID Token") { model in
            model.target.registration.responseTypes = ["id_token"]
            model.target.client?.hasSecret = false
            model.discovery["response_types_supported"] = ["id_token", "id_token token", "code id_token"]
            model.target.flows.removeAll { $0 == "code" }
            model["flow.id_token"]?.front?.claims["email_verified"] = false
        },
        Flaw("platform.firebase.scope.holds-nothing-more") { model in
            model.eachTokenReply { $0.json["scope"] = "openid profile email phone" }
        },
        Flaw("platform.firebase.keys.hold-one-for-a-known-algorithm") { model in
            model.keySet = .observed(["keys": [["kty": "EC", "kid": "key-1", "crv": "P-256", "x": "AQ", "y": "AQ"]]])
        },
    ]

    static let requests: [Flaw] = [
        Flaw("platform.firebase.custom-parameters.are-accepted") { model in
            model.target.customParameters = [Field("audience", "api")]
            model["probe.as-the-platform-sends"]?.ending = RunModel.error("invalid_request")
        },
        Flaw("platform.request.needs-no-pkce") { model in
            model["probe.as-the-platform-sends"]?.ending = RunModel.error("invalid_request")
            model["probe.as-the-platform-sends"]?.set("error_description", "Code challenge required.")
        },
        Flaw("platform.firebase.request.is-accepted") { model in
            model["probe.as-the-platform-sends"]?.ending = RunModel.errorPage
        },
        Flaw("platform.firebase.scopes-supported.is-listed") { $0.discovery["scopes_supported"] = ["openid"] },
        Flaw("platform.firebase.userinfo-endpoint.is-stated-for-code") { $0.discovery["userinfo_endpoint"] = nil },
    ]

    static let tokens: [Flaw] = [
        Flaw("platform.firebase.id-token.iss-is-the-registered-issuer") { $0.target.issuer += "/" },
        Flaw(
            "platform.firebase.id-token.is-not-from-the-future",
            "idtoken.iat.is-not-far-in-the-future"
        ) { model in
            model.eachClaims { $0["iat"] = .integer(RunModel.now + 3_600) }
        },
        Flaw("platform.id-token.algorithm-is-accepted", "idtoken.alg.is-the-default") { model in
            model.discovery["id_token_signing_alg_values_supported"] = ["RS256", "EdDSA"]
            model.eachToken { $0.header["alg"] = "EdDSA" }
        },
        Flaw("platform.firebase.id-token.nonce-is-unchanged", "idtoken.nonce.is-echoed") { model in
            model.eachClaims { $0["nonce"] = .string(String(RunModel.nonce.prefix(32))) }
        },
        Flaw("platform.keys.have-kid") { model in
            model.keySet = .observed(["keys": [["kty": "RSA", "n": "AQAB", "e": "AQAB"]]])
            model.eachToken { $0.header["kid"] = nil }
        },
    ]

    static let liberties: [Liberty] = [
        Liberty("a configuration without registration settings") { model in
            model.target.registration = PlatformRegistration()
        },
        Liberty("a configuration with only the implicit flow and no response type") { model in
            model.target.flows = ["id_token"]
            model.target.client?.hasSecret = false
            model.discovery["response_types_supported"] = ["id_token"]
            model.target.registration.responseTypes = []
            model.modelledRun.removeAll { $0.scenario.id.rawValue.hasPrefix("flow.") && $0.type != "id_token" }
        },
        Liberty("an ID Token with several audiences", advice: ["idtoken.aud.holds-nobody-else"]) { model in
            model.eachClaims { claims in
                claims["aud"] = ["client-1", "api"]
                claims["azp"] = "client-1"
            }
        },
        Liberty(
            "an ID Token without a nonce, which only the specification forbids",
            advice: ["idtoken.nonce.is-echoed"]
        ) {
            $0.eachClaims { $0["nonce"] = nil }
        },
        Liberty("a handler on this machine") { model in
            model.target.redirectURI = "https://127.0.0.1:9099/__/auth/handler"
        },
        Liberty("a clock that is ten minutes ahead", advice: ["idtoken.iat.is-not-far-in-the-future"]) { model in
            model.eachClaims { $0["iat"] = .integer(RunModel.now + 600) }
        },
        Liberty("a custom domain for the handler") { model in
            model.target.redirectURI = "https://auth.example.com/__/auth/handler"
        },
        Liberty("an immediate code for the platform's request") { model in
            model["probe.as-the-platform-sends"]?.redirect = RunModel.redirect(
                [ResponseParameter(name: "code", value: "(code)", length: 43)],
                inFragment: false
            )
        },
        Liberty("a profile without platform parameters") { model in
            model.parameters = ProfileParameters()
            model.target.redirectURI = "https://app.example.com/callback"
        },
    ]

    @Test("a flaw fails its check and no other", arguments: registrations + choices + requests + tokens + accounts)
    func flaws(flaw: Flaw) {
        #expect(flaw.failures == flaw.trips)
    }

    @Test("allowed behaviour fails no check", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("every check of the platform has a flaw in this file")
    func complete() {
        let all = Self.registrations + Self.choices + Self.requests + Self.tokens + Self.accounts
        let tripped = all.reduce(into: Set<CheckID>()) { $0.formUnion($1.trips) }
        let checks = PlatformChecks.all.aboutSingleRequests.filter { $0.id.rawValue.hasPrefix("platform.firebase.") }
        #expect(Set(checks.map(\.id)).subtracting(tripped).isEmpty)
    }

    @Test(
        "the grammar of provider IDs",
        arguments: [
            ("oidc.acme", true), ("oidc.a1", true), ("oidc.acme-x_y.z", true), ("oidc.a", false), ("oidc.1a", false),
            ("oidc.Acme", false), ("oidc.acme-", false), ("saml.acme", false), ("oidc.ac me", false), ("oidc.", false),
        ]
    )
    func providerID(id: String, isRight: Bool) {
        var model = RunModel.conformant
        model.target.registration.providerID = id
        let verdict = model.judge("platform.registration.provider-id-is-well-formed")
        #expect((verdict == .passed) == isRight)
    }
}

extension RunModel {
    /// Moves the provider to another issuer, in every value that contains it.
    fileprivate mutating func move(to issuer: String) {
        target.issuer = issuer
        discovery["issuer"] = .string(issuer)
        eachClaims { $0["iss"] = .string(issuer) }
        for index in modelledRun.indices where modelledRun[index].redirect != nil {
            modelledRun[index].set("iss", issuer)
        }
    }
}
