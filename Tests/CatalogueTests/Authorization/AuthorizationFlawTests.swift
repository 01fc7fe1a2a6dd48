import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Authorization endpoint", .timeLimit(.minutes(5)))
struct AuthorizationFlawTests {
    static let responses: [Flaw] = [
        Flaw("authorization.flow.succeeds") { $0["flow.code"]?.ending = RunModel.error("server_error") },
        Flaw("authorization.flow.succeeds", what: "the flow ends elsewhere") { model in
            model["flow.code"]?.redirect?.isRedirectURI = false
            model["flow.code"]?.set("code", nil)
        },
        Flaw("authorization.response-type.advertised-is-served") { model in
            model["flow.code-id_token"]?.ending = RunModel.error("unsupported_response_type", inFragment: true)
        },
        Flaw("authorization.response.goes-to-the-client-alone") { model in
            model["flow.code"]?.redirect?.isRedirectURI = false
        },
        Flaw("authorization.flow.succeeds", what: "the flow ends on a page of a server error") { model in
            model["flow.code"]?.ending = RunModel.serverErrorPage
        },
        Flaw("authorization.response.holds-what-was-asked") { $0["flow.id_token"]?.set("id_token", nil) },
        Flaw("authorization.response.holds-what-was-asked", what: "the code is empty") { model in
            model["flow.code"]?.query[0].length = 0
        },
        Flaw("authorization.response.holds-nothing-more") { model in
            model["flow.id_token"]?.set("access_token", "(access_token)")
            model["flow.id_token"]?.set("token_type", "Bearer")
        },
        Flaw("authorization.parameters.are-not-repeated") { model in
            model["flow.code"]?.query.append(ResponseParameter(name: "iss", value: RunModel.issuer))
        },
        Flaw("authorization.state.is-echoed") { $0["flow.code"]?.set("state", nil) },
        Flaw("authorization.state.is-echoed", what: "a plus became a space") { model in
            model["flow.id_token"]?.set("state", "state /1")
        },
        Flaw("authorization.state.is-echoed", what: "a state that the request did not have") { model in
            model["flow.code"]?.sent.removeAll { $0.name == "state" }
        },
        Flaw("authorization.iss.matches-issuer") { $0["flow.code"]?.set("iss", RunModel.issuer + "/") },
        Flaw("authorization.iss.is-sent") { $0["flow.code"]?.set("iss", nil) },
        Flaw("authorization.iss.is-sent-beside-id-token") { $0["flow.id_token"]?.set("iss", nil) },
        Flaw("authorization.iss.is-right-in-every-response") { model in
            let code = ResponseParameter(name: "code", value: "code")
            let iss = ResponseParameter(name: "iss", value: RunModel.issuer + "/")
            model["probe.unknown-parameter"]?.redirect = RunModel.redirect([code, iss], inFragment: false)
        },
        Flaw("authorization.iss.is-advertised") { model in
            model.discovery["authorization_response_iss_parameter_supported"] = nil
        },
        Flaw("authorization.tokens.are-not-in-query") { $0["flow.code-id_token"]?.swapHalves() },
        Flaw("authorization.code.is-in-query") { $0["flow.code"]?.swapHalves() },
        Flaw("authorization.code.is-in-fragment") { $0["flow.code-id_token"]?.move("code") },
        Flaw("authorization.response.is-in-fragment") { $0["flow.id_token"]?.move("state") },
        Flaw("authorization.code.is-long-enough") { $0["flow.code"]?.query[0].length = 15 },
        Flaw("authorization.code.has-no-spaces") { model in
            model["flow.code"]?.query[0].hasSpace = true
            // A code with a space that the token endpoint accepts is a legal one.
            model["flow.code"]?.accessToken = nil
        },
        Flaw("authorization.code.is-varied") { $0["flow.code"]?.query[0].variety = 30 },
        Flaw("authorization.redirect-uri.query-is-kept") { $0["flow.code"]?.redirect?.keepsQuery = false },
        Flaw("authorization.token-type.is-bearer") { $0["flow.id_token-token"]?.set("token_type", nil) },
        Flaw("authorization.token-type.is-bearer", what: "another type") { model in
            model["flow.id_token-token"]?.set("token_type", "mac")
        },
        Flaw("authorization.expires-in.is-a-number") { $0["flow.id_token-token"]?.set("expires_in", "3600.0") },
        Flaw("authorization.expires-in.accompanies-access-token") { $0["flow.id_token"]?.set("expires_in", "3600") },
    ]

