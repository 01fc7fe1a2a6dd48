package import Conformance

/// A parsed logout request.
package struct LogoutRequestParameters: Sendable {
    package var all: [Field]
    /// The client whose ID Token is the hint; `nil` without a hint issued by this provider.
    var hintedClientID: String?
    /// The post-logout redirect URIs of the client that the hint or `client_id` names.
    var registered: [String]

    subscript(name: String) -> String? { all.first { $0.name == name }?.value }
}

/// The reason why the user has to confirm a logout (section 2).
package enum LogoutConfirmationReason: Sendable {
    case noHint, otherUser, otherSession

    init?(_ hint: IDTokenHint?, in session: Session) {
        guard let hint else {
            self = .noHint
            return
        }
        if hint.subject != session.account.subject {
            self = .otherUser
        } else if hint.sessionID != session.id {
            self = .otherSession
        } else {
            return nil
        }
    }
}

/// The end-session endpoint (OpenID Connect RP-Initiated Logout section 2).
extension Provider {
    func endSession(_ request: ProviderRequest) -> HTTPAnswer {
        let received: [Field]
        switch request.method {
        case "GET": received = request.query
        case "POST":
            guard let form = request.form else { return Page.problem(status: 415, "The request is not a form.") }
            received = form
        default: return .methodNotAllowed(["GET", "HEAD", "POST"])
        }
        let parameters = received.withoutEmpty
        if let name = parameters.repeatedName {
            return Page.problem(status: 400, "\(name) occurs more than once.")
        }
        let hint = parameters.first("id_token_hint").flatMap { self.hint($0) }
        let client = self.client(hint?.clientID ?? parameters.first("client_id"))
        let asked = LogoutRequestParameters(
            all: parameters,
            hintedClientID: hint?.clientID,
            registered: client?.postLogoutRedirectURIs ?? []
        )
        let target = hooks.postLogoutRedirectURI(asked, redirectTarget(asked, hint))
        let session = session(of: request)
        let doubt = session.flatMap { LogoutConfirmationReason(hint, in: $0) }
        if let doubt, hooks.asksAtLogout(doubt), parameters.first("confirmed") == nil {
            return Page.logout(action: address(.endSession), hidden: parameters + [Field("confirmed", "yes")])
        }
        if hooks.endsSession, let id = request.cookie(Self.sessionCookie) { store.end(id) }
        let messages = session.map(logoutMessages) ?? []
        var answer = loggedOut(asked, target)
        answer.messages = messages
        return answer
    }

    /// The redirect to the client, or the final page.
    private func loggedOut(_ asked: LogoutRequestParameters, _ target: String?) -> HTTPAnswer {
        guard let target else { return Page.html(title: "Signed out", "<p>You are signed out here.</p>") }
        var answer = [Field]()
        if let state = asked["state"] { answer.append(Field("state", state)) }
        hooks.postLogoutResponse(&answer)
        if answer.isEmpty { return .redirect(to: target) }
        let separator = target.contains("?") ? "&" : "?"
        return .redirect(to: target + separator + FormEncoding.encode(answer))
    }

    /// The URI to redirect to; `nil` if the request names no permitted one (sections 2, 3).
    private func redirectTarget(_ asked: LogoutRequestParameters, _ hint: IDTokenHint?) -> String? {
        guard let uri = asked["post_logout_redirect_uri"], asked.registered.contains(uri) else { return nil }
        // An invalid hint ends every operation that needs it (section 4); client_id alone does not prove
        // that the request is legitimate.
        guard let hint, asked["client_id"].map({ $0 == hint.clientID }) ?? true else { return nil }
        return uri
    }
}

extension Page {
    /// Asks the user to confirm the logout.
    static func logout(action: String, hidden: [Field]) -> HTTPAnswer {
        let carried = hidden.map { Self.hidden($0.name, $0.value) }.joined(separator: "\n")
        return html(
            title: "Sign out?",
            """
            <p>An application asks to sign you out here.</p>
            <form method="post" action="\(escape(action))">
            \(carried)
            <button type="submit">Sign out</button>
            </form>
            """
        )
    }
}
