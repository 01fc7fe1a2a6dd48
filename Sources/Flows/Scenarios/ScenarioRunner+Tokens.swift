import Conformance
import JOSE
import JSONTree
import Transport

/// Calls of the endpoints that a client sends directly.
extension ScenarioRunner {
    /// Makes a call with values from earlier steps, and keeps the returned values for later ones.
    func call(
        _ call: EndpointCall,
        _ step: StepID,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> Observation<EndpointAnswer> {
        let (endpoint, reason) = endpoint(call.endpoint)
        guard let endpoint else { return reason.observation() }
        guard let endpoint = Self.personal(endpoint, collected.captured) else {
            return .notAttempted(
                "the address of \(call.endpoint) contains a user's identifier, and no ID Token stated it"
            )
        }
        guard let client else { return .notAttempted("no client in the configuration") }
        await supply(call, client, &collected)
        if let missing = call.captured.first(where: { collected.captured[$0] == nil }) {
            let reason = collected.captured.whyMissing(missing)
            // If the authorization request was not made, its completion was not attempted either; any other step lacks a value
            // that should have been there.
            let isCompletion = scenario.step(step)?.title == nil
            let isOfCode = [.code, .accessToken, .earlierAccessToken].contains(missing)
            let isOwed = isOfCode && !isCompletion && !collected.captured.isOfflineAccessRejected
            return isOwed ? .absent(reason.why) : reason.observation()
        }
        if call.widensScope, target.scopes.count < 2 { return .notAttempted("only one scope is configured") }
        if let why = whyNotAuthenticated(call, client) { return .notAttempted(why) }
        let isAsRegistered =
            [.asRegistered, .method(client.authentication), .basicPercentEncoded].contains(call.authentication)
        // If the same credentials were accepted without form encoding, they are right, and the run must see how they are
        // rejected with it.
        let isKnownToBeRight =
            scenario.id == Scenario.basicEncoding.id
            && collected.run.answer(.unencoded).value?.body.json?["error"] == "invalid_grant"
        let isOfClient = own == nil && isAsRegistered && client.isConfidential && !isKnownToBeRight
        if isOfClient, !showsWhetherVerifierIsRefused, let why = await collection.clientAttempts.whyNot(client.id) {
            return .absent(why)
        }
        // The response to another client, or to none, shows nothing if the right one is rejected.
        if call.authentication.isOfNoClient, await collection.clientAttempts.isRefused(client.id) {
            return .absent(Cause.refusedBefore)
        }
        var call = call
        if let pushed = call.pushes {
            call.parameters += await pushedParameters(pushed, call.authentication, client, &collected)
        }
        let earlier = collected.captured
        let code = earlier[.code]
        let web: HTTPRequest
        do throws(JOSEError) {
            web = try await webRequest(call, client, to: endpoint, &collected)
        } catch {
            if isOfClient { await collection.clientAttempts.ended(nil, by: client.id, at: call.endpoint) }
            return .notAttempted("the client assertion or the DPoP proof could not be signed: \(error)")
        }
        var answer: RecordingClient.Answer
        if call.isSentTwice {
            // An assertion is good for one request.
            let other = try? await webRequest(call, client, to: endpoint, &collected)
            guard let second = await secondOfTwo(web, other ?? web, words) else {
                if isOfClient { await collection.clientAttempts.ended(nil, by: client.id, at: call.endpoint) }
                return .absent("neither of two simultaneous token requests returned tokens")
            }
            answer = second
        } else {
            answer = await http.send(web, step: words, lane: lane, content: .api)
            // RFC 9449 section 8: the client repeats the request with the server's nonce. A parallel request may have used it.
            var repetitions = 0
            while proves(call), await collection.proofKey.takeNonce(of: answer.raw, at: endpoint), repetitions < 3,
                let again = try? await webRequest(call, client, to: endpoint, &collected)
            {
                repetitions += 1
                answer = await http.send(again, step: words + ", with the server's nonce", lane: lane, content: .api)
            }
        }
        // A GET at the token endpoint is a test of its own.
        let isFollowed = web.method == "POST" || call.endpoint == "userinfo_endpoint"
        let redirected = isFollowed ? Self.redirection(of: web, by: answer.raw.response) : nil
        let redirectedFrom = redirected.map { _ in answer.id }
        if let redirected {
            answer = await http.send(redirected, step: words + ", redirected", lane: lane, content: .api)
        }
        // A rejection of another notation may be about the notation.
        let isOfNotation = scenario.id == Scenario.otherWritings.id
        let reported = isOfNotation ? nil : await http.recorder.exchange(answer.id)?.response
        if isOfClient { await collection.clientAttempts.ended(reported, by: client.id, at: call.endpoint) }
        if answer.raw.failure?.leavesEffectOpen == true, call.captured.contains(.code) {
            collected.captured.endUnanswered()
        }
        func ended(_ answer: Observation<EndpointAnswer>) -> Observation<EndpointAnswer> {
            answer.map { answer in
                var answer = answer
                answer.redirectedFrom = redirectedFrom
                return answer
            }
        }
        guard let response = answer.raw.response, answer.failure == nil else {
            return ended(Self.endpointAnswer(answer))
        }
        let tokens = TokenResponseSecrets(response)
        let observed = Self.endpointAnswer(answer, tokens, after: earlier)
        if let observed = observed.value {
            let outcome = await http.recorder.outcome(of: observed, at: call.endpoint)
            if outcome?.open != nil { collected.unanswered.insert(step) }
            noteToken(call, response, isGranted: outcome == .granted, &collected)
        }
        collected.captured.capture(tokens)
        if response.mediaType == "application/jwt" {
            keep(Secret(response.text.trimmingASCIISpace), of: step, isBody: true, &collected)
        } else {
            keep(tokens.idToken, of: step, accessToken: tokens.accessToken, code: code, &collected)
        }
        return ended(observed)
    }

    /// The same request to the address that it was redirected to, as many clients send it; `nil` if it is of another origin, which
    /// must get no credentials.
    private static func redirection(of request: HTTPRequest, by response: HTTPResponse?) -> HTTPRequest? {
        guard let response, let next = RecordingClient.redirect(response, from: request.url), next != request.url,
            WebURL(next)?.origin == WebURL(request.url)?.origin,
            // With another status a client continues with GET (RFC 9110 section 15.4).
            request.method == "GET" || [307, 308].contains(response.status)
        else { return nil }
        var request = request
        request.url = next
        return request
    }

    private func noteToken(
        _ call: EndpointCall,
        _ response: HTTPResponse,
        isGranted: Bool,
        _ collected: inout CollectedRun
    ) {
        if call.endpoint == "revocation_endpoint" { collected.acceptedToken = nil }
        guard call.endpoint == "userinfo_endpoint", call.bearer == .accessToken else { return }
        let token = collected.captured[.accessToken]
        if isGranted { collected.acceptedToken = token }
        if response.status == 401, token == collected.acceptedToken { collected.hasLostToken = true }
    }

    /// Whether the request shows if the credentials or the `code_verifier` beside them was rejected, at a provider that does not
    /// offer PKCE.
    private var showsWhetherVerifierIsRefused: Bool {
        let methods = provider.metadata?["code_challenge_methods_supported"]?.arrayValue ?? []
        return scenario.id == Scenario.bogusCodeWithoutVerifier.id && methods.isEmpty
    }

    /// Sends two requests with one code at the same time.
    ///
    /// Returns the response without tokens if only one has tokens, either if both have, and `nil` if neither has.
    private func secondOfTwo(
        _ request: HTTPRequest,
        _ second: HTTPRequest,
        _ words: String
    ) async -> RecordingClient.Answer? {
        async let other = http.send(second, step: "\(words), at once with another", lane: lane, content: .api)
        let answers = [await http.send(request, step: words, lane: lane, content: .api), await other]
        let refused = answers.filter { $0.raw.response.map(TokenResponseSecrets.init)?.accessToken == nil }
        return refused.count == 2 ? nil : refused.first ?? answers[1]
    }

    /// Keeps a token until the key set is there.
    ///
    /// - Parameters:
    ///   - isBody: Whether it is the body of the response itself.
    ///   - accessToken: The token of `at_hash`; `nil` for none.
    ///   - code: The code of `c_hash`; `nil` for none.
    func keep(
        _ token: Secret?,
        of step: StepID,
        isBody: Bool = false,
        accessToken: Secret? = nil,
        code: Secret? = nil,
        _ collected: inout CollectedRun
    ) {
        guard let token else { return }
        collected.pending.append(
            CollectedRun.PendingToken(
                step: step,
                isBody: isBody,
                compact: token,
                accessToken: accessToken,
                code: code,
                clientSecret: client.flatMap(clientSecret),
                receivedAt: options.clock.now(),
                decryptionKeys: decryptionKeys
            )
        )
    }

    /// The keys that decrypt what the provider encrypts to the client.
    var decryptionKeys: [PrivateKey] {
        if let own { return own.keys }
        guard let client, client.decryptionKeyThumbprint != nil else { return [] }
        return collection.secrets.decryptionKeys[client.id].map { [$0] } ?? []
    }

    /// Generates the values that a call needs and no step returns: values that were never issued.
    private func supply(_ call: EndpointCall, _ client: Client, _ collected: inout CollectedRun) async {
        collected.captured.capture(Secret(client.id), as: .clientID)
        if collected.captured[.redirectURI] == nil {
            collected.captured.capture(target.redirectURI.map { Secret($0) }, as: .redirectURI)
        }
        let takesVerifier = call.parameters.contains { $0.value.source == .codeVerifier }
        let avoidsPKCE = collection.plan.profile.parameters.avoidsPKCE || target.avoidsPKCE(client.id)
        if call.captured.contains(.bogus), takesVerifier, collected.captured[.codeVerifier] == nil, !avoidsPKCE {
            // A provider that requires PKCE rejects a request without a verifier before it looks up the code.
            await draw(.codeVerifier, &collected)
        }
        for captured in call.captured where collected.captured[captured] == nil {
            switch captured {
            case .bogus:
                let value = Secret(Hexadecimal.text(of: Hashes.randomBytes(16)))
                await http.recorder.learn(bogus: "code", value.reveal(), .token)
                collected.captured.capture(value, as: captured)
            case .wrongCodeVerifier: await draw(captured, &collected)
            default: break
            }
        }
        await learnIDTokens(collected.captured)
    }

    /// Has the tokens redacted that differ from the received ones, decrypted or changed: they contain everything about the user.
    func learnIDTokens(_ captured: CapturedValues) async {
        for token in [.idToken, .firstIDToken].compactMap({ captured[$0] }) {
            await http.recorder.learn("id_token", token.reveal(), .token)
        }
        for token in [.forgedIDToken, .unsignedIDToken].compactMap({ captured[$0] }) {
            await http.recorder.learn(bogus: "id_token", token.reveal(), .token)
        }
        if let token = captured[.alteredAccessToken] {
            await http.recorder.learn(bogus: "access_token", token.reveal(), .token)
        }
    }

    /// A well-formed verifier (RFC 7636 section 4.1) that belongs to no challenge.
    private func draw(_ verifier: ParameterValue.Captured, _ collected: inout CollectedRun) async {
        let value = Secret(Base64URL.encode(Hashes.randomBytes(32)))
        await http.recorder.learn(bogus: "code_verifier", value.reveal(), .token)
        collected.captured.capture(value, as: verifier)
    }

    static func endpointAnswer(
        _ answer: RecordingClient.Answer,
        _ tokens: TokenResponseSecrets? = nil,
        after earlier: CapturedValues = CapturedValues()
    ) -> Observation<EndpointAnswer> {
        guard let recorded = answer.recorded.response, answer.failure == nil else {
            return .absent(answer.failure ?? "no response arrived")
        }
        return .observed(
            EndpointAnswer(
                exchange: answer.id,
                body: recorded.body,
                accessToken: tokens?.accessToken.map { SecretFacts($0, after: earlier[.accessToken]) },
                refreshToken: tokens?.refreshToken.map { SecretFacts($0, after: earlier[.refreshToken]) }
            )
        )
    }

    /// Why an authentication method is not tried at the token endpoint; `nil` when it is.
    func whyNotTried(_ method: ClientAuthentication, secretIsRight: Bool, _ client: Client) -> String? {
        // Addresses alone do not list methods: the client is registered for one.
        let supported =
            provider.isDocument
            ? provider.metadata.map(Self.authenticationMethods) ?? [] : [client.authentication.rawValue]
        switch method {
        case .none:
            if !secretIsRight { return "a client without a secret cannot send a wrong one" }
        case .privateKeyJWT:
            if collection.secrets.clientKeys[client.id] == nil {
                return "the key of client \(client.id.quoted) was not given"
            }
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT:
            if secretIsRight, clientSecret(of: client) == nil {
                return "the secret of client \(client.id.quoted) was not given"
            }
        }
        // A method that works without being advertised is worth knowing; a wrong secret would add nothing.
        return supported.contains(method.rawValue) || (secretIsRight && !method.usesAssertion)
            || (secretIsRight && client.authentication == method)
            ? nil : "the provider does not offer \(method.rawValue) at the token endpoint"
    }
}

extension EndpointCall {
    /// The values that it uses from earlier steps; a verifier is sent only after a challenge, and a redirect URI only if one is
    /// configured.
    var captured: [ParameterValue.Captured] {
        let values = parameters.compactMap(\.value.source)
            .filter { ![.codeVerifier, .earlierCodeVerifier, .redirectURI].contains($0) }
        return values + changes.compactMap(\.captured) + [bearer].compactMap { $0 }
    }
}

extension Scenario {
    /// Whether it concerns only the use of a code or a token: its authorization requests are like those of the flows.
    var isAboutTokens: Bool {
        let received: [ParameterValue.Captured] = [.code, .accessToken, .refreshToken]
        let usesThem = steps.contains { step in
            step.title != nil && step.call.map { $0.captured.contains(where: received.contains) } ?? false
        }
        return usesThem && authorizations.allSatisfy(\.isOfAFlow)
    }
}

extension AuthorizationRequest {
    /// Whether it differs from a flow's request only by a refresh token, other claims, or missing PKCE.
    ///
    /// Missing PKCE shows only at the redemption, and the claims of a scope at UserInfo.
    fileprivate var isOfAFlow: Bool {
        var like = AuthorizationRequest(responseType: responseType, session: session)
        like.user = user
        like.asksOfflineAccess = asksOfflineAccess
        like.sendsPKCE = sendsPKCE
        like.changes = changes.filter(Scenario.scopes().contains)
        return self == like
    }
}
