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
        asksUserInfo: Bool,
        _ collected: inout CollectedRun
    ) async {
        guard let arrival else {
            collected.run.token = .absent("the flow did not end at the redirect URI")
            collected.run.userInfo = .absent("the flow did not end at the redirect URI")
            return
        }
        if request.redeemsCode, responseType.hasCode {
            await exchangeCode(arrival, client, &collected)
        } else {
            collected.run.token = .notAttempted("the response type \(responseType) has no code")
        }
        if asksUserInfo || arrival.accessToken != nil { await askUserInfo(&collected) }
    }

    private func exchangeCode(
        _ arrival: ArrivedRedirect,
        _ client: Client,
        _ collected: inout CollectedRun
    ) async {
        guard arrival.code != nil else {
            let why = arrival.answer.error.map { "the flow ended with error=\($0.quoted)" }
            collected.run.token = .absent(why ?? "the authorization response held no code")
            return
        }
        collected.run.token = await call(.redeemCode, step: scenario.title + ": token request", .token, &collected)
    }

    // MARK: Any call

    /// Makes a call with what earlier steps brought, and keeps what it brings for later ones.
    func call(
        _ call: EndpointCall,
        step: String,
        _ place: CollectedRun.Place,
        _ collected: inout CollectedRun
    ) async -> Observation<TokenAnswer> {
        let (endpoint, reason) = endpoint(call.endpoint)
        guard let endpoint else { return reason.observation() }
        guard let endpoint = Self.personal(endpoint, collected.holdings) else {
            return .notAttempted("the address of \(call.endpoint) names a person, and no ID Token said who that is")
        }
        guard let client else { return .notAttempted("no client in the configuration") }
        await supply(call, client, &collected)
        if let missing = call.held.first(where: { collected.holdings[$0] == nil }) {
            return collected.holdings.whyMissing(missing).observation()
        }
        if call.widensScope, target.scopes.count < 2 { return .notAttempted("one scope alone is configured") }
        if let why = whyNotAuthenticated(call, client) { return .notAttempted(why) }
        let isOfClient = own == nil && call.authentication == .asRegistered && client.isConfidential
        if isOfClient, let why = await collection.clientAttempts.whyNot() { return .absent(why) }
        var call = call
        if let pushed = call.pushes {
            call.parameters += await pushedParameters(pushed, call.authentication, client, &collected)
        }
        let earlier = collected.holdings
        let code = earlier[.code]
        let request: ClientRequest
        do throws(JOSEError) {
            request = try await clientRequest(call, client, &collected)
        } catch {
            if isOfClient { await collection.clientAttempts.ended(nil, at: call.endpoint) }
            return .notAttempted("the client assertion could not be signed: \(error)")
        }
        let answer = await wire.send(
            request.request(to: endpoint, method: call.method),
            step: step,
            lane: lane,
            content: .api
        )
        if isOfClient { await collection.clientAttempts.ended(answer.raw.response, at: call.endpoint) }
        if let response = answer.raw.response, answer.failure == nil {
            let tokens = TokenResponseSecrets(response)
            collected.holdings.hold(tokens)
            if let idToken = tokens.idToken {
                collected.pending.append(
                    CollectedRun.PendingToken(
                        place: place,
                        compact: idToken,
                        accessToken: tokens.accessToken,
                        code: code,
                        clientSecret: clientSecret(of: client),
                        receivedAt: options.clock(),
                        decryptionKeys: own?.keys ?? []
                    )
                )
            }
            if case .laterAnswer(let id) = place, response.mediaType == "application/jwt" {
                collected.pending.append(
                    CollectedRun.PendingToken(
                        place: .laterBody(id),
                        compact: Secret(response.text.trimmingASCIISpace),
                        clientSecret: clientSecret(of: client),
                        receivedAt: options.clock(),
                        decryptionKeys: own?.keys ?? []
                    )
                )
            }
        }
        return Self.tokenAnswer(answer, after: earlier)
    }

    /// Draws what a call needs and no step can bring: values that were never issued.
    private func supply(_ call: EndpointCall, _ client: Client, _ collected: inout CollectedRun) async {
        collected.holdings.hold(Secret(client.id), as: .clientID)
        for held in call.held where collected.holdings[held] == nil {
            switch held {
            case .madeUp:
                let value = Secret(Hexadecimal.text(of: Hashes.randomOctets(16)))
                await wire.recorder.learn("code", value.reveal(), .token)
                collected.holdings.hold(value, as: held)
            case .redirectURI: collected.holdings.hold(target.redirectURI.map { Secret($0) }, as: held)
            case .wrongCodeVerifier:
                let value = Secret(Base64URL.encode(Hashes.randomOctets(32)))
                await wire.recorder.learn("code_verifier", value.reveal(), .token)
                collected.holdings.hold(value, as: held)
            default: break
            }
        }
        if let forged = collected.holdings[.forgedIDToken], call.held.contains(.forgedIDToken) {
            await wire.recorder.learn("id_token", forged.reveal(), .token)
        }
    }

    static func tokenAnswer(_ answer: Wire.Answer, after earlier: Holdings = Holdings()) -> Observation<TokenAnswer> {
        guard let response = answer.raw.response, let recorded = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "no answer arrived from the token endpoint")
        }
        let tokens = TokenResponseSecrets(response)
        return .observed(
            TokenAnswer(
                exchange: answer.id,
                body: recorded.body,
                accessToken: tokens.accessToken.map { SecretFacts($0, after: earlier[.accessToken]) },
                refreshToken: tokens.refreshToken.map { SecretFacts($0, after: earlier[.refreshToken]) }
            )
        )
    }

    private func askUserInfo(_ collected: inout CollectedRun) async {
        guard responseType.hasCode || responseType.hasToken else {
            collected.run.userInfo = .notAttempted("the response type \(responseType) yields no access token")
            return
        }
        let (endpoint, reason) = endpoint("userinfo_endpoint")
        guard endpoint != nil else {
            collected.run.userInfo = reason.observation()
            return
        }
        guard collected.holdings[.accessToken] != nil else {
            // A code that was not redeemed could bring no token: one reason, said once.
            if responseType.hasCode, case .notAttempted(let why) = collected.run.token {
                collected.run.userInfo = .notAttempted(why)
            } else {
                collected.run.userInfo = .absent("no access token was returned")
            }
            return
        }
        let answer = await call(.userInfo, step: scenario.title + ": UserInfo request", .token, &collected)
        collected.run.userInfo = answer.map { UserInfoAnswer(exchange: $0.exchange, body: $0.body) }
    }

    // MARK: Made-up code

    /// Sends a code that was never issued: the answer tells whether the client was let in before the code was looked at.
    func redeemMadeUpCode(_ method: ClientAuthentication, secretIsRight: Bool) async -> CollectedRun {
        let (endpoint, reason) = endpoint("token_endpoint")
        guard let endpoint else { return notHeld(reason) }
        guard let client else { return notHeld(.notAttempted("no client in the configuration")) }
        if let why = whyNotTried(method, secretIsRight: secretIsRight, client) { return notHeld(.notAttempted(why)) }
        var collected = notHeld(.notAttempted("a made-up code opens nothing"))
        collected.run.token = await call(
            .madeUpCode(method, secretIsRight: secretIsRight, redirectURI: target.redirectURI),
            step: scenario.title + ": token request",
            .token,
            &collected
        )
        return collected
    }

    private func whyNotTried(_ method: ClientAuthentication, secretIsRight: Bool, _ client: Client) -> String? {
        let isConfidential = client.isConfidential
        // Addresses alone say nothing of methods: the client is registered for one.
        let supported =
            provider.isDocument
            ? provider.metadata.map(Self.authenticationMethods) ?? [] : [client.authentication.rawValue]
        switch method {
        case .none:
            if isConfidential { return "the client has a secret, so it must authenticate" }
            if !secretIsRight { return "a client without a secret has no wrong one either" }
        case .privateKeyJWT:
            if client.keyThumbprint == nil { return "the client has no key to sign with" }
            if collection.secrets.clientKeys[client.id] == nil {
                return "the key of client \(client.id.quoted) was not given"
            }
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            if !isConfidential { return "the client is public: it has no secret to authenticate with" }
            if !client.hasSecret { return "the client has no secret, but a key" }
            if secretIsRight, clientSecret(of: client) == nil {
                return "the secret of client \(client.id.quoted) was not given"
            }
        }
        // What works without being advertised is worth knowing; a wrong secret would say nothing more.
        return supported.contains(method.rawValue) || (secretIsRight && !method.usesAssertion)
            || (secretIsRight && client.authentication == method)
            ? nil : "the provider does not offer \(method.rawValue) at the token endpoint"
    }
}

extension EndpointCall {
    /// What it takes from earlier steps; a verifier is sent only when there was a challenge.
    var held: [ParameterValue.Held] {
        let values = parameters.compactMap(\.value.source).filter { $0 != .codeVerifier }
        return values + changes.compactMap(\.held) + [bearer].compactMap { $0 }
    }

    fileprivate static func madeUpCode(
        _ method: ClientAuthentication,
        secretIsRight: Bool,
        redirectURI: String?
    ) -> EndpointCall {
        var call = EndpointCall(
            "token_endpoint",
            parameters: [Parameter("grant_type", "authorization_code"), Parameter("code", .held(.madeUp))]
        )
        if let redirectURI { call.parameters.append(Parameter("redirect_uri", .text(redirectURI))) }
        if method == .none { call.parameters.append(Parameter("code_verifier", .held(.wrongCodeVerifier))) }
        call.authentication = secretIsRight ? .method(method) : .wrongSecret(method)
        return call
    }
}
