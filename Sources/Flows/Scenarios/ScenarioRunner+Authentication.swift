import Conformance
import JOSE
import JSONTree
import Transport

/// The client that a call claims to come from.
extension ScenarioRunner {
    /// The request of a call, with a proof of the client's key where the client is registered for DPoP.
    func webRequest(
        _ call: EndpointCall,
        _ client: Client,
        to endpoint: String,
        _ collected: inout CollectedRun
    ) async throws(JOSEError) -> HTTPRequest {
        let request = try await clientRequest(call, client, &collected)
        var web = request.request(to: endpoint, method: call.method)
        guard proves(call) else { return web }
        let proof = try await collection.proofKey.proof(
            for: web,
            provider.metadata?["dpop_signing_alg_values_supported"]?.strings,
            accessToken: call.bearer.flatMap { collected.captured[$0] },
            now: options.clock.now(),
            options.makeKey
        )
        await http.recorder.learn("dpop_proof", proof, .token)
        web.headers.append(HTTPField(name: "DPoP", value: proof))
        return web
    }

    /// Whether a call has a proof: requests for tokens, pushed requests (RFC 9449 section 10.1), and uses of a bound token.
    func proves(_ call: EndpointCall) -> Bool {
        guard target.client?.usesDPoP == true else { return false }
        return ["token_endpoint", Self.pushEndpoint].contains(call.endpoint) || call.bearer != nil
    }

    private func clientRequest(
        _ call: EndpointCall,
        _ client: Client,
        _ collected: inout CollectedRun
    ) async throws(JOSEError) -> ClientRequest {
        let captured = collected.captured
        var fields = call.parameters.compactMap { parameter in
            captured.text(parameter.value).map { Field(parameter.name, $0) }
        }
        if call.widensScope {
            // The first request leaves out only the scopes that return claims.
            let isWider = target.scopes.contains(where: Scenario.scopesOfClaims.contains)
            fields.append(Field("scope", (target.scopes + (isWider ? [] : ["profile"])).joined(separator: " ")))
        }
        // RFC 8707 section 2.2: with a code and with a refresh token.
        if let resource = target.resource, call.endpoint == "token_endpoint",
            fields.contains(where: { $0.name == "grant_type" })
        {
            fields.append(Field("resource", resource))
        }
        if call.endpoint == "token_endpoint" {
            for parameter in target.tokenParameters ?? [] where !fields.contains(where: { $0.name == parameter.name }) {
                fields.append(parameter)
            }
        }
        for change in call.changes { fields.apply(change, { captured.text($0) }) }
        var request = ClientRequest(FormParameters(fields.map { FormParameter(name: $0.name, value: $0.value) }))
        request.headers = [HTTPField(name: "Accept", value: call.accept), HTTPField.acceptsNoCoding]
        if let bearer = call.bearer, let token = captured[bearer] {
            let scheme = proves(call) && !captured.isBearer(bearer) ? "DPoP" : "Bearer"
            request.headers.append(HTTPField(name: "Authorization", value: "\(scheme) \(token.reveal())"))
        }
        let secret = clientSecret(of: client)
        switch call.authentication {
        case .none: break
        case .asRegistered: try await authenticate(client, by: client.authentication, &request, &collected)
        case .identifierOnly: request.authenticate(client.id, by: .none, secret: nil)
        case .method(let method): try await authenticate(client, by: method, &request, &collected)
        case .wrongSecret(let method) where (method ?? client.authentication).usesAssertion:
            guard var assertion = assertion(of: client, by: method ?? client.authentication) else { break }
            assertion.key = try assertion.key.another(options.makeKey)
            await send(try assertion.compact(), isBogus: true, of: client, &request, &collected)
        case .assertion(let kind): try await authenticate(client, kind, &request, &collected)
        case .wrongSecret(let method):
            let wrong = await wrongSecret(of: client.id)
            request.authenticate(client.id, by: method ?? client.authentication, secret: wrong)
        case .unknownClient:
            let wrong = await wrongSecret(of: Scenario.unknownClientID)
            request.authenticate(Scenario.unknownClientID, by: .clientSecretBasic, secret: wrong)
        case .malformedBasic(let credentials):
            request.headers.append(HTTPField(name: "Authorization", value: "Basic \(credentials)"))
        case .basicAndPost:
            request.authenticate(client.id, by: .clientSecretBasic, secret: secret)
            request.authenticate(client.id, by: .clientSecretPost, secret: secret)
        case .basicUnencoded:
            if let secret { request.authenticateUnencoded(client.id, secret: secret) }
        case .otherClient:
            if let other = target.otherClient {
                try await authenticate(other, by: other.authentication, &request, &collected)
            }
        case .basicPercentEncoded:
            if let secret { request.authenticatePercentEncoded(client.id, secret: secret) }
        }
        if call.hasLowerCaseScheme { request.writeSchemeInLowerCase() }
        request.statesCharset = call.statesCharset
        request.hasNoBody = call.hasNoBody
        return request
    }

