import Conformance
import JSONTree
import OAuth1

/// The endpoints of OAuth 1.0 (RFC 5849 section 2), at the paths that X uses.
extension Provider {
    enum OAuth1Route: String, CaseIterable, Sendable {
        case requestToken = "/oauth/request_token"
        /// Requests consent only the first time.
        case authenticate = "/oauth/authenticate"
        case authorize = "/oauth/authorize"
        case accessToken = "/oauth/access_token"
        case user = "/1.1/account/verify_credentials.json"
    }

    /// `nil` if the path is none of these endpoints.
    func answerOAuth1(_ request: ProviderRequest) -> (Endpoint, HTTPAnswer)? {
        guard offer.hasOAuth1, request.path.hasPrefix(offer.basePath) else { return nil }
        switch OAuth1Route(rawValue: String(request.path.dropFirst(offer.basePath.count))) {
        case .requestToken: return (.token, post(request, requestToken))
        case .accessToken: return (.token, post(request, accessToken))
        case .authenticate: return (.authorization, openPages(request, asksAgain: false))
        case .authorize: return (.authorization, openPages(request, asksAgain: true))
        case .user:
            return (.userInfo, request.method == "GET" ? user(request) : .methodNotAllowed(["GET", "HEAD"]))
        case nil: return nil
        }
    }

    private func post(_ request: ProviderRequest, _ answer: (ProviderRequest) -> HTTPAnswer) -> HTTPAnswer {
        request.method == "POST" ? answer(request) : .methodNotAllowed(["POST"])
    }

    // MARK: Temporary credentials (section 2.1)

    private func requestToken(_ request: ProviderRequest) -> HTTPAnswer {
        switch verified(request, at: .requestToken, secret: { _ in Secret("") }) {
        case .failure(let problem): return refuse(problem)
        case .success(let (signed, client)):
            guard let callback = signed["oauth_callback"] else {
                return refuse(OAuth1Problem(400, 215, "oauth_callback is missing"))
            }
            guard hooks.oauth1.acceptsCallback(callback, client.redirectURIs) else {
                return refuse(OAuth1Problem(403, 415, "Callback URL not approved for this client application."))
            }
            let token = Store.random()
            let temporary = OAuth1Store.Temporary(
                secret: Secret(Store.random()),
                client: client,
                callback: callback,
                expiresAt: now() + OAuth1Store.lifetime
            )
            oauth1.keep(temporary, as: token, now: now())
            var fields = [
                Field("oauth_token", token), Field("oauth_token_secret", temporary.secret.reveal()),
                Field("oauth_callback_confirmed", "true"),
            ]
            hooks.oauth1.temporaryCredentials(&fields)
            return credentials(fields)
        }
    }

    // MARK: Resource owner authorization (section 2.2)

    private func openPages(_ request: ProviderRequest, asksAgain: Bool) -> HTTPAnswer {
        guard request.method == "GET" else { return .methodNotAllowed(["GET", "HEAD"]) }
        if let problem = hooks.oauth1.authorizationProblem(request.query) {
            return Page.problem(status: 400, problem)
        }
        guard let token = request.query.first("oauth_token"), let temporary = oauth1.temporary(token, now: now()),
            temporary.account == nil
        else {
            return Page.problem(status: 401, "The request token for this page is invalid.")
        }
        var accepted = AcceptedRequest(
            client: temporary.client,
            redirectURI: temporary.callback,
            responseType: "code",
            mode: .query,
            scopes: ["read your account"]
        )
        accepted.temporaryToken = token
        let session = session(of: request)
        let isAllowed = session?.allows(accepted.scopes, to: accepted.client) ?? false
        let needs = Needs(signIn: session == nil, consent: asksAgain || !isAllowed)
        guard let session, !needs.consent else { return ask(accepted, needs, request) }
        return respond(accepted, session)
    }

    /// Redirects to the client with the verification code.
    func callBack(_ token: String, _ request: AcceptedRequest, _ session: Session) -> HTTPAnswer {
        let verifier = hooks.oauth1.makeVerifier()
        oauth1.allow(token, account: session.account, verifier: verifier)
        return callBack([Field("oauth_token", token), Field("oauth_verifier", verifier)], request)
    }

