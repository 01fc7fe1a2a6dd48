import Conformance

/// Faults in comparing redirect URIs.
extension Fault {
    static let redirectURIVariations: [Fault] =
        [
            takes(
                .sibling,
                "authorization.redirect-uri.sibling-host-is-refused",
                "the first label of the redirect URI's host is not compared"
            ),
            takes(
                .hostSuffix,
                "authorization.redirect-uri.host-suffix-is-refused",
                "only the start of the redirect URI's host is compared"
            ),
            takes(
                .dotReplaced,
                "authorization.redirect-uri.dot-is-compared",
                "the host of the redirect URI is a pattern with unescaped dots"
            ),
            takes(
                .loopback,
                "authorization.redirect-uri.unregistered-loopback-is-refused",
                "every redirect URI on localhost is accepted"
            ),
            takes(
                .customScheme,
                "authorization.redirect-uri.custom-scheme-is-refused",
                "every redirect URI with a custom scheme is accepted"
            ),
            ofOne("front-channel", "redirect URIs are not compared for response_type id_token token") {
                $0.first("response_type") == "id_token token"
            },
            ofOne("prompt-none", "redirect URIs are not compared with prompt=none") { $0.first("prompt") == "none" },
            ofOne("form-post", "redirect URIs are not compared with response_mode=form_post") {
                $0.first("response_mode") == "form_post"
            },
            takes(
                .addedPath,
                "authorization.redirect-uri.added-path-is-refused",
                "redirect URIs are compared by prefix"
            ),
            takes(
                .addedQuery,
                "authorization.redirect-uri.added-query-is-refused",
                "the query of the redirect URI is not compared"
            ),
            takes(
                .fragment,
                "authorization.redirect-uri.fragment-is-refused",
                "the fragment of the redirect URI is not compared"
            ),
            takes(
                .otherCaseOfPath,
                "authorization.redirect-uri.other-case-of-path-is-refused",
                "redirect URIs are compared case-insensitively"
            ),
            takes(
                .otherScheme,
                "authorization.redirect-uri.other-scheme-is-refused",
                "the scheme of the redirect URI is not compared"
            ),
            takes(
                .otherCaseOfScheme,
                "authorization.redirect-uri.other-case-of-scheme-is-refused",
                "the scheme of the redirect URI is compared case-insensitively"
            ),
            takes(
                .otherPort,
                "authorization.redirect-uri.other-port-is-refused",
                "the port of the redirect URI is not compared"
            ),
            takes(
                .trailingSlash,
                "authorization.redirect-uri.trailing-slash-is-compared",
                "a trailing slash of the redirect URI is not compared"
            ),
            takes(
                .userInfo,
                "authorization.redirect-uri.user-info-is-refused",
                "the user information in the redirect URI is not compared"
            ),
            takes(
                .subdomain,
                "authorization.redirect-uri.sub-domain-is-refused",
                "subdomains of the registered redirect URI are accepted"
            ),
            takes(
                .percentEncoded,
                "authorization.redirect-uri.percent-encoding-is-compared",
                "redirect URIs are percent-decoded before they are compared"
            ),
            takes(
                .blankBefore,
                "authorization.redirect-uri.space-is-compared",
                "spaces before the redirect URI are removed"
            ),
            takes(
                .tabBehind,
                "authorization.redirect-uri.tab-is-compared",
                "tabs behind the redirect URI are removed"
            ),
            takes(
                .emptyQuery,
                "authorization.redirect-uri.question-mark-is-compared",
                "an empty query of the redirect URI is not compared"
            ),
            takes(
                .backslash,
                "authorization.redirect-uri.backslash-is-refused",
                "the part behind an @ after a backslash is read as the host"
            ),
            .provider(
                "authorization.redirect-uri.missing-is-refused",
                "a request without redirect_uri uses the only registered one"
            ) { hooks in
                let usual = hooks.parameters.redirectURI
                hooks.parameters.redirectURI = { parameters, client in
                    guard parameters.first("redirect_uri") == nil, let registered = client.redirectURIs.first else {
                        return usual(parameters, client)
                    }
                    return (checked: registered, used: registered)
                }
            },
            .provider(
                "authorization.redirect-uri.mismatch-is-shown",
                "an unregistered redirect_uri causes an error redirect to the registered one",
                // This fault also rejects any other redirect URI that the client registered.
                also: ["registration.client.redirect-uri-keeps-its-query"]
            ) { hooks in
                let usual = hooks.parameters.redirectURI
                hooks.parameters.redirectURI = { parameters, client in
                    guard usual(parameters, client) != nil, let registered = client.redirectURIs.first else {
                        return nil
                    }
                    return (checked: registered, used: registered)
                }
                hooks.authorizationError = { request, error in
                    request["redirect_uri"] == RegisteredClient.redirectURI ? error : "invalid_request"
                }
            },
        ]

