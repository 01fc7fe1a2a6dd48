import Conformance
import JSONTree

/// The faults that mirror `Catalogue/Logout`.
extension Fault {
    package static let logout: [Fault] = logoutMetadata + clientLogout

    private static let logoutMetadata: [Fault] = [
        .document("logout.end-session-endpoint.is-present", "back-channel logout, and no end-session endpoint") {
            $0["end_session_endpoint"] = nil
            $0["backchannel_logout_supported"] = true
            $0["backchannel_logout_session_supported"] = true
        },
        .document("logout.back-channel.names-sessions", "back-channel logout without session identifiers") {
            $0["backchannel_logout_supported"] = true
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
}
