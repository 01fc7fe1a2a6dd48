import Conformance
import JSONTree

extension Fault {
    /// Faults of additional logout parameters, and of logout requests with fewer parameters.
    static let logoutPrecision: [Fault] = [
        .provider("logout.redirect.holds-nothing-more", "the logout redirect has an additional parameter user") {
            hooks in
            hooks.postLogoutResponse = { $0.append(Field("user", "alice")) }
        },
        .provider("logout.state.is-not-invented", "state is returned after logout although none was sent") { hooks in
            hooks.postLogoutResponse = { if $0.isEmpty { $0.append(Field("state", "made-up")) } }
        },
        .provider(
            "logout.request.without-redirect-is-answered",
            "a logout request without post_logout_redirect_uri is rejected"
        ) { hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                // A request without parameters gets a page; one that lacks only the redirect URI does not.
                target ?? (asked.all.isEmpty || asked["post_logout_redirect_uri"] != nil ? nil : "")
            }
            hooks.answer = { endpoint, answer in
                let isNowhere = answer.headers.contains { $0.name == "Location" && !$0.value.hasPrefix("http") }
                if endpoint == .endSession, isNowhere { answer = HTTPAnswer(status: 400, headers: [], body: []) }
            }
        },
        .provider(
            "logout.request.without-redirect-leads-nowhere",
            "a logout request with only id_token_hint redirects to the registered URI"
        ) { hooks in
            hooks.postLogoutRedirectURI = { asked, target in
                let isHintAlone = asked["id_token_hint"] != nil && asked["post_logout_redirect_uri"] == nil
                return isHintAlone ? RegisteredClient.postLogoutRedirectURI : target
            }
        },
        .provider("logout.back-channel.sub-is-known", "logout tokens have the sub of another user") { hooks in
            hooks.logoutTokenClaims = { $0["sub"] = "somebody-else" }
        },
        .provider("logout.back-channel.sid-is-known", "logout tokens have a sid that no ID Token contains") { hooks in
            hooks.logoutTokenClaims = { $0["sid"] = "08a5019c-17e1-4977-8f42-65a12843ea02" }
        },
        .provider(
            "logout.back-channel.message-holds-nothing-more",
            "logout messages have an additional parameter sender"
        ) { hooks in
            hooks.backChannelMessage = { message in
                var message = message
                message.body += "&sender=op"
                return message
            }
        },
    ]
}
