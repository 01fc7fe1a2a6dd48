import Conformance
import JOSE
import JSONTree

/// Authorization requests as request objects and pushed requests.
extension Provider {
    /// The parameters of a request, and the error in its request object or pushed request, if any.
    struct Resolved {
        var parameters: [Field]
        var error: OAuthError?
    }

    /// Replaces a reference by the parameters of the pushed request or the request object.
    func resolve(_ received: [Field], _ client: RegisteredClient, _ documents: [String: [UInt8]] = [:]) -> Resolved {
        var received = received
        if hooks.requests.ignoresRequestObjects { received.removeAll { $0.name == "request" } }
        if hooks.requests.ignoresRequestURIs { received.removeAll { $0.name == "request_uri" } }
        if offer.hasPushedRequests, let uri = received.first("request_uri"), uri.hasPrefix(PushedRequests.prefix) {
            return takePushed(uri, received, client)
        }
        if offer.requiresPushedRequests || hooks.requests.requiresPush {
            return Resolved(parameters: received, error: OAuthError("invalid_request", "the request was not pushed"))
        }
        if offer.fetchesRequestObjects, let uri = received.first("request_uri") {
            return takeFetched(uri, received, client, documents)
        }
        return assembled(received, client)
    }

    /// The parameters merged with those of a request object, if request objects are supported.
    private func assembled(_ received: [Field], _ client: RegisteredClient) -> Resolved {
        let isRead = offer.hasRequestObjects || hooks.requests.obeysUnannouncedObjects
        guard isRead, !hooks.requests.ignoresRequestObjects, let text = received.first("request")
        else {
            let error = OAuthError("invalid_request", "a signed request object is required")
            return Resolved(parameters: received, error: offer.requiresSignedRequests ? error : nil)
        }
        return assemble(received, text, client)
    }

    /// RFC 9126 section 4.
    private func takePushed(_ uri: String, _ received: [Field], _ client: RegisteredClient) -> Resolved {
        let found =
            hooks.requests.findsPushed
            ? pushed.take(uri, of: client, now: now(), forgets: hooks.requests.forgetsPushed) : nil
        if let found { return Resolved(parameters: found) }
        if hooks.requests.takesUnknownURI {
            let ordinary = [
                Field("client_id", client.id), Field("response_type", "code"), Field("scope", "openid"),
                Field("redirect_uri", client.redirectURIs.first ?? ""),
            ]
            return Resolved(parameters: ordinary)
        }
        let rest = received.filter { $0.name != "request_uri" }
        return Resolved(parameters: rest, error: OAuthError("invalid_request_uri", "it is not known or has expired"))
    }

    /// Core section 6.2; Discovery section 3, `require_request_uri_registration`.
    private func takeFetched(
        _ uri: String,
        _ received: [Field],
        _ client: RegisteredClient,
        _ documents: [String: [UInt8]]
    ) -> Resolved {
        let beside = received.filter { $0.name != "request_uri" }
        guard !hooks.requests.requestsRegisteredURI || client.requestURIs.contains(uri), let object = documents[uri]
        else {
            return Resolved(parameters: beside, error: OAuthError("invalid_request_uri", "it is not registered"))
        }
        if !hooks.requests.readsFetchedObject { return Resolved(parameters: beside) }
        let text = String(decoding: object, as: UTF8.self)
        if !hooks.requests.takesUnsignedFetched, text.hasSuffix(".") {
            return Resolved(parameters: beside, error: "invalid_request_object")
        }
        return assemble(beside, text, client)
    }

    /// Core sections 6.1 and 6.3.3: parameters in the object supersede those beside it.
    private func assemble(_ received: [Field], _ text: String, _ client: RegisteredClient) -> Resolved {
        let beside = received.filter { $0.name != "request" }
        if hooks.requests.ignoresUnreadableObjects, (try? CompactJWS(text)) == nil {
            return Resolved(parameters: beside)
        }
        guard let claims = claims(ofRequestObject: text, client) else {
            return Resolved(parameters: beside, error: "invalid_request_object")
        }
        // Core section 6.1: these two must match if present, and a request object contains no other request object.
        for name in ["client_id", "response_type"] {
            if let inside = claims[name]?.stringValue, inside != beside.first(name) {
                return Resolved(parameters: beside, error: "invalid_request_object")
            }
        }
        if claims.has("request") || claims.has("request_uri") {
            return Resolved(parameters: beside, error: "invalid_request_object")
        }
        let inside = claims.members.filter { !["iss", "aud", "exp", "iat", "nbf", "jti"].contains($0.name) }
            .filter { hooks.requests.readsObjectRedirectURI || $0.name != "redirect_uri" }
            .map { Field($0.name, $0.value.stringValue ?? $0.value.serialized()) }
        return Resolved(parameters: beside.filter { field in !inside.contains { $0.name == field.name } } + inside)
    }

