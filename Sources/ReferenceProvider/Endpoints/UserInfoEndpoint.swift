import Conformance
import JSONTree

/// The UserInfo endpoint (Core section 5.3), opened by a bearer token (RFC 6750).
extension Provider {
    func userInfo(_ request: ProviderRequest) -> HTTPAnswer {
        // Scripts of any origin may ask: the token alone opens it (Core section 5.3).
        var answer = request.method == "OPTIONS" ? preflight : bearerAnswer(request)
        answer.setHeader("Access-Control-Allow-Origin", "*")
        return answer
    }

    private func bearerAnswer(_ request: ProviderRequest) -> HTTPAnswer {
        guard request.method == "GET" || request.method == "POST" else {
            return .methodNotAllowed(["GET", "HEAD", "POST", "OPTIONS"])
        }
        var tokens: [String] = []
        if let (scheme, credentials) = request.authorization, scheme == "bearer" { tokens.append(credentials) }
        if request.method == "POST", let token = request.form?.first("access_token") { tokens.append(token) }
        // RFC 6750 section 3.1: without any token, no error code.
        guard let token = tokens.first else { return refuseBearer(401, error: nil) }
        // RFC 6750 section 2: not more than one method in a request.
        guard tokens.count == 1 else { return refuseBearer(400, error: "invalid_request") }
        guard let grant = store.grant(ofAccessToken: token, now: now()) else {
            return refuseBearer(401, error: "invalid_token")
        }
        guard grant.hasOpenID else { return refuseBearer(403, error: "insufficient_scope") }
        let subject: JSONObject = ["sub": .string(self.subject(of: grant))]
        var claims = subject.merging(grant.account.claims(for: grant.scopes))
        seams.userInfo(&claims)
        var answer = HTTPAnswer.json(claims)
        answer.forbidStoring()
        return answer
    }

    private func refuseBearer(_ status: Int, error: String?) -> HTTPAnswer {
        var challenge = "Bearer realm=\"\(issuer)\""
        if let error { challenge += ", error=\"\(error)\"" }
        var answer = HTTPAnswer(status: status, headers: [Field("WWW-Authenticate", challenge)], body: [])
        answer.forbidStoring()
        return answer
    }

    private var preflight: HTTPAnswer {
        HTTPAnswer(
            status: 204,
            headers: [
                Field("Access-Control-Allow-Methods", "GET, POST"),
                Field("Access-Control-Allow-Headers", "Authorization"),
            ],
            body: []
        )
    }
}
