/// Authorization requests that are as good as an ordinary one and look different.
extension Scenario {
    /// 40 characters: letters of both cases, and the characters that are most often lost in a query.
    static let specialState = "a+B/c=D~e%2Bf&g h?i;J@k:l,M!n$o(p)q*R_s."
    /// 200 characters, not alphanumeric all.
    package static let specialNonce = String(repeating: "n+o/n=c~e%2B&.-_", count: 12) + "n+o/n=c~"
    static let shortState = "s-4kq7rz"
    static let shortNonce = "n-8wd2xv"
    /// As long as RFC 6749 sets no bound: 512 characters.
    static let longState = String(repeating: "preflight-state-", count: 32)
    /// As long, of those characters.
    static let longSpecialState = String(String(repeating: specialState, count: 13).prefix(512))
    static let state128 = String(repeating: "0123456789abcdef", count: 8)

    /// Parameters with values that are long, full of special characters, in another order or not there.
    package static let unusualValues: Scenario = {
        var scenario = emptyScenario("request.unusual-values", "authorization requests with unusual values", .full)
        scenario.steps = [
            // If the combined request is granted, its parts need not be requested separately.
            granting(.joint, "a request with all unusual values") {
                $0.changes = [
                    .set("state", .text(longSpecialState)), .set("nonce", .text(specialNonce)),
                    .addWord("scope", "preflight_unknown"), .reverseWords("scope"), .reverse,
                ]
            },
            .redeem(.joint),
            granting(.order, "parameters and scope values in another order, a state of 128 characters") {
                $0.changes = [.set("state", .text(state128)), .reverseWords("scope"), .reverse]
            }
            .unless(.joint),
            granting(.special, "state and a long nonce with special characters") {
                $0.changes = [.set("state", .text(specialState)), .set("nonce", .text(specialNonce))]
            }
            .unless(.joint),
            .redeem(.special),
            granting(.specialState, "a state with special characters") {
                $0.changes = [.set("state", .text(specialState))]
            }
            .unless(.special),
            granting(.specialNonce, "a long nonce with special characters") {
                $0.changes = [.set("nonce", .text(specialNonce))]
            }
            .unless(.special),
            .redeem(.specialNonce),
            granting(.longState, "a state of 512 characters") { $0.changes = [.set("state", .text(longState))] }
                .unless(.joint),
            granting(.noState, "no state") { $0.changes = [.remove("state")] },
            granting(.unknownScope, "an unknown scope value") {
                $0.changes = [.addWord("scope", "preflight_unknown")]
            }
            .unless(.joint),
        ]
        return scenario
    }()

    /// Parameters that a provider may ignore and must not reject.
    package static let optionalParameters: Scenario = {
        var scenario = emptyScenario(
            "request.optional-parameters",
            "authorization requests with parameters that a provider may ignore",
            .full
        )
        let locales: ParameterValue = "de-CH fr tlh"
        let contexts = ParameterValue.firstListed("acr_values_supported", otherwise: "1")
        scenario.steps = [
            granting(.joint, "display=page, ui_locales, claims_locales, acr_values, a short state and a short nonce") {
                $0.changes = [
                    .set("state", .text(shortState)), .set("nonce", .text(shortNonce)), .set("display", "page"),
                    .set("ui_locales", locales), .set("claims_locales", locales),
                    .set("acr_values", contexts),
                ]
            },
            .redeem(.joint),
            granting(.displayPage, "display=page") { $0.changes = [.set("display", "page")] }.unless(.joint),
            granting(.displayPopup, "display=popup") { $0.changes = [.set("display", "popup")] },
            granting(.uiLocales, "ui_locales") { $0.changes = [.set("ui_locales", locales)] }.unless(.joint),
            granting(.claimsLocales, "claims_locales") { $0.changes = [.set("claims_locales", locales)] }
                .unless(.joint),
            granting(.acrValues, "acr_values") { $0.changes = [.set("acr_values", contexts)] }.unless(.joint),
            .redeem(.acrValues),
            granting(.shortState, "a state of 8 characters") { $0.changes = [.set("state", .text(shortState))] }
                .unless(.joint),
            granting(.shortNonce, "a nonce of 8 characters") { $0.changes = [.set("nonce", .text(shortNonce))] }
                .unless(.joint),
        ]
        return scenario
    }()

