import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Token endpoint", .timeLimit(.minutes(5)))
struct TokenFlawTests {
    static let responses: [Flaw] = [
        Flaw("token.status.is-200") { $0.eachTokenReply { $0.status = 500 } },
        Flaw("token.status.is-200", what: "an error with status 200") { model in
            model.eachTokenReply { $0.json = ["error": "access_denied"] }
        },
        Flaw("token.success.status-is-200") { $0.eachTokenReply { $0.status = 203 } },
        Flaw("token.content-type.is-json") { $0.eachTokenReply { $0.setHeader("Content-Type", "text/html") } },
        Flaw("token.content-type.is-json", what: "no content type") { model in
            model.eachTokenReply { $0.setHeader("Content-Type", nil) }
        },
        Flaw("token.response.is-not-redirected") { $0.eachTokenReply { $0.isRedirected = true } },
        Flaw("token.body.is-json-object") { $0.eachTokenReply { $0.body = .text("access_token=abc") } },
        Flaw("token.body.has-no-byte-order-mark") { model in
            model.eachTokenReply { $0.body = .text("\u{FEFF}" + $0.json.serialized()) }
        },
        Flaw("token.cache-control.has-no-store") { $0.eachTokenReply { $0.setHeader("Cache-Control", "no-cache") } },
        Flaw("token.pragma.has-no-cache") { $0.eachTokenReply { $0.setHeader("Pragma", nil) } },
        Flaw("token.access-token.is-present") { $0.eachTokenReply { $0.json["access_token"] = nil } },
        Flaw("token.access-token.has-legal-characters") { model in
            model.eachFlow { $0.accessToken?.isVisibleASCII = false }
        },
        Flaw("token.client-authentication.accepted-methods-are-listed") { model in
            model.discovery["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
        },
        Flaw("token.refresh-token.has-legal-characters") { model in
            model.eachFlow { $0.refreshToken?.isVisibleASCII = false }
        },
        Flaw("token.access-token.is-varied") { $0.eachFlow { $0.accessToken?.variety = 55 } },
        Flaw("token.refresh-token.is-varied") { $0.eachFlow { $0.refreshToken?.variety = 20 } },
        Flaw("token.refresh-token.is-long-enough") { $0.eachFlow { $0.refreshToken?.length = 15 } },
        Flaw("token.token-type.is-present") { $0.eachTokenReply { $0.json["token_type"] = nil } },
        Flaw("token.token-type.is-bearer") { $0.eachTokenReply { $0.json["token_type"] = "DPoP" } },
        Flaw("token.refresh-token.is-a-text") { $0.eachTokenReply { $0.json["refresh_token"] = "" } },
        Flaw("token.response.has-no-error-beside-tokens") { $0.eachTokenReply { $0.json["error"] = .null } },
        Flaw("token.expires-in.is-present") { $0.eachTokenReply { $0.json["expires_in"] = nil } },
        Flaw("token.expires-in.is-a-number") { $0.eachTokenReply { $0.json["expires_in"] = "3600" } },
        Flaw("token.expires-in.has-no-fraction") { $0.eachTokenReply { $0.json["expires_in"] = .real(3600.5) } },
        Flaw("token.expires-in.is-readable") { $0.eachTokenReply { $0.json["expires_in"] = "3600.0" } },
        Flaw("token.expires-in.is-readable", what: "2^63") { model in
            model.eachTokenReply { $0.json["expires_in"] = .bigInteger("9223372036854775808") }
        },
        Flaw("token.expires-in.is-plausible") { $0.eachTokenReply { $0.json["expires_in"] = 0 } },
        Flaw("token.expires-in.is-plausible", what: "a century") { model in
            model.eachTokenReply { $0.json["expires_in"] = 3_153_600_000 }
        },
        Flaw("token.id-token.is-present") { $0.eachTokenReply { $0.json["id_token"] = nil } },
        Flaw("token.scope.is-legal") { $0.eachTokenReply { $0.json["scope"] = ["openid"] } },
        Flaw("token.scope.holds-openid") { $0.eachTokenReply { $0.json["scope"] = "profile email" } },
        Flaw("token.scope.holds-what-was-asked") { $0.eachTokenReply { $0.json["scope"] = "openid profile" } },
    ]

    private static let basicRight: ScenarioID = "probe.token.client_secret_basic.right-secret"
    private static let basicWrong: ScenarioID = "probe.token.client_secret_basic.wrong-secret"
    private static let postRight: ScenarioID = "probe.token.client_secret_post.right-secret"
    private static let postWrong: ScenarioID = "probe.token.client_secret_post.wrong-secret"

    static let refusals: [Flaw] = [
        Flaw("token.client-authentication.is-accepted") { $0.copyToken(from: basicWrong, to: basicRight) },
        Flaw("token.client-authentication.other-methods-are-accepted") { $0.copyToken(from: postWrong, to: postRight) },
        Flaw("token.wrong-secret.is-refused") { $0.copyToken(from: basicRight, to: basicWrong) },
        Flaw("token.wrong-secret.has-invalid-client") { model in
            model[postWrong]?.token?.json["error"] = "unauthorized_client"
            model[postWrong]?.token?.status = 400
        },
        Flaw("token.wrong-secret.has-401-after-basic") { $0[basicWrong]?.token?.status = 400 },
        Flaw("token.wrong-secret.has-basic-challenge") { model in
            model[basicWrong]?.token?.setHeader("WWW-Authenticate", "Bearer error=\"invalid_client\"")
        },
        Flaw("token.refresh.grant-is-listed") { model in
            model.discovery["grant_types_supported"] = ["authorization_code", "implicit"]
        },
        Flaw("token.refresh.grant-is-listed", what: "the default of grant_types_supported lacks refresh_token") {
            model in
            model.discovery["grant_types_supported"] = nil
        },
        Flaw("token.expires-in.is-not-negative") { $0.eachTokenReply { $0.json["expires_in"] = -3_600 } },
        Flaw("token.access-token.fits-the-bearer-header") { model in
            model.eachFlow { $0.accessToken?.isB64Token = false }
        },
        Flaw("token.refresh.listed-grant-is-used") { model in
            model.discovery["grant_types_supported"] = ["authorization_code", "implicit", "refresh_token"]
            model.eachTokenReply { $0.json["refresh_token"] = nil }
        },
        Flaw("token.made-up-code.is-refused") { $0.copyToken(from: "flow.code", to: basicRight) },
        Flaw("token.made-up-code.has-invalid-grant") { $0[basicRight]?.token?.json["error"] = "invalid_code" },
        Flaw("token.error.status-is-400-or-401") { $0[basicRight]?.token?.status = 403 },
        Flaw("token.error.status-is-400-or-401", what: "an error with status 200") {
            $0[basicRight]?.token?.status = 200
        },
        Flaw("token.error.content-type-is-json") { model in
            model.eachTokenError { $0.setHeader("Content-Type", "text/plain") }
        },
        Flaw("token.error.has-error-member") { $0.eachTokenError { $0.json["error"] = nil } },
        Flaw("token.error.has-legal-characters") { model in
            model.eachTokenError { $0.json["error_description"] = "Der Code ist ungültig" }
        },
        Flaw("token.error.has-no-store") { $0.eachTokenError { $0.setHeader("Cache-Control", nil) } },
    ]

    static let liberties: [Liberty] = [
        Liberty("bearer in any letter case") { $0.eachTokenReply { $0.json["token_type"] = "bEARER" } },
        Liberty("no refresh token, no scope") { model in
            model.discovery["grant_types_supported"] = ["authorization_code", "implicit"]
            model.eachTokenReply { reply in
                reply.json["refresh_token"] = nil
                reply.json["scope"] = nil
            }
        },
        Liberty("no-store among other directives") { model in
            model.eachTokenReply { $0.setHeader("Cache-Control", "no-cache, No-Store, max-age=0") }
        },
        // Provider text without a name before the equals sign must not crash the run.
        Liberty("a directive without a name beside no-store") { model in
            model.eachTokenReply { $0.setHeader("Cache-Control", "=, no-store, =x") }
        },
        Liberty("members that no specification knows") { model in
            model.eachTokenReply { reply in
                reply.json["not-before-policy"] = 0
                reply.json["session_state"] = "abc"
            }
        },
        Liberty("more scopes than requested", advice: ["platform.firebase.scope.holds-nothing-more"]) { model in
            model.eachTokenReply { $0.json["scope"] = "email offline_access openid profile" }
        },
        Liberty("invalid_client in a form has status 400") { $0[postWrong]?.token?.status = 400 },
        Liberty(
            "unauthorized_client with 401 for a wrong secret",
            advice: ["token.wrong-secret.has-invalid-client"]
        ) {
            $0[postWrong]?.token?.json["error"] = "unauthorized_client"
        },
        Liberty("a refresh token in the response to one other request only") { model in
            model.discovery["grant_types_supported"] = ["authorization_code", "implicit", "refresh_token"]
            model.eachTokenReply { $0.json["refresh_token"] = nil }
            model["flow.code"]?.token?.json["refresh_token"] = "‹refresh_token›"
        },
        Liberty("several challenges") { model in
            model[basicWrong]?.token?.setHeader("WWW-Authenticate", "Bearer realm=\"a, b\", basic realm=\"c\"")
        },
        Liberty(
            "a public client has no secret that could be wrong",
            advice: [
                "platform.firebase.response-type.is-code-when-offered",
                "token.client-authentication.accepted-methods-are-listed",
            ]
        ) { model in
            model.target.client = Client(id: RunModel.clientID, authentication: .none, hasSecret: false)
            model.target.registration.responseTypes = ["id_token"]
            model.modelledRun.removeAll { $0.scenario.id.rawValue.hasPrefix("probe.token.") }
            var modelledRun = RunModel.ModelledRun(
                scenario: .bogusCode(.none, secretIsRight: true),
                type: "code",
                sent: []
            )
            modelledRun.token = RunModel.conformant[basicRight]?.token
            model.modelledRun.append(modelledRun)
        },
        Liberty("a confidential client is rejected without its secret") { model in
            var modelledRun = RunModel.ModelledRun(
                scenario: .bogusCode(.none, secretIsRight: true),
                type: "code",
                sent: []
            )
            modelledRun.token = RunModel.conformant[postWrong]?.token
            model.modelledRun.append(modelledRun)
        },
    ]

    @Test("a flaw fails its check and no other", arguments: responses + refusals)
    func flaws(flaw: Flaw) {
        #expect(flaw.failures == flaw.trips)
    }

    @Test("permitted behaviour fails only the checks listed as advice", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("HTTP status 429 is inconclusive, whatever the body")
    func throttling() {
        var model = RunModel.conformant
        model.eachTokenError { $0.status = 429 }
        #expect(model.failures.isEmpty)
        #expect(model.judge("token.error.status-is-400-or-401")?.word == "inconclusive")
        #expect(model.judge("token.made-up-code.is-refused")?.word == "inconclusive")
    }

    @Test("every token endpoint check has a flaw in this suite")
    func complete() {
        let tripped = (Self.responses + Self.refusals).reduce(into: Set<CheckID>()) { $0.formUnion($1.trips) }
        let untried = Set(TokenChecks.all.aboutSingleRequests.map(\.id)).subtracting(tripped)
        #expect(untried.isEmpty)
    }
}

extension RunModel {
    /// Copies the token response of one scenario to another.
    fileprivate mutating func copyToken(from source: ScenarioID, to target: ScenarioID) {
        let reply = self[source]?.token
        self[target]?.token = reply
    }
}
