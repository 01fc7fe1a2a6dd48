import Conformance
import JSONTree

/// The faults that mirror `Catalogue/Logout`.
extension Fault {
    package static let logout: [Fault] = logoutMetadata + clientLogout + backChannel + logoutPrecision

    private static let logoutMetadata: [Fault] = [
        .document("logout.end-session-endpoint.is-present", "back-channel logout, and no end-session endpoint") {
            $0["end_session_endpoint"] = nil
        },
        .document("logout.back-channel.is-announced", "sessions of back-channel logout, and no such logout") {
            $0["backchannel_logout_supported"] = nil
            $0["backchannel_logout_session_supported"] = true
        },
        .document("logout.front-channel.is-announced", "sessions of front-channel logout, and no such logout") {
            $0["frontchannel_logout_session_supported"] = true
        },
        .document("logout.back-channel.names-sessions", "back-channel logout without session identifiers") {
            $0["backchannel_logout_session_supported"] = false
        },
        .document("logout.front-channel.names-sessions", "front-channel logout without session identifiers") {
            $0["frontchannel_logout_supported"] = true
        },
    ]

    private static let clientLogout: [Fault] = [
        .provider("logout.request.is-answered", "a logout request without parameters is an error") { seams in
            seams.answer = { endpoint, answer in
                if endpoint == .endSession, answer.status == 200, answer.text.contains("Signed out") {
                    answer.status = 400
                }
            }
        },
        .provider("logout.redirect.leads-back", "logout ends on a page") { seams in
            seams.postLogoutRedirectURI = { _, _ in nil }
        },
        .provider("logout.state.is-echoed", "the state is lost at logout") { seams in
            seams.postLogoutResponse = { $0 = [] }
        },
        .provider("logout.session.is-ended", "logout ends no session") { seams in
            seams.endsSession = false
        },
        .provider("logout.redirect.unregistered-is-not-followed", "any post-logout redirect URI is followed") {
            seams in
            seams.postLogoutRedirectURI = { asked, target in
                asked.hintedClientID == nil ? target : asked["post_logout_redirect_uri"] ?? target
            }
        },
        .provider(
            "logout.redirect.unregistered-is-not-followed",
            variant: "query",
            "a query may be added to the post-logout redirect URI"
        ) { seams in
            seams.postLogoutRedirectURI = { asked, target in
                guard asked.hintedClientID != nil, let uri = asked["post_logout_redirect_uri"],
                    asked.registered.contains(String(uri.prefix { $0 != "?" }))
                else { return target }
                return uri
            }
        },
        .provider("logout.id-token-hint.forged-leads-nowhere", "the signature of id_token_hint is not verified") {
            seams in
            seams.postLogoutRedirectURI = { asked, target in
                asked["id_token_hint"] == nil
                    || asked["post_logout_redirect_uri"] != RegisteredClient.postLogoutRedirectURI
                    ? target : RegisteredClient.postLogoutRedirectURI
            }
        },
        .provider("logout.id-token-hint.missing-leads-nowhere", "the registered URI is enough to be sent there") {
            seams in
            seams.postLogoutRedirectURI = { asked, target in
                asked["id_token_hint"] == nil
                    && asked["post_logout_redirect_uri"] == RegisteredClient.postLogoutRedirectURI
                    ? RegisteredClient.postLogoutRedirectURI : target
            }
        },
    ]

    private static let backChannel: [Fault] = [
        .provider("logout.back-channel.message-arrives", "no client is told of a logout") { seams in
            seams.backChannelMessage = { _ in nil }
        },
        .provider("logout.back-channel.message-is-a-form", "logout tokens are sent as JSON's media type") { seams in
            seams.backChannelMessage = { message in
                var message = message
                message.contentType = "application/json"
                return message
            }
        },
        .provider("logout.back-channel.signature-verifies", "logout tokens name a key and are changed afterwards") {
            seams in
            seams.backChannelMessage = { message in
                var message = message
                message.body = String(message.body.dropLast(8)) + "AAAAAAAA"
                return message
            }
        },
        .provider(
            "logout.back-channel.signature-verifies",
            variant: "other-key",
            "logout tokens name another published key"
        ) { seams in
            seams.keySet = { $0.append(.object(KeySample.rsa), to: "keys") }
            seams.logoutTokenHeader = { $0["kid"] = KeySample.rsa["kid"] }
        },
        logoutToken("logout.back-channel.iss-matches-issuer", "logout tokens have another issuer") {
            $0["iss"] = "https://other.example"
        },
        logoutToken("logout.back-channel.aud-holds-client", "logout tokens are for another client") {
            $0["aud"] = "another-client"
        },
        logoutToken("logout.back-channel.iat-is-present", "logout tokens have no iat") { $0["iat"] = nil },
        logoutToken("logout.back-channel.jti-is-present", "logout tokens have no jti") { $0["jti"] = nil },
        logoutToken("logout.back-channel.exp-is-present", "logout tokens have no exp") { $0["exp"] = nil },
        logoutToken("logout.back-channel.events-name-logout", "logout tokens have an empty event list") {
            $0["events"] = [:]
        },
        logoutToken("logout.back-channel.subject-is-told", "logout tokens name nobody") { $0["sub"] = nil },
        logoutToken("logout.back-channel.has-no-nonce", "logout tokens have a nonce") { $0["nonce"] = "n" },
        .provider("logout.back-channel.typ-is-logout", "logout tokens have typ JWT") { seams in
            seams.logoutTokenHeader = { $0["typ"] = "JWT" }
        },
    ]

    private static func logoutToken(
        _ trips: CheckID,
        _ title: String,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .provider(trips, title) { seams in seams.logoutTokenClaims = change }
    }
}
