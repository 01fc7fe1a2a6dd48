import Conformance
import JSONTree

/// A provider's own API about the user who signed in, in place of UserInfo.
struct UserAPIOffer: Sendable {
    /// Path from the origin, not from the issuer: `/user`, `/v1.0/me`; `{sub}` is replaced by the user's subject.
    var path: String
    /// Likewise, for the list of the user's email addresses; `nil` if there is none.
    var emailsPath: String?
    /// Whether a request without User-Agent is rejected.
    var needsAgent = false
    /// The claims returned about a user; the second argument is the grant.
    var user: @Sendable (Account, [String]) -> JSONObject
    var emails: @Sendable (Account) -> JSON = { _ in [] }
    /// The scopes of which one is required for the list of addresses; empty if none is.
    var emailScopes: [String] = []

    private static let placeholder = "{sub}"

    /// Whether a path is that of some user.
    func takes(_ path: String) -> Bool {
        guard let place = self.path.firstRange(of: Self.placeholder) else { return path == self.path }
        return path.hasPrefix(self.path[..<place.lowerBound]) && path.hasSuffix(self.path[place.upperBound...])
    }

    /// The path of one user.
    func path(of subject: String) -> String { path.replacing(Self.placeholder, with: subject) }
}

extension Provider {
    /// The response about the user; it requires a bearer token in the header.
    func userAPI(_ request: ProviderRequest, emails: Bool) -> HTTPAnswer {
        guard request.method == "GET" else { return .methodNotAllowed(["GET", "HEAD"]) }
        guard let api = offer.userAPI else { return Page.problem(status: 404, "There is nothing at this address.") }
        if api.needsAgent, request.header("User-Agent")?.isEmpty ?? true {
            return apiError(403, "The request names no agent.")
        }
        guard let (scheme, token) = request.authorization, scheme == "bearer",
            let grant = store.grant(ofAccessToken: token, now: now())
        else { return apiError(401, "Bad credentials") }
        guard emails || request.path == api.path(of: subject(of: grant)) else { return apiError(404, "Not Found") }
        if emails {
            let mayRead = api.emailScopes.isEmpty || grant.scopes.contains(where: api.emailScopes.contains)
            guard mayRead, hooks.dialect.reportsEmails else { return apiError(404, "Not Found") }
            var list = api.emails(grant.account)
            hooks.dialect.userEmails(&list)
            return .apiAnswer(list)
        }
        var user = api.user(grant.account, grant.scopes)
        hooks.dialect.userAPI(
            &user,
            ClientUser(
                username: grant.account.username,
                clientID: grant.client.id,
                authenticatedAt: grant.authenticatedAt,
                authorization: grant.family
            )
        )
        return .apiAnswer(.object(user))
    }

    private func apiError(_ status: Int, _ message: String) -> HTTPAnswer {
        .apiAnswer(["message": .string(message)], status: status)
    }
}

extension HTTPAnswer {
    fileprivate static func apiAnswer(_ value: JSON, status: Int = 200) -> HTTPAnswer {
        var answer = HTTPAnswer(
            status: status,
            headers: [Field("Content-Type", "application/json; charset=utf-8")],
            body: Array(value.serialized().utf8)
        )
        answer.forbidStoring()
        return answer
    }
}