    static let errors: [Flaw] = [
        Flaw("authorization.error.is-redirected") { $0["probe.missing-nonce"]?.ending = RunModel.errorPage },
        Flaw("authorization.state.is-echoed-with-errors") { $0["probe.prompt-none"]?.set("state", nil) },
        Flaw("authorization.iss.matches-issuer-with-errors") { model in
            model["probe.prompt-none"]?.set("iss", "https://other.example.com")
        },
        Flaw("authorization.iss.is-sent-with-errors") { $0["probe.prompt-none"]?.set("iss", nil) },
        Flaw("authorization.error.is-in-its-place") { model in
            model["probe.missing-nonce"]?.ending = RunModel.error("invalid_request")
        },
        Flaw("authorization.error.is-in-its-place", what: "an error of the code flow in the fragment") { model in
            model["probe.prompt-none"]?.ending = RunModel.error("login_required", inFragment: true)
        },
        Flaw("authorization.error.has-legal-characters") { model in
            model["probe.prompt-none"]?.set("error_description", "one\ntwo")
        },
        Flaw("authorization.error.has-legal-characters", what: "a space in error_uri") { model in
            model["probe.prompt-none"]?.set("error_uri", "https://op.example.com/a b")
        },
        Flaw("authorization.error.has-registered-code") { $0["probe.missing-nonce"]?.set("error", "no_nonce") },
        Flaw("authorization.error.has-nothing-more") { $0["probe.prompt-none"]?.set("error_subcode", "cancel") },
        Flaw("authorization.error.error-uri-is-a-uri") { model in
            model["probe.prompt-none"]?.set("error_uri", "https://op.example.com/{code}")
        },
        Flaw("authorization.error.error-uri-is-a-uri", what: "a percent sign without digits") { model in
            model["probe.prompt-none"]?.set("error_uri", "https://op.example.com/100%")
        },
        Flaw("authorization.error.is-named") { model in
            let text = ResponseParameter(name: "error_description", value: "no user is signed in")
            model["probe.prompt-none"]?.redirect = RunModel.redirect([text], inFragment: false)
        },
        // Nothing is granted, whatever the status: the request is not accepted.
        Flaw(
            "authorization.unknown-parameter.is-ignored",
            "authorization.error.is-named",
            what: "a redirect without a code and an error"
        ) { model in
            model["probe.unknown-parameter"]?.redirect = RunModel.redirect([], inFragment: false)
        },
        Flaw("authorization.redirects.have-uris") { $0.eachTokenReply { $0.setHeader("Location", "/sign in") } },
        Flaw("authorization.error.has-no-code") { $0["probe.prompt-none"]?.set("code", "(code)") },
    ]

