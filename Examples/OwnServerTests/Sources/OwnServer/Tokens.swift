import Foundation

/// The token endpoint and UserInfo (OpenID Connect Core sections 3.1.3 and 5.3).
extension OwnServer {
    func token(_ request: ServerRequest) -> ServerResponse {
        let type = request.header("Content-Type")?.lowercased() ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return refusal("invalid_request") }
        let form = Parameters(request.form)
        if form.hasRepetition { return refusal("invalid_request") }
        if let refusal = authenticate(request, form) { return refusal }
        guard let grantType = form["grant_type"] else { return refusal("invalid_request") }
        guard grantType == "authorization_code" else { return refusal("unsupported_grant_type") }
        guard let code = form["code"], form["redirect_uri"] != nil else { return refusal("invalid_request") }
        guard let grant = redeem(code, form) else { return refusal("invalid_grant") }
        return issue(grant, code)
    }

    private func refusal(_ error: String, status: Int = 400) -> ServerResponse {
        .json(["error": error], status: status)
    }

    /// `nil` if the client authenticates successfully.
    private func authenticate(_ request: ServerRequest, _ form: Parameters) -> ServerResponse? {
        var refused = refusal("invalid_client", status: 401)
        refused.headers.append(("WWW-Authenticate", "Basic realm=\"token\""))
        guard let field = request.header("Authorization") else {
            let isKnown = form["client_id"] == client.id && form["client_secret"] == client.secret
            return isKnown ? nil : refused
        }
        // A client must use only one method per request (RFC 6749 section 2.3).
        if form["client_secret"] != nil { return refusal("invalid_request") }
        let words = field.split(separator: " ").map(String.init)
        guard words.count == 2, words[0].lowercased() == "basic", let bytes = Data(base64Encoded: words[1]) else {
            return refused
        }
        let pair = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
            .map(Parameters.decoded)
        let isKnown = pair == [client.id, client.secret] && (form["client_id"] ?? client.id) == client.id
        return isKnown ? nil : refused
    }

    /// Redeems a code once.
    ///
    /// A second use means that the code was stolen, and revokes its tokens (RFC 6749 section 4.1.2).
    private func redeem(_ code: String, _ form: Parameters) -> Grant? {
        state.withLock { state in
            guard var grant = state.grants[code] else { return nil }
            if grant.isUsed, fault != .codesAreKept {
                for token in grant.accessTokens { state.accessTokens[token] = nil }
                state.grants[code] = nil
                return nil
            }
            guard Self.now < grant.endsAt, form["redirect_uri"] == grant.redirectURI else { return nil }
            let verifier = form["code_verifier"]
            switch grant.challenge {
            case let challenge?:
                guard let verifier, (43...128).contains(verifier.utf8.count),
                    Base64URL.text(SHA256.hash(Array(verifier.utf8))) == challenge
                else { return nil }
            // With a verifier but no challenge, an attacker may have removed the challenge (RFC 9700 section 4.8.2).
            case nil: guard verifier == nil else { return nil }
            }
            grant.isUsed = true
            state.grants[code] = grant
            return grant
        }
    }

    private func issue(_ grant: Grant, _ code: String) -> ServerResponse {
        let accessToken = Random.text()
        state.withLock { state in
            state.accessTokens[accessToken] = grant
            state.grants[code]?.accessTokens.append(accessToken)
        }
        guard let idToken = try? idToken(grant, accessToken) else { return refusal("server_error", status: 500) }
        return .json([
            "access_token": accessToken, "token_type": "Bearer", "expires_in": 3600, "id_token": idToken,
            "scope": grant.scopes.joined(separator: " "),
        ])
    }

    private func idToken(_ grant: Grant, _ accessToken: String) throws -> String {
        var claims: [String: Any] = [
            "iss": issuer, "sub": grant.session.subject, "aud": fault == .wrongAudience ? "everybody" : client.id,
            "iat": Self.now, "exp": Self.now + 3600, "auth_time": grant.session.signedInAt,
            "at_hash": Base64URL.text(SHA256.hash(Array(accessToken.utf8)).prefix(16)),
        ]
        claims["nonce"] = grant.nonce
        let header = ["alg": "RS256", "typ": "JWT", "kid": key.identifier]
        let parts = try [header, claims]
            .map { (part: [String: Any]) in
                Base64URL.text(try JSONSerialization.data(withJSONObject: part, options: [.sortedKeys]))
            }
        let text = parts.joined(separator: ".")
        return "\(text).\(Base64URL.text(try key.signature(of: text)))"
    }

    func userInfo(_ request: ServerRequest) -> ServerResponse {
        let words = (request.header("Authorization") ?? "").split(separator: " ").map(String.init)
        let isBearer = words.count == 2 && words[0].lowercased() == "bearer"
        guard let token = isBearer ? words[1] : Parameters(request.form)["access_token"] else {
            return ServerResponse(
                401,
                [("WWW-Authenticate", "Bearer realm=\"userinfo\""), ("Cache-Control", "no-store")]
            )
        }
        guard let grant = state.withLock({ $0.accessTokens[token] }) else {
            let challenge = "Bearer realm=\"userinfo\", error=\"invalid_token\""
            return ServerResponse(401, [("WWW-Authenticate", challenge), ("Cache-Control", "no-store")])
        }
        var claims: [String: Any] = ["sub": grant.session.subject]
        if grant.scopes.contains("profile") { claims["name"] = "Alice" }
        if grant.scopes.contains("email") {
            claims["email"] = "alice@example.com"
            claims["email_verified"] = true
        }
        return .json(claims)
    }
}
