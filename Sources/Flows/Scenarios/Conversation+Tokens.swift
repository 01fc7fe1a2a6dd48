import Conformance
import JOSE
import Transport

/// The token endpoint and the UserInfo endpoint.
extension Conversation {
    /// Redeems the code of an answer and asks for UserInfo with the access token, as far as there are any.
    func redeem(
        _ arrival: ArrivedRedirect?,
        _ request: AuthorizationRequest,
        _ client: Client,
        _ verifier: Secret?,
        _ collected: inout CollectedRun
    ) async {
        guard let arrival else {
            // What became of the authorization request has been said; it holds for what depends on it.
            if case .observed = collected.run.authorization {
                collected.run.token = .absent("the flow did not end at the redirect URI")
                collected.run.userInfo = .absent("the flow did not end at the redirect URI")
            }
            return
        }
        var accessToken = arrival.accessToken
        if request.redeemsCode, responseType.hasCode {
            let tokens = await exchangeCode(arrival, client, verifier, &collected)
            accessToken = tokens?.accessToken ?? accessToken
        } else {
            collected.run.token = .notAttempted("the response type \(responseType) has no code")
        }
        await askUserInfo(accessToken, &collected)
    }

    private func exchangeCode(
        _ arrival: ArrivedRedirect,
        _ client: Client,
        _ verifier: Secret?,
        _ collected: inout CollectedRun
    ) async -> TokenResponseSecrets? {
        guard let code = arrival.code else {
            let why = arrival.answer.error.map { "the flow ended with error=\($0.quoted)" }
            collected.run.token = .absent(why ?? "the authorization response held no code")
            return nil
        }
        let (endpoint, reason) = endpoint("token_endpoint")
        guard let endpoint else {
            collected.run.token = reason.observation()
            return nil
        }
        let secret = clientSecret(of: client)
        if client.hasSecret, client.authentication != .none, secret == nil {
            collected.run.token = .notAttempted("the secret of client \(client.id.quoted) was not given")
            return nil
        }
        let request = TokenRequest(
            code: code,
            redirectURI: target.redirectURI,
            verifier: verifier,
            clientID: client.id,
            authentication: client.authentication,
            clientSecret: secret
        )
        let answer = await wire.send(
            request.request(to: endpoint),
            step: scenario.title + ": token request",
            lane: lane,
            content: .api
        )
        collected.run.token = Self.tokenAnswer(answer)
        guard let response = answer.raw.response, answer.failure == nil else { return nil }
        let tokens = TokenResponseSecrets(response.body)
        if let idToken = tokens.idToken {
            collected.pending.append(
                CollectedRun.PendingToken(
                    place: .token,
                    compact: idToken,
                    accessToken: tokens.accessToken,
                    code: code,
                    clientSecret: secret,
                    receivedAt: options.clock()
                )
            )
        }
        return tokens
    }

    private static func tokenAnswer(_ answer: Wire.Answer) -> Observation<TokenAnswer> {
        guard let response = answer.raw.response, let recorded = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "no answer arrived from the token endpoint")
        }
        let tokens = TokenResponseSecrets(response.body)
        return .observed(
            TokenAnswer(
                exchange: answer.id,
                body: recorded.body,
                accessToken: tokens.accessToken.map { SecretFacts($0) },
                refreshToken: tokens.refreshToken.map { SecretFacts($0) }
            )
        )
    }

    private func askUserInfo(_ accessToken: Secret?, _ collected: inout CollectedRun) async {
        guard responseType.hasCode || responseType.hasToken else {
            collected.run.userInfo = .notAttempted("the response type \(responseType) yields no access token")
            return
        }
        let (endpoint, reason) = endpoint("userinfo_endpoint")
        guard let endpoint else {
            collected.run.userInfo = reason.observation()
            return
        }
        guard let accessToken, !accessToken.isEmpty else {
            // A code that was not redeemed could bring no token: one reason, said once.
            if responseType.hasCode, case .notAttempted(let why) = collected.run.token {
                collected.run.userInfo = .notAttempted(why)
            } else {
                collected.run.userInfo = .absent("no access token was returned")
            }
            return
        }
        // The access token goes in the header alone (RFC 6750 section 2.1).
        let request = HTTPRequest(
            url: endpoint,
            headers: [
                HTTPField(name: "Accept", value: "application/json"),
                HTTPField(name: "Authorization", value: "Bearer \(accessToken.reveal())"),
            ]
        )
        let answer = await wire.send(request, step: scenario.title + ": UserInfo request", lane: lane, content: .api)
        guard let response = answer.recorded.response, answer.failure == nil else {
            collected.run.userInfo = .absent(answer.failure ?? "no answer arrived from the UserInfo endpoint")
            return
        }
        collected.run.userInfo = .observed(UserInfoAnswer(exchange: answer.id, body: response.body))
    }

    // MARK: Made-up code

    /// Sends a code that was never issued: the answer tells whether the client was let in before the code was looked at.
    func redeemMadeUpCode(_ method: ClientAuthentication, secretIsRight: Bool) async -> CollectedRun {
        let (endpoint, reason) = endpoint("token_endpoint")
        guard let endpoint else { return notHeld(reason) }
        guard let client else { return notHeld(.notAttempted("no client in the configuration")) }
        if let why = whyNotTried(method, secretIsRight: secretIsRight, client) { return notHeld(.notAttempted(why)) }
        let code = Secret(Hexadecimal.text(of: Hashes.randomOctets(16)))
        await wire.recorder.learn("code", code.reveal(), .token)
        var secret = clientSecret(of: client)
        if !secretIsRight {
            // Not the real one with a character changed: what is wrong must tell nothing of what is right.
            let wrong = Secret(Base64URL.encode(Hashes.randomOctets(24)))
            await wire.recorder.learn("client secret", wrong.reveal(), .credential)
            await wire.recorder.learn(
                "credentials",
                BasicCredentials.encoded(id: client.id, secret: wrong),
                .credential
            )
            secret = wrong
        }
        let request = TokenRequest(
            code: code,
            redirectURI: target.redirectURI,
            verifier: method == .none ? Secret(Base64URL.encode(Hashes.randomOctets(32))) : nil,
            clientID: client.id,
            authentication: method,
            clientSecret: method == .none ? nil : secret
        )
        let answer = await wire.send(
            request.request(to: endpoint),
            step: scenario.title + ": token request",
            lane: lane,
            content: .api
        )
        var collected = notHeld(.notAttempted("a made-up code opens nothing"))
        collected.run.token = Self.tokenAnswer(answer)
        return collected
    }

    private func whyNotTried(_ method: ClientAuthentication, secretIsRight: Bool, _ client: Client) -> String? {
        let isConfidential = client.hasSecret && client.authentication != .none
        let supported = provider.metadata.map(Self.authenticationMethods) ?? []
        switch method {
        case .none:
            if isConfidential { return "the client has a secret, so it must authenticate" }
            if !secretIsRight { return "a client without a secret has no wrong one either" }
        case .clientSecretBasic, .clientSecretPost:
            if !isConfidential { return "the client is public: it has no secret to authenticate with" }
            if secretIsRight, clientSecret(of: client) == nil {
                return "the secret of client \(client.id.quoted) was not given"
            }
        }
        return supported.contains(method.rawValue)
            ? nil : "the provider does not offer \(method.rawValue) at the token endpoint"
    }
}