    static let requests: [Flaw] = [
        Flaw("authorization.pushed-request.requirement-is-honoured") { model in
            model.discovery["require_pushed_authorization_requests"] = true
            let code = ResponseParameter(name: "code", value: "‹code›", length: 43)
            model["request.not-pushed"]?.redirect = RunModel.redirect([code], inFragment: false)
        },
        Flaw("authorization.plain-request.is-accepted") { model in
            model.target.client?.requestObjectSigningAlg = "RS256"
            model["probe.as-the-platform-sends"]?.ending = RunModel.errorPage
        },
        Flaw("authorization.redirect-uri.unregistered-is-not-redirected-to") { model in
            var redirect = RunModel.redirect([], inFragment: false)
            redirect.address = Scenario.foreignRedirectURI
            model["probe.unregistered-redirect-uri"]?.redirect = redirect
        },
        Flaw("authorization.sign-in.forms-reach-the-client") { model in
            model.eachFlow { modelledRun in
                modelledRun.blockedForm = PageVisit.BlockedForm(
                    directive: "form-action 'self'",
                    page: "https://op.example.com/consent",
                    target: "https://rp.example.com/callback"
                )
            }
        },
        Flaw("authorization.sign-in.cookies-are-kept") { model in
            model.eachFlow { $0.refusedCookies = [PageVisit.RefusedCookie(name: "session", flaw: .noneWithoutSecure)] }
        },
        Flaw("authorization.sign-in.is-not-sent-on") { model in model.eachFlow { $0.signInStatus = 307 } },
        Flaw("authorization.response-type.missing-is-refused") { model in
            let code = ResponseParameter(name: "code", value: "‹code›", length: 43)
            model["probe.missing-response-type"]?.redirect = RunModel.redirect([code], inFragment: false)
        },
        Flaw("authorization.response-type.missing-has-right-error") { model in
            model["probe.missing-response-type"]?.ending = RunModel.error("access_denied")
        },
        Flaw("authorization.unknown-parameter.is-ignored") { model in
            model["probe.unknown-parameter"]?.ending = RunModel.error("invalid_request")
        },
        Flaw("authorization.nonce.missing-is-refused") { model in
            let token = ResponseParameter(name: "id_token", value: "(id_token)", length: 800)
            model["probe.missing-nonce"]?.redirect = RunModel.redirect([token], inFragment: true)
        },
        Flaw("authorization.nonce.missing-has-right-error") { model in
            model["probe.missing-nonce"]?.ending = RunModel.error("access_denied", inFragment: true)
        },
        Flaw("authorization.prompt-none.shows-no-page") { model in
            model["probe.prompt-none"]?.ending = RunModel.signInPage
        },
        Flaw("authorization.prompt-none.is-refused-without-session") { model in
            let code = ResponseParameter(name: "code", value: "(code)", length: 43)
            model["probe.prompt-none"]?.redirect = RunModel.redirect([code], inFragment: false)
        },
        Flaw("authorization.prompt-none.has-right-error") { model in
            model["probe.prompt-none"]?.ending = RunModel.error("access_denied")
        },
    ]

    static let liberties: [Liberty] = [
        Liberty("no iss parameter, and none advertised") { model in
            model.discovery["authorization_response_iss_parameter_supported"] = nil
            for index in model.modelledRun.indices { model.modelledRun[index].set("iss", nil) }
        },
        Liberty("bearer in lower case") { $0["flow.id_token-token"]?.set("token_type", "bearer") },
        Liberty("no lifetime of the front-channel access token") { $0["flow.id_token-token"]?.set("expires_in", nil) },
        Liberty("parameters that no specification defines") { model in
            model.eachFlow { $0.set("session_state", "abc.def") }
            model.eachFlow { $0.set("client_info", "abc") }
        },
        Liberty(
            "an error page instead of a redirect without response_type",
            advice: ["authorization.error.is-redirected"]
        ) { model in
            model["probe.missing-response-type"]?.ending = RunModel.errorPage
        },
        Liberty("unsupported_response_type without response_type, in the fragment") { model in
            model["probe.missing-response-type"]?.ending = RunModel.error(
                "unsupported_response_type",
                inFragment: true
            )
        },
        Liberty("an unsupported response type, reported in the query") { model in
            model["probe.missing-nonce"]?.ending = RunModel.error("unsupported_response_type")
            model.discovery["response_types_supported"] = ["code", "id_token token", "code id_token"]
            model.target.flows.removeAll { $0 == "id_token" }
        },
        Liberty("a sign-in page before the redirect URI is compared") { model in
            model["probe.unregistered-redirect-uri"]?.ending = RunModel.signInPage
        },
        Liberty("consent_required for prompt=none") { model in
            model["probe.prompt-none"]?.ending = RunModel.error("consent_required")
        },
        Liberty("an error page without a nonce", advice: ["authorization.error.is-redirected"]) { model in
            model["probe.missing-nonce"]?.ending = RunModel.errorPage
        },
        Liberty("an error description in plain English") { model in
            model["probe.prompt-none"]?.set("error_description", "No user is signed in (yet).")
        },
        Liberty("a relative, percent-encoded URI of a page about the error") { model in
            model["probe.prompt-none"]?.set("error_uri", "/errors?code=login%5Frequired#top")
        },
        Liberty("a registered redirect URI with a query") { model in
            model["flow.code"]?.redirect?.keepsQuery = true
            model["flow.id_token"]?.query.append(ResponseParameter(name: "tenant", value: "1"))
        },
    ]