    /// The claims of a request object that is unsigned, or signed with the client's secret or key (Core section 6.3.2).
    private func claims(ofRequestObject text: String, _ client: RegisteredClient) -> JSONObject? {
        guard let object = try? CompactJWS(text), let header = try? object.header.get().root,
            let claims = try? object.claims.get().root.objectValue
        else { return nil }
        if !hooks.requests.verifiesRequestObjects { return claims }
        switch header["alg"]?.stringValue {
        case "none": return object.signatureText.isEmpty && !offer.requiresSignedRequests ? claims : nil
        case "HS256" where !offer.requiresSignedRequests:
            guard let secret = client.secret, let signed = try? JWS.parse(compact: text) else { return nil }
            let key = SymmetricKey(Array(secret.reveal().utf8))
            return (try? signed.verify(with: key, algorithm: .hs256)) == nil ? nil : claims
        default:
            guard let signed = try? JWS.parse(compact: text), let algorithm = signed.algorithm, !algorithm.isSymmetric
            else { return nil }
            let keys = client.wishes.keys + (client.key.map { [$0.jwk()] } ?? [])
            let isSigned = (try? signed.verify(with: JWKSet(keys: keys), algorithm: algorithm)) != nil
            // RFC 9101 section 6.2: the parameters of a request object that is out of date are not those of the request.
            return isSigned && (claims["exp"]?.numberValue).map { $0 > now() } ?? true ? claims : nil
        }
    }

    // MARK: Pushed requests

    /// The endpoint for pushed authorization requests (RFC 9126 section 2).
    func push(_ request: ProviderRequest) -> HTTPAnswer {
        guard request.method == "POST" else { return .methodNotAllowed(["POST"]) }
        let form = (request.form ?? []).withoutEmpty
        let credentials = ClientCredentials(request, form, decode: hooks.decodesBasicHalf)
        let parameters = TokenRequestParameters(all: form, method: credentials.method)
        let asked = form.filter { $0.name != "client_secret" }
        let client = client(credentials.id) ?? .confidential
        let resolved = assembled(asked, client)
        var error = pushError(resolved, credentials, isForm: request.form != nil)
        if error == nil, offer.requiresProofs,
            case .failure(let refusal) = proved(request.headers, at: .pushedRequests, by: "POST")
        {
            error = refusal.error
        }
        if let error = hooks.requests.pushError(parameters, error) { return tokenError(error) }
        let named = resolved.parameters.filter { $0.name != "client_id" } + [Field("client_id", client.id)]
        var body: JSONObject = [
            "request_uri": .string(pushed.keep(named, of: client, now: now())),
            "expires_in": .integer(Int64(PushedRequests.lifetime)),
        ]
        hooks.requests.pushed(&body)
        var answer = HTTPAnswer.json(body, status: 201)
        answer.forbidStoring()
        return answer
    }

    /// RFC 9126 section 2.1: client authentication, then the rules of the authorization endpoint.
    private func pushError(_ pushed: Resolved, _ credentials: ClientCredentials, isForm: Bool) -> OAuthError? {
        guard isForm else { return OAuthError("invalid_request", "the request is not a form") }
        let client: RegisteredClient
        switch authenticate(credentials) {
        case .success(let found): client = found
        case .failure(let refusal): return refusal.error
        }
        if let error = pushed.error { return error }
        let asked = pushed.parameters
        if asked.first("request_uri") != nil { return OAuthError("invalid_request", "request_uri cannot be pushed") }
        guard let redirectURI = asked.first("redirect_uri"),
            hooks.acceptsRedirectURI(redirectURI, client.redirectURIs)
        else { return OAuthError("invalid_request", .unregisteredRedirectURI) }
        let parameters = AuthorizationRequestParameters(all: asked, sessionID: nil)
        return AuthorizationRules(parameters: parameters, client: client, offer: offer).error
    }
}
