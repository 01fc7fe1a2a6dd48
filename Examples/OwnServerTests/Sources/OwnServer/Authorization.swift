import Foundation

/// The authorization endpoint and the sign-in page (OpenID Connect Core section 3.1.2).
extension OwnServer {
    private static let cookie = "__Host-session"

    /// A request with a registered client and redirect URI, to which errors may be sent.
    private struct Asked {
        let parameters: Parameters
        let redirectURI: String
        var prompts: [String] { (parameters["prompt"] ?? "").split(separator: " ").map(String.init) }
    }

    func authorize(_ request: ServerRequest) -> ServerResponse {
        let parameters = request.parameters
        guard let asked = known(parameters) else {
            return .page("This link does not work", "<p>The application is not known here.</p>", status: 400)
        }
        if let error = problem(of: asked) { return refuse(asked, error) }
        let session = request.cookie(Self.cookie).flatMap { name in state.withLock { $0.sessions[name] } }
        if let session, !mustSignIn(asked, session) { return issueCode(asked, session) }
        if asked.prompts == ["none"] { return refuse(asked, "login_required") }
        return signInPage(parameters)
    }

    /// The user is never redirected to an address that is not registered.
    private func known(_ parameters: Parameters) -> Asked? {
        let once = { (name: String) in parameters.all.count { $0.name == name } == 1 }
        guard once("client_id"), once("redirect_uri"), parameters["client_id"] == client.id,
            let redirectURI = parameters["redirect_uri"],
            redirectURI == client.redirectURI || fault == .anyRedirectURI
        else { return nil }
        return Asked(parameters: parameters, redirectURI: redirectURI)
    }

    private func problem(of asked: Asked) -> String? {
        let parameters = asked.parameters
        if parameters.hasRepetition { return "invalid_request" }
        guard let type = parameters["response_type"] else { return "invalid_request" }
        if type != "code" { return "unsupported_response_type" }
        if parameters["request"] != nil { return "request_not_supported" }
        if parameters["request_uri"] != nil { return "request_uri_not_supported" }
        if parameters["registration"] != nil { return "registration_not_supported" }
        if !(parameters["scope"] ?? "").split(separator: " ").contains("openid") { return "invalid_scope" }
        if let mode = parameters["response_mode"], mode != "query" { return "invalid_request" }
        if let age = parameters["max_age"], Int(age).map({ $0 < 0 }) ?? true { return "invalid_request" }
        let prompts = asked.prompts
        if prompts.contains("none"), prompts.count > 1 { return "invalid_request" }
        if !Set(prompts).isSubset(of: ["none", "login", "consent", "select_account"]) { return "invalid_request" }
        let method = parameters["code_challenge_method"]
        switch (parameters["code_challenge"], method) {
        case (nil, nil): return nil
        case (let challenge?, "S256"): return Base64URL.bytes(challenge)?.count == 32 ? nil : "invalid_request"
        // Without a method it is "plain" (RFC 7636 section 4.3), which this server does not support.
        default: return "invalid_request"
        }
    }

    private func mustSignIn(_ asked: Asked, _ session: Session) -> Bool {
        if !asked.prompts.isEmpty, asked.prompts != ["none"] { return true }
        if let hint = asked.parameters["id_token_hint"], subject(of: hint) != session.subject { return true }
        guard let age = asked.parameters["max_age"].flatMap(Int.init) else { return false }
        return Self.now - session.signedInAt > age
    }

    private func signInPage(_ parameters: Parameters, problem: String? = nil) -> ServerResponse {
        let words = problem.map { "<p role=\"alert\">\($0)</p>" } ?? ""
        return .page(
            "Sign in",
            """
            \(words)<form method="post" action="/sign-in">
            <input type="hidden" name="request" value="\(ServerResponse.escaped(parameters.text))">
            <label>User name <input name="username" autocomplete="username" required></label>
            <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
            <button type="submit">Sign in</button></form>
            """
        )
    }

    func signIn(_ request: ServerRequest) -> ServerResponse {
        // Reject forms that another site submits.
        guard request.header("Origin").map({ $0 == issuer }) ?? false else {
            return .page("This form does not work", "<p>It comes from another site.</p>", status: 403)
        }
        let form = Parameters(request.form)
        let parameters = Parameters(parsing: form["request"] ?? "")
        guard let asked = known(parameters), problem(of: asked) == nil else {
            return .page("This link does not work", "<p>The application is not known here.</p>", status: 400)
        }
        guard form["username"] == account.name, form["password"] == account.password else {
            return signInPage(parameters, problem: "The user name or the password is wrong.")
        }
        let session = Session(subject: "subject-of-\(account.name)", signedInAt: Self.now)
        let name = Random.text()
        state.withLock { $0.sessions[name] = session }
        var answer = issueCode(asked, session)
        answer.headers.append(("Set-Cookie", "\(Self.cookie)=\(name); Path=/; Secure; HttpOnly; SameSite=Lax"))
        return answer
    }

    private func issueCode(_ asked: Asked, _ session: Session) -> ServerResponse {
        let parameters = asked.parameters
        let code = Random.text()
        let grant = Grant(
            session: session,
            scopes: (parameters["scope"] ?? "").split(separator: " ").map(String.init),
            nonce: parameters["nonce"],
            challenge: parameters["code_challenge"],
            redirectURI: asked.redirectURI,
            endsAt: Self.now + 60
        )
        state.withLock { $0.grants[code] = grant }
        return respond(asked, [("code", code)])
    }

    private func refuse(_ asked: Asked, _ error: String) -> ServerResponse { respond(asked, [("error", error)]) }

    /// Adds `iss`, by which a client identifies the issuer of the response (RFC 9207).
    private func respond(_ asked: Asked, _ answer: [(name: String, value: String)]) -> ServerResponse {
        let state = asked.parameters["state"].map { [(name: "state", value: $0)] } ?? []
        let mark = asked.redirectURI.contains("?") ? "&" : "?"
        return .redirect(asked.redirectURI + mark + Parameters(answer + state + [("iss", issuer)]).text)
    }

    /// The subject of an ID Token that this server signed.
    ///
    /// RS256 is deterministic, so the signatures can be compared.
    private func subject(of token: String) -> String? {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count == 3, let signature = try? key.signature(of: "\(parts[0]).\(parts[1])"),
            Base64URL.text(signature) == parts[2], let bytes = Base64URL.bytes(parts[1])
        else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])?["sub"] as? String
    }
}