    /// Liberties of the code flow: no nonce, and a plain OAuth request.
    package static let codeLiberties: Scenario = {
        var scenario = emptyScenario("request.code-liberties", "code flow requests without optional parameters", .full)
        scenario.conditions = [.codeFlow]
        scenario.steps = [
            granting(.noNonce, "no nonce") { $0.sendsNonce = false },
            .redeem(.noNonce),
            // A plain OAuth request: a nonce is OpenID Connect's.
            granting(.noOpenID, "no scope value openid") { request in
                request.sendsNonce = false
                request.changes = [.removeWord("scope", "openid")]
            },
            .redeem(.noOpenID),
        ]
        return scenario
    }()

    /// The scope values that return claims about the user (Core section 5.4).
    package static let scopesOfClaims = ["profile", "email", "address", "phone"]

    /// `openid` and the scope values that return no claims by specification, which the provider may require, with one that does.
    package static func scopes(with scope: String? = nil) -> [ParameterChange] {
        [.addWord("scope", "openid")] + scopesOfClaims.filter { $0 != scope }.map { .removeWord("scope", $0) }
    }

    /// One scope value without the others that return claims; UserInfo shows the claims of this one.
    package static let scopesAlone = scopesOfClaims.map { scope in
        var scenario = emptyScenario(
            ScenarioID("request.\(scope)-alone"),
            "request only openid and \(scope)",
            .full
        )
        scenario.conditions = [.codeFlow]
        scenario.scope = scope
        scenario.requires = ["userinfo_endpoint"]
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.changes = scopes(with: scope)
        scenario.steps = [.authorize(request), .redeem(), Step(.userInfo, "UserInfo", .call(.userInfo))]
        return scenario
    }

    /// The same response type as a form, in another order, in the query where it must not be, and without a nonce.
    static func ofType(_ type: ResponseType) -> Scenario {
        var scenario = emptyScenario(.ofType(type), "unusual requests with response_type \(type)", .full)
        scenario.flow = type
        scenario.steps = [
            granting(.formPost, "response_mode=form_post", type) {
                $0.changes = [.set("response_mode", "form_post"), .set("state", .text(formPostState))]
            }
        ]
        scenario.steps[0].requires = [.lists("response_modes_supported", "form_post")]
        if type.isFrontChannel {
            scenario.steps.append(
                granting(.query, "response_mode=query", type) { $0.changes = [.set("response_mode", "query")] }
            )
        } else {
            scenario.steps.append(
                granting(.inFragment, "response_mode=fragment", type) {
                    $0.changes = [.set("response_mode", "fragment")]
                }
            )
            scenario.steps[1].requires = [.lists("response_modes_supported", "fragment")]
            // The provider may require the configured one.
            scenario.steps[1].conditions = [.ordinaryResponseMode]
        }
        if type.values.count > 1 {
            let reversed = type.text.split(separator: " ").reversed().joined(separator: " ")
            scenario.steps.append(
                granting(.reordered, "the values of response_type in another order", type) {
                    $0.changes = [.set("response_type", .text(reversed))]
                }
            )
        }
        if type.hasCode, type.hasIDToken {
            scenario.steps.append(granting(.noNonce, "no nonce", type) { $0.sendsNonce = false })
        }
        // Last, when a user is signed in.
        if type.isFrontChannel { scenario.steps.append(silent(type)) }
        return scenario
    }

    /// `prompt=none` with a session, for one of the response types that are answered in the fragment.
    private static func silent(_ type: ResponseType) -> Step {
        var request = AuthorizationRequest(responseType: type, session: .asItIs)
        // Characters that are lost in the fragment when they are encoded twice or not at all.
        request.changes = [.set("prompt", "none"), .set("state", .text(specialState))]
        var step = Step(.promptNone, "prompt=none while signed in", .authorize(request))
        step.isOncePerPlace = true
        return step
    }

    /// Characters that have a meaning in HTML, in URLs, or in both; long enough for providers with a minimum of 32.
    static let formPostState = "a+b/c=d&lt;e%20f\"g-0123456789abcdef"

    /// A step of a user who is signed in, and may have to sign in again.
    private static func granting(
        _ id: StepID,
        _ title: String,
        _ type: ResponseType? = nil,
        _ change: (inout AuthorizationRequest) -> Void
    ) -> Step {
        var request = AuthorizationRequest(responseType: type, session: .signInIfAsked)
        change(&request)
        return Step(id, title, .authorize(request))
    }
}

extension ScenarioID {
    static func ofType(_ type: ResponseType) -> ScenarioID {
        ScenarioID("request.of-" + type.text.replacing(" ", with: "-"))
    }
}
