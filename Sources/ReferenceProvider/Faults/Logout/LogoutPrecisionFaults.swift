import Conformance
import JSONTree

extension Fault {
    /// Faults of what comes along with a logout, and of requests that name less.
    static let logoutPrecision: [Fault] = [
        .provider("logout.redirect.holds-nothing-more", "the person's name comes back after logout") { seams in
            seams.postLogoutResponse = { $0.append(Field("user", "alice")) }
        },
        .provider("logout.state.is-not-invented", "a state is made up after logout") { seams in
            seams.postLogoutResponse = { if $0.isEmpty { $0.append(Field("state", "made-up")) } }
        },
        .provider(
            "logout.request.without-redirect-is-answered",
            "logout without an address to return to is refused"
        ) { seams in
            seams.postLogoutRedirectURI = { asked, target in
                // Nothing at all is answered by a page, anything less than an address is not.
                target ?? (asked.all.isEmpty || asked["post_logout_redirect_uri"] != nil ? nil : "")
            }
            seams.answer = { endpoint, answer in
                let isNowhere = answer.headers.contains { $0.name == "Location" && !$0.value.hasPrefix("http") }
                if endpoint == .endSession, isNowhere { answer = HTTPAnswer(status: 400, headers: [], body: []) }
            }
        },
        .provider(
            "logout.request.without-redirect-leads-nowhere",
            "logout with an ID Token leads to the only registered address"
        ) { seams in
            seams.postLogoutRedirectURI = { asked, target in
                let isHintAlone = asked["id_token_hint"] != nil && asked["post_logout_redirect_uri"] == nil
                return isHintAlone ? RegisteredClient.postLogoutRedirectURI : target
            }
        },
        .provider("logout.back-channel.sub-is-known", "logout tokens name somebody else") { seams in
            seams.logoutTokenClaims = { $0["sub"] = "somebody-else" }
        },
        .provider("logout.back-channel.sid-is-known", "logout tokens name a session that no ID Token names") { seams in
            seams.logoutTokenClaims = { $0["sid"] = "08a5019c-17e1-4977-8f42-65a12843ea02" }
        },
        .provider("logout.back-channel.message-holds-nothing-more", "logout messages say who sends them") { seams in
            seams.backChannelMessage = { message in
                var message = message
                message.body += "&sender=op"
                return message
            }
        },
    ]
}