    static let repeatedParameters: [Fault] = [
        .provider(
            "authorization.client-id.repeated-is-refused",
            "a repeated client_id is accepted, and the first value is used"
        ) {
            $0.takeFirst(of: "client_id")
        },
        .provider(
            "authorization.redirect-uri.repeated-is-refused",
            "a repeated redirect_uri is accepted, and the first value is used"
        ) {
            $0.takeFirst(of: "redirect_uri")
        },
        .provider(
            "authorization.redirect-uri.repeated-is-not-redirected-to",
            "of two redirect_uri values, the first is compared and the last is used"
        ) { hooks in
            hooks.takeFirst(of: "redirect_uri")
            hooks.parameters.redirectURI = { parameters, _ in
                let values = parameters.filter { $0.name == "redirect_uri" }.map(\.value)
                guard let first = values.first, let last = values.last else { return nil }
                return (checked: first, used: last)
            }
        },
        .provider(
            "authorization.scope.repeated-is-refused",
            "a repeated scope is accepted, and the first value is used"
        ) {
            $0.takeFirst(of: "scope")
        },
        .provider(
            "authorization.state.repeated-is-refused",
            "a repeated state is accepted, and the first value is used"
        ) {
            $0.takeFirst(of: "state")
        },
        .provider(
            "authorization.nonce.repeated-is-refused",
            "a repeated nonce is accepted, and the first value is used"
        ) {
            $0.takeFirst(of: "nonce")
        },
    ]

    static let malformedValues: [Fault] = [
        .provider(
            "authorization.claims-parameter.malformed-is-refused",
            "a claims parameter that is not JSON is ignored"
        ) { hooks in
            hooks.authorizationError = { _, error in error?.rejection == .malformedClaims ? nil : error }
        },
        .provider("authorization.max-age.malformed-is-refused", "a max_age that is not a number is ignored") { hooks in
            hooks.authorizationError = { _, error in error?.rejection == .malformedMaxAge ? nil : error }
        },
        .provider(
            "authorization.response-type.repeated-value-is-refused",
            "response_type=code code is accepted as response_type=code"
        ) { hooks in
            hooks.authorizationError = { request, error in request["response_type"] == "code code" ? nil : error }
        },
    ]

    /// A provider that does not compare the redirect URIs of one kind of request.
    private static func ofOne(
        _ variant: String,
        _ title: String,
        _ isOne: @escaping @Sendable ([Field]) -> Bool
    ) -> Fault {
        .provider(
            "authorization.redirect-uri.unregistered-is-never-redirected-to",
            variant: variant,
            title
        ) { hooks in
            let usual = hooks.parameters.redirectURI
            hooks.parameters.redirectURI = { parameters, client in
                let asked = usual(parameters, client)
                guard let asked, asked.used == Scenario.foreignRedirectURI, isOne(parameters) else { return asked }
                return client.redirectURIs.first.map { (checked: $0, used: asked.used) }
            }
        }
    }

    /// A provider that accepts one variation of the registered redirect URI.
    private static func takes(_ variation: RedirectURIVariation, _ trips: CheckID, _ title: String) -> Fault {
        .provider(trips, title) { hooks in
            hooks.acceptsRedirectURI = { asked, registered in
                registered.contains(asked) || registered.contains { variation.changed($0) == asked }
            }
        }
    }
}

extension Hooks {
    /// Accepts a repeated parameter and uses its first value.
    fileprivate mutating func takeFirst(of name: String) {
        let usual = parameters.one
        let one: @Sendable (String, [Field]) -> String? = { asked, parameters in
            asked == name ? parameters.first(asked) : usual(asked, parameters)
        }
        parameters.one = one
        parameters.redirectURI = { parameters, _ in one("redirect_uri", parameters).map { (checked: $0, used: $0) } }
        authorizationError = { request, error in
            error?.rejection == .repeatedParameter(name) ? nil : error
        }
    }
}