    @Test("a flaw fails its own check and no other", arguments: responses + errors + requests)
    func flaws(flaw: Flaw) {
        #expect(flaw.failures == flaw.trips)
    }

    @Test("behaviour that the specifications allow fails no check beyond the expected advice", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("every check of the stage has a flaw here")
    func complete() {
        let tripped = (Self.responses + Self.errors + Self.requests)
            .reduce(into: Set<CheckID>()) {
                $0.formUnion($1.trips)
            }
        let untried = Set(AuthorizationChecks.all.aboutSingleRequests.map(\.id)).subtracting(tripped)
        #expect(untried.isEmpty)
    }

    @Test("a flow without a result is inconclusive, never passed")
    func absence() {
        var model = RunModel.conformant
        model.modelledRun.removeAll { $0.scenario.id == "probe.prompt-none" }
        #expect(model.judge("authorization.prompt-none.shows-no-page")?.word == "notAttempted")
        model["flow.code"]?.ending = RunModel.error("server_error")
        #expect(model.judge("authorization.state.is-echoed")?.word == "inconclusive")
    }

    @Test(
        "an error that the registration may cause fails only the check of the advertised response type",
        arguments: zip(
            [RunModel.errorPage, RunModel.error("access_denied")],
            [["authorization.response-type.advertised-is-served"], []] as [Set<CheckID>]
        )
    )
    func registration(ending: AuthorizationAnswer.Ending, advice: Set<CheckID>) {
        var model = RunModel.conformant
        model["flow.code"]?.ending = ending
        #expect(model.failures == advice)
        #expect(model.judge("authorization.flow.succeeds")?.word == "inconclusive")
    }

    @Test(
        "without a sign-in, a page without a form may be an error page, whatever its status",
        arguments: [(Tier.unauthenticated, "notApplicable"), (.full, "failed")]
    )
    func errorPageWithStatus200(tier: Tier, word: String) {
        var model = RunModel.conformant
        let page = RunModel.page(200, "The client is not known.")
        model.tier = tier
        model["probe.unknown-parameter"]?.ending = page
        model["probe.prompt-none"]?.ending = page
        #expect(model.judge("authorization.prompt-none.shows-no-page")?.word == word)
    }

    @Test("the fix for a rejected ordinary request names the registration when the platform's is rejected too")
    func sharedCause() {
        var model = RunModel.conformant
        model["probe.unknown-parameter"]?.ending = RunModel.errorPage
        model["probe.as-the-platform-sends"]?.ending = RunModel.errorPage
        let fix = model.judge("authorization.unknown-parameter.is-ignored")?.findings.first?.fix
        #expect(fix?.contains("registration") == true)
        #expect(model.failures == ["authorization.unknown-parameter.is-ignored"])
    }
}

extension RunModel.ModelledRun {
    /// Swaps query and fragment.
    fileprivate mutating func swapHalves() {
        guard let answer = redirect else { return }
        redirect?.query = answer.fragment
        redirect?.fragment = answer.query
    }

    /// Moves one parameter from the fragment to the query.
    fileprivate mutating func move(_ name: String) {
        let moved = fragment.filter { $0.name == name }
        fragment.removeAll { $0.name == name }
        query += moved
    }
}
