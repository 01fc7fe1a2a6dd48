import Conformance
import JSONTree

/// The faults that mirror `Catalogue/Logout`.
extension Fault {
    static let logout: [Fault] = logoutMetadata + clientLogout + confirmation + backChannel + logoutPrecision

    private static let logoutMetadata: [Fault] = [
        .document(
            "logout.end-session-endpoint.is-present",
            "back-channel logout is advertised without end_session_endpoint"
        ) {
            $0["end_session_endpoint"] = nil
        },
        .document(
            "logout.back-channel.is-announced",
            "backchannel_logout_session_supported is true without backchannel_logout_supported"
        ) {
            $0["backchannel_logout_supported"] = nil
            $0["backchannel_logout_session_supported"] = true
        },
        .document(
            "logout.front-channel.is-announced",
            "frontchannel_logout_session_supported is true without frontchannel_logout_supported"
        ) {
            $0["frontchannel_logout_session_supported"] = true
        },
        .document("logout.back-channel.names-sessions", "backchannel_logout_session_supported is false") {
            $0["backchannel_logout_session_supported"] = false
        },
        .document(
            "logout.front-channel.names-sessions",
            "frontchannel_logout_supported is true without frontchannel_logout_session_supported"
        ) {
            $0["frontchannel_logout_supported"] = true
        },
    ]

    private static let clientLogout: [Fault] = [
        .provider("logout.request.is-answered", "a logout request without parameters returns status 400") { hooks in
            hooks.answer = { endpoint, answer in
                if endpoint == .endSession, answer.status == 200, answer.text.contains("Signed out") {
                    answer.status = 400
                }
            }
        },
        .provider("logout.redirect.leads-back", "logout shows a page instead of redirecting to the client") { hooks in
            hooks.postLogoutRedirectURI = { _, _ in nil }
        },
        .provider("logout.state.is-echoed", "state is not returned after logout") { hooks in
            hooks.postLogoutResponse = { $0 = [] }
        },
        .provider("logout.session.is-ended", "logout does not end the session") { hooks in
            hooks.endsSession = false
        },
        .provider(
            "logout.redirect.unregistered-is-not-followed",
            "logout redirects to an unregistered post_logout_redirect_uri"
        ) {
            hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                asked.hintedClientID == nil ? target : asked["post_logout_redirect_uri"] ?? target
            }
        },
        .provider(
            "logout.redirect.unregistered-is-not-followed",
            variant: "query",
            "logout accepts a query added to the registered post_logout_redirect_uri"
        ) { hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                guard asked.hintedClientID != nil, let uri = asked["post_logout_redirect_uri"],
                    asked.registered.contains(String(uri.prefix { $0 != "?" }))
                else { return target }
                return uri
            }
        },
        .provider(
            "logout.redirect.unregistered-is-not-followed",
            variant: "subdomain",
            "logout accepts a subdomain of the host of the registered post_logout_redirect_uri"
        ) { hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                guard asked.hintedClientID != nil, let uri = asked["post_logout_redirect_uri"],
                    asked.registered.contains(where: { $0.replacing("https://", with: "https://preflight.") == uri })
                else { return target }
                return uri
            }
        },
        .provider("logout.id-token-hint.forged-leads-nowhere", "logout does not verify the signature of id_token_hint")
        {
            hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                asked["id_token_hint"] == nil
                    || asked["post_logout_redirect_uri"] != RegisteredClient.postLogoutRedirectURI
                    ? target : RegisteredClient.postLogoutRedirectURI
            }
        },
        .provider(
            "logout.id-token-hint.missing-leads-nowhere",
            "logout redirects to a registered URI without id_token_hint"
        ) {
            hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                asked["id_token_hint"] == nil
                    && asked["post_logout_redirect_uri"] == RegisteredClient.postLogoutRedirectURI
                    ? RegisteredClient.postLogoutRedirectURI : target
            }
        },
    ]

    private static let confirmation: [Fault] = [
        .provider(
            "logout.id-token-hint.of-another-user-is-confirmed",
            "logout with the ID Token of another user does not ask the user"
        ) { hooks in
            hooks.asksAtLogout = { $0 != .otherUser }
        },
        .provider(
            "logout.id-token-hint.missing-is-confirmed",
            "logout without id_token_hint does not ask the user"
        ) { hooks in
            hooks.asksAtLogout = { $0 != .noHint }
        },
        .provider(
            "logout.id-token-hint.of-another-session-is-confirmed",
            "logout with the ID Token of an earlier session does not ask the user"
        ) { hooks in
            hooks.asksAtLogout = { $0 != .otherSession }
        },
    ]

    private static let backChannel: [Fault] = [
        .provider("logout.back-channel.message-arrives", "no back-channel logout message is sent") { hooks in
            hooks.backChannelMessage = { _ in nil }
        },
        .provider("logout.back-channel.message-is-a-form", "logout tokens are sent as application/json") { hooks in
            hooks.backChannelMessage = { message in
                var message = message
                message.contentType = "application/json"
                return message
            }
        },
        .provider("logout.back-channel.signature-verifies", "logout tokens have an invalid signature") {
            hooks in
            hooks.backChannelMessage = { message in
                var message = message
                message.body = String(message.body.dropLast(8)) + "AAAAAAAA"
                return message
            }
        },
        .provider(
            "logout.back-channel.signature-verifies",
            variant: "other-key",
            "kid of logout tokens names another published key"
        ) { hooks in
            hooks.keySet = { $0.append(.object(KeySample.rsa), to: "keys") }
            hooks.logoutTokenHeader = { $0["kid"] = KeySample.rsa["kid"] }
        },
        logoutToken("logout.back-channel.iss-matches-issuer", "logout tokens have another iss") {
            $0["iss"] = "https://other.example"
        },
        logoutToken("logout.back-channel.aud-holds-client", "logout tokens have another client in aud") {
            $0["aud"] = "another-client"
        },
        logoutToken("logout.back-channel.iat-is-present", "logout tokens have no iat") { $0["iat"] = nil },
        logoutToken("logout.back-channel.jti-is-present", "logout tokens have no jti") { $0["jti"] = nil },
        logoutToken("logout.back-channel.exp-is-present", "logout tokens have no exp") { $0["exp"] = nil },
        logoutToken("logout.back-channel.events-name-logout", "logout tokens have an empty events object") {
            $0["events"] = [:]
        },
        logoutToken("logout.back-channel.subject-is-told", "logout tokens have no sub") { $0["sub"] = nil },
        logoutToken("logout.back-channel.has-no-nonce", "logout tokens have a nonce") { $0["nonce"] = "n" },
        .provider("logout.back-channel.typ-is-logout", "logout tokens have typ JWT") { hooks in
            hooks.logoutTokenHeader = { $0["typ"] = "JWT" }
        },
    ]

    private static func logoutToken(
        _ trips: CheckID,
        _ title: String,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .provider(trips, title) { hooks in hooks.logoutTokenClaims = change }
    }
}
