import Conformance

/// Faults in comparing redirect URIs.
extension Fault {
    static let redirectURIVariations: [Fault] =
        [
            takes(
                .addedPath,
                "authorization.redirect-uri.added-path-is-refused",
                "redirect URIs are compared by prefix"
            ),
            takes(.addedQuery, "authorization.redirect-uri.added-query-is-refused", "a query makes no difference"),
            takes(.fragment, "authorization.redirect-uri.fragment-is-refused", "a fragment makes no difference"),
            takes(
                .otherCaseOfPath,
                "authorization.redirect-uri.other-case-of-path-is-refused",
                "redirect URIs are compared without regard to case"
            ),
            takes(.otherScheme, "authorization.redirect-uri.other-scheme-is-refused", "the scheme is not compared"),
            takes(
                .otherCaseOfScheme,
                "authorization.redirect-uri.other-case-of-scheme-is-refused",
                "the scheme is compared without regard to case"
            ),
            takes(.otherPort, "authorization.redirect-uri.other-port-is-refused", "the port is not compared"),
            takes(
                .trailingSlash,
                "authorization.redirect-uri.trailing-slash-is-compared",
                "a slash at the end makes no difference"
            ),
            takes(.userInfo, "authorization.redirect-uri.user-info-is-refused", "user information is not compared"),
            takes(.subdomain, "authorization.redirect-uri.sub-domain-is-refused", "sub-domains are taken as well"),
            takes(
                .percentEncoded,
                "authorization.redirect-uri.percent-encoding-is-compared",
                "redirect URIs are decoded before they are compared"
            ),
            .provider(
                "authorization.redirect-uri.missing-is-refused",
                "the only registered redirect URI is taken when none is sent"
            ) { seams in
                let usual = seams.parameters.redirectURI
                seams.parameters.redirectURI = { parameters, client in
                    guard parameters.first("redirect_uri") == nil, let registered = client.redirectURIs.first else {
                        return usual(parameters, client)
                    }
                    return (checked: registered, used: registered)
                }
            },
            .provider(
                "authorization.redirect-uri.mismatch-is-shown",
                "a redirect URI that does not match is told to the client",
                // Whatever else a client registered is no match here.
                also: ["registration.client.redirect-uri-keeps-its-query"]
            ) { seams in
                let usual = seams.parameters.redirectURI
                seams.parameters.redirectURI = { parameters, client in
                    guard usual(parameters, client) != nil, let registered = client.redirectURIs.first else {
                        return nil
                    }
                    return (checked: registered, used: registered)
                }
                seams.authorizationError = { request, error in
                    request["redirect_uri"] == RegisteredClient.redirectURI ? error : "invalid_request"
                }
            },
        ]

    static let repeatedParameters: [Fault] = [
        .provider("authorization.client-id.repeated-is-refused", "the first of two client_id counts") {
            $0.takeFirst(of: "client_id")
        },
        .provider("authorization.redirect-uri.repeated-is-refused", "the first of two redirect_uri counts") {
            $0.takeFirst(of: "redirect_uri")
        },
        .provider(
            "authorization.redirect-uri.repeated-is-not-redirected-to",
            "the first of two redirect_uri is compared, and the last is used"
        ) { seams in
            seams.takeFirst(of: "redirect_uri")
            seams.parameters.redirectURI = { parameters, _ in
                let values = parameters.filter { $0.name == "redirect_uri" }.map(\.value)
                guard let first = values.first, let last = values.last else { return nil }
                return (checked: first, used: last)
            }
        },
        .provider("authorization.scope.repeated-is-refused", "the first of two scope counts") {
            $0.takeFirst(of: "scope")
        },
        .provider("authorization.state.repeated-is-refused", "the first of two state counts") {
            $0.takeFirst(of: "state")
        },
        .provider("authorization.nonce.repeated-is-refused", "the first of two nonce counts") {
            $0.takeFirst(of: "nonce")
        },
    ]

    /// A provider that takes one changed redirect URI for the registered one.
    private static func takes(_ variation: RedirectURIVariation, _ trips: CheckID, _ title: String) -> Fault {
        .provider(trips, title) { seams in
            seams.acceptsRedirectURI = { asked, registered in
                registered.contains(asked) || registered.contains { variation.changed($0) == asked }
            }
        }
    }
}

extension Seams {
    /// Takes the first value of one parameter, however often it comes.
    fileprivate mutating func takeFirst(of name: String) {
        let usual = parameters.one
        let one: @Sendable (String, [Field]) -> String? = { asked, parameters in
            asked == name ? parameters.first(asked) : usual(asked, parameters)
        }
        parameters.one = one
        parameters.redirectURI = { parameters, _ in one("redirect_uri", parameters).map { (checked: $0, used: $0) } }
        authorizationError = { request, error in
            error?.text == "\(name) occurs more than once" ? nil : error
        }
    }
}