    /// Redirects to the client after the user denied access; X names the token `denied`.
    func callBackDenied(_ token: String, _ request: AcceptedRequest) -> HTTPAnswer {
        callBack([Field("denied", token)], request)
    }

    private func callBack(_ fields: [Field], _ request: AcceptedRequest) -> HTTPAnswer {
        var fields = fields
        hooks.oauth1.callback(&fields)
        // The callback's own query comes first (section 2.2).
        let separator = request.redirectURI.contains("?") ? "&" : "?"
        return .redirect(to: request.redirectURI + separator + FormEncoding.encode(fields))
    }

    // MARK: Token credentials (section 2.3)

    private func accessToken(_ request: ProviderRequest) -> HTTPAnswer {
        let secret = { (token: String?) in token.flatMap { oauth1.temporary($0, now: now()) }?.secret }
        switch verified(request, at: .accessToken, secret: secret) {
        case .failure(let problem): return refuse(problem)
        case .success(let (signed, client)):
            guard let token = signed["oauth_token"], let temporary = oauth1.temporary(token, now: now()),
                temporary.client.id == client.id, let account = temporary.account, let verifier = temporary.verifier
            else { return refuse(OAuth1Problem(401, 89, "Invalid or expired token.")) }
            guard hooks.oauth1.acceptsVerifier(signed["oauth_verifier"] == verifier) else {
                return refuse(OAuth1Problem(401, 32, "The verification code is wrong."))
            }
            guard !hooks.oauth1.usesUpTemporaryCredentials || oauth1.use(token) else {
                return refuse(OAuth1Problem(401, 89, "Invalid or expired token."))
            }
            return issue(OAuth1Store.Token(secret: Secret(Store.random()), client: client, account: account))
        }
    }

    private func issue(_ token: OAuth1Store.Token) -> HTTPAnswer {
        // X's tokens begin with the user ID.
        let identifier = token.account.subject + "-" + Store.random()
        oauth1.keep(token, as: identifier)
        var fields = [
            Field("oauth_token", identifier), Field("oauth_token_secret", token.secret.reveal()),
            Field("user_id", token.account.subject), Field("screen_name", token.account.username),
        ]
        hooks.oauth1.tokenCredentials(&fields)
        return credentials(fields)
    }

    // MARK: API

    private func user(_ request: ProviderRequest) -> HTTPAnswer {
        let secret = { (token: String?) in token.flatMap(oauth1.token)?.secret }
        switch verified(request, at: .user, secret: secret) {
        case .failure(let problem): return refuse(problem)
        case .success(let (signed, client)):
            guard let token = signed["oauth_token"].flatMap(oauth1.token), token.client.id == client.id else {
                return refuse(OAuth1Problem(401, 89, "Invalid or expired token."))
            }
            let account = token.account
            var object: JSONObject = [
                "id_str": .string(account.subject), "screen_name": .string(account.username),
                "name": account.claims["name"] ?? .null,
            ]
            if request.query.first("include_email") == "true" { object["email"] = account.claims["email"] }
            hooks.oauth1.user(&object)
            var answer = HTTPAnswer.json(object)
            answer.forbidStoring()
            return answer
        }
    }

    // MARK: Answers

    private func credentials(_ fields: [Field]) -> HTTPAnswer {
        var answer = HTTPAnswer(
            status: 200,
            headers: [Field("Content-Type", hooks.oauth1.mediaType)],
            body: Array(FormEncoding.encode(fields).utf8)
        )
        answer.forbidStoring()
        return answer
    }

    private func refuse(_ problem: OAuth1Problem) -> HTTPAnswer {
        let error: JSONObject = ["code": .integer(Int64(problem.code)), "message": .string(problem.message)]
        var answer = HTTPAnswer.json(
            ["errors": .array([.object(error)])],
            status: hooks.oauth1.refusalStatus(problem.status)
        )
        answer.forbidStoring()
        if problem.status == 401 { answer.headers.append(Field("WWW-Authenticate", "OAuth realm=\"\(base)\"")) }
        return answer
    }
}

/// The reason why a signed request is rejected, with X's error codes.
struct OAuth1Problem: Error {
    var status: Int
    var code: Int
    var message: String

    init(_ status: Int, _ code: Int, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}
