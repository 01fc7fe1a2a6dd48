import Conformance

/// Faults with users who have a session.
extension Fault {
    static let sessions: [Fault] = silentPrompts + signInsAgain + hints

    private static let silentPrompts: [Fault] = [
        .provider(
            "authorization.prompt-none.shows-no-page-with-session",
            "prompt=none shows the consent page to a signed-in user"
        ) { hooks in
            hooks.onReturn { needs, request in
                guard request["prompt"] == "none" else { return }
                needs.consent = true
                needs.error = nil
            }
        },
        .provider(
            "authorization.prompt-none.shows-no-page-when-too-old",
            "prompt=none shows the sign-in page when the session is older than max_age"
        ) { hooks in
            hooks.onReturn { needs, request in
                guard request["prompt"] == "none", request["max_age"] != nil else { return }
                needs.signIn = true
                needs.error = nil
            }
        },
        .provider("authorization.prompt-none.is-refused-when-too-old", "prompt=none ignores max_age") { hooks in
            hooks.onReturn { needs, request in
                guard request["prompt"] == "none", request["max_age"] != nil else { return }
                needs.signIn = false
                needs.error = nil
            }
        },
        .provider(
            "authorization.prompt-none.succeeds-with-session",
            "prompt=none returns login_required although the user is signed in"
        ) { hooks in
            hooks.onReturn { needs, request in
                if request["prompt"] == "none", needs.error == nil { needs.error = "login_required" }
            }
        },
        .provider(
            "authorization.prompt-none.with-another-value-is-refused",
            "prompt=none login is accepted"
        ) { hooks in
            hooks.authorizationError = { request, error in request["prompt"] == "none login" ? nil : error }
        },
        .provider(
            "authorization.prompt-none.with-another-value-is-refused",
            variant: "consent",
            "prompt=none consent is accepted and uses the session"
        ) { hooks in
            hooks.authorizationError = { request, error in request["prompt"] == "none consent" ? nil : error }
            hooks.onReturn { needs, request in if request["prompt"] == "none consent" { needs.consent = false } }
        },
        .provider(
            "authorization.prompt-none.with-another-value-is-refused",
            variant: "loop",
            "prompt=none login redirects to itself"
        ) { hooks in
            hooks.authorizationError = { request, error in
                request["prompt"] == "none login" ? OAuthError("invalid_request", "loop") : error
            }
            hooks.onAnswer(.authorization, 300...399) { answer in
                let location = answer.headers.first { $0.isNamed("Location") }?.value ?? ""
                if location.contains("error_description=loop") { answer.setHeader("Location", "#again") }
            }
        },
    ]

    private static let signInsAgain: [Fault] = [
        .provider("authorization.prompt-login.is-accepted", "prompt=login is rejected as invalid_request") { hooks in
            hooks.authorizationError = { request, error in
                request["prompt"] == "login" ? error ?? "invalid_request" : error
            }
        },
        .provider("authorization.max-age.is-accepted", "max_age is rejected as invalid_request") { hooks in
            hooks.authorizationError = { request, error in
                request["max_age"] != nil && request["prompt"] != "none" ? error ?? "invalid_request" : error
            }
        },
        .provider("authorization.prompt-login.asks-again", "prompt=login is ignored") { hooks in
            hooks.onReturn { needs, request in if request["prompt"] == "login" { needs.signIn = false } }
        },
        .provider("authorization.max-age.asks-again", "max_age is ignored") { hooks in
            hooks.onReturn { needs, request in if request["max_age"] != nil { needs.signIn = false } }
        },
        .provider("authorization.max-age.zero-asks-again", "max_age=0 is ignored") { hooks in
            hooks.onReturn { needs, request in if request["max_age"] == "0" { needs.signIn = false } }
        },
        .provider("authorization.max-age.young-session-is-used", "max_age always requires a new sign-in") { hooks in
            hooks.onReturn { needs, request in if request["max_age"] != nil { needs.signIn = true } }
        },
        .provider(
            "authorization.prompt-login.lets-through",
            "prompt=login shows the sign-in page again after the sign-in"
        ) {
            $0.session.asksAgainFor = { $0["prompt"] == "login" }
        },
        .provider("authorization.max-age.zero-lets-through", "max_age=0 shows the sign-in page again after the sign-in")
        {
            $0.session.asksAgainFor = { $0["max_age"] == "0" }
        },
        .provider("authorization.prompt-consent.asks", "prompt=consent is ignored") { hooks in
            hooks.onReturn { needs, request in if request["prompt"] == "consent" { needs.consent = false } }
        },
        .provider("authorization.prompt-select-account.asks", "prompt=select_account is ignored") { hooks in
            hooks.onReturn { needs, request in if request["prompt"] == "select_account" { needs.signIn = false } }
        },
    ]

    private static let hints: [Fault] = [
        .provider("authorization.id-token-hint.is-accepted", "every id_token_hint is rejected") { hooks in
            hooks.onReturn { needs, request in
                if request["id_token_hint"] != nil { needs.error = OAuthError("invalid_request", "id_token_hint") }
            }
        },
        .provider("authorization.id-token-hint.forged-is-refused", "the signature of id_token_hint is not verified") {
            hooks in
            hooks.onReturn { needs, request in
                if request["id_token_hint"] != nil, needs.error?.code == "invalid_request" { needs.error = nil }
            }
        },
        .provider("authorization.id-token-hint.unsigned-is-refused", "an id_token_hint with alg none is accepted") {
            hooks in
            hooks.onReturn { needs, request in
                if request["id_token_hint"]?.hasSuffix(".") == true { needs.error = nil }
            }
        },
        .provider(
            "authorization.id-token-hint.is-accepted-without-prompt",
            "id_token_hint is rejected in requests without prompt"
        ) { hooks in
            hooks.onReturn { needs, request in
                if request["id_token_hint"] != nil, request["prompt"] == nil {
                    needs.error = OAuthError("invalid_request", "id_token_hint needs prompt")
                }
            }
        },
        .provider(
            "authorization.id-token-hint.of-another-person-is-refused",
            "id_token_hint of another user is accepted"
        ) { hooks in
            hooks.onReturn { needs, request in
                guard request["id_token_hint"] != nil, needs.error?.code == "login_required" else { return }
                needs.signIn = false
                needs.error = nil
            }
        },
        .provider("authorization.pages.escape-parameters", "the sign-in page shows login_hint unescaped") { hooks in
            hooks.onAnswer(.signInPage, 200...200) { answer in
                answer.text = answer.text.replacing("&gt;", with: ">").replacing("&lt;", with: "<")
                    .replacing("&quot;", with: "\"")
            }
        },
        .provider(
            "authorization.pages.escape-parameters",
            variant: "quotes",
            "the sign-in page shows login_hint with unescaped quotation marks"
        ) { hooks in
            hooks.onAnswer(.signInPage, 200...200) { $0.text = $0.text.replacing("&quot;", with: "\"") }
        },
        .provider("authorization.login-hint.is-no-error", "a request with login_hint is rejected") { hooks in
            hooks.authorizationError = { request, error in request["login_hint"] == nil ? error : "access_denied" }
        },
    ]
}

extension Hooks {
    /// Changes the steps required of a user who is signed in.
    fileprivate mutating func onReturn(
        _ change: @escaping @Sendable (inout Needs, AuthorizationRequestParameters) -> Void
    ) {
        session.needs = { needs, request in
            if request.isSignedIn { change(&needs, request) }
        }
    }
}