    /// Why a call cannot authenticate as intended; `nil` when it can.
    func whyNotAuthenticated(_ call: EndpointCall, _ client: Client) -> String? {
        if let why = call.whyNotSent(by: client) { return why }
        switch call.authentication {
        case .none, .identifierOnly: return nil
        case .unknownClient, .malformedBasic:
            let methods = provider.metadata.map(Self.authenticationMethods) ?? []
            return methods.contains(ClientAuthentication.clientSecretBasic.rawValue)
                ? nil : "the provider does not offer client_secret_basic at the token endpoint"
        case .method(let method): return whyNotTried(method, secretIsRight: true, client)
        case .wrongSecret(let method?): return whyNotTried(method, secretIsRight: false, client)
        case .asRegistered, .basicAndPost, .basicPercentEncoded: return whyNoCredentials(client)
        case .otherClient:
            guard let other = target.otherClient else { return "the configuration names no other_client" }
            return whyNoCredentials(other)
        case .wrongSecret(nil): return client.authentication.usesAssertion ? whyNoCredentials(client) : nil
        case .assertion:
            guard client.authentication.usesAssertion || ownKey(of: client) != nil else {
                return "the client does not sign assertions"
            }
            return whyNoCredentials(client)
        case .basicUnencoded:
            guard let secret = clientSecret(of: client) else {
                return whyNoCredentials(client) ?? "no secret was given"
            }
            let isSame =
                BasicCredentials.encoded(id: client.id, secret: secret)
                == BasicCredentials.unencoded(id: client.id, secret: secret)
            return isSame ? "form encoding changes nothing in this identifier and this secret" : nil
        }
    }

    /// Why a confidential client cannot authenticate; `nil` when it can, or need not.
    private func whyNoCredentials(_ client: Client) -> String? {
        guard client.isConfidential else { return nil }
        if client.authentication == .privateKeyJWT {
            return clientKey(of: client) == nil
                ? "the key of client \(client.id.quoted) was not given" : nil
        }
        return clientSecret(of: client) == nil ? "the secret of client \(client.id.quoted) was not given" : nil
    }

    // MARK: Credentials

    private func authenticate(
        _ client: Client,
        by method: ClientAuthentication,
        _ request: inout ClientRequest,
        _ collected: inout CollectedRun
    ) async throws(JOSEError) {
        let signs = method.usesAssertion || ownKey(of: client) != nil
        guard signs, let assertion = assertion(of: client, by: method) else {
            request.authenticate(client.id, by: method, secret: clientSecret(of: client))
            return
        }
        await send(try assertion.compact(), of: client, &request, &collected)
    }

    /// An assertion that is right, or different in one way.
    private func authenticate(
        _ client: Client,
        _ kind: EndpointCall.Assertion,
        _ request: inout ClientRequest,
        _ collected: inout CollectedRun
    ) async throws(JOSEError) {
        guard var assertion = assertion(of: client, by: client.authentication) else { return }
        switch kind {
        case .repeated:
            if let last = collected.captured[.clientAssertion] {
                await send(last.reveal(), of: client, &request, &collected)
            }
            return
        case .forIssuer: assertion.audience = issuer
        case .forEndpoint: assertion.audience = endpoint("token_endpoint").address ?? issuer
        case .byAnotherKey: assertion.key = try assertion.key.another(options.makeKey)
        case .byNewKey:
            guard let folder, let own else { return }
            var key = try options.makeKey(.rsa(bits: 2_048))
            key.attributes.use = "sig"
            key.attributes.kid = key.publicKey.thumbprint
            // Core section 10.1.1: the earlier keys stay in the set while tokens that they signed are about.
            folder.publish(keys: own.keys + [key])
            assertion.key = .pair(key)
        case .right, .expired, .forAnother, .unsigned: break
        }
        let isBogus = [.byAnotherKey, .expired, .forAnother, .unsigned].contains(kind)
        await send(try assertion.compact(kind), isBogus: isBogus, of: client, &request, &collected)
    }

    private func send(
        _ assertion: String,
        isBogus: Bool = false,
        of client: Client,
        _ request: inout ClientRequest,
        _ collected: inout CollectedRun
    ) async {
        if isBogus {
            await http.recorder.learn(bogus: "client_assertion", assertion, .token)
        } else {
            await http.recorder.learn("client_assertion", assertion, .token)
        }
        collected.captured.capture(Secret(assertion), as: .clientAssertion)
        request.authenticate(client.id, assertion: assertion)
    }

    /// The client's assertion; `nil` if it cannot sign one.
    private func assertion(of client: Client, by method: ClientAuthentication) -> ClientAssertion? {
        let pair = clientKey(of: client).map { ClientKey.pair($0) }
        let key = method == .clientSecretJWT ? clientSecret(of: client).map { ClientKey.secret($0) } : pair
        guard let key else { return nil }
        let audience = client.assertionAudience == .issuer ? nil : endpoint("token_endpoint").address
        return ClientAssertion(
            clientID: client.id,
            audience: audience ?? issuer,
            key: key,
            algorithm: client.tokenEndpointAuthSigningAlg.flatMap(JWSAlgorithm.init(rawValue:)),
            now: options.clock.now()
        )
    }

    /// The key that the scenario's own client registered.
    private func ownKey(of client: Client) -> PrivateKey? {
        own.flatMap { $0.client.id == client.id ? $0.assertionKey : nil }
    }

    func clientKey(of client: Client) -> PrivateKey? {
        ownKey(of: client) ?? collection.secrets.clientKeys[client.id]
    }

    private var issuer: String { provider.metadata?["issuer"]?.stringValue ?? target.issuer }

    /// A secret that is not the client's.
    private func wrongSecret(of clientID: String) async -> Secret {
        // Not the real one with a character changed: the wrong secret must reveal nothing about the right one.
        let wrong = Secret(Base64URL.encode(Hashes.randomBytes(24)))
        await http.recorder.learn(bogus: "client_secret", wrong.reveal(), .credential)
        let encoded = BasicCredentials.encoded(id: clientID, secret: wrong)
        await http.recorder.learn(bogus: "credentials", encoded, .credential)
        return wrong
    }
}
